//! The documentation at `/docs`, for programmers, in English only: guides, the reference of the API, every code and
//! every rule with its anchor, and the changelog.
//!
//! All content comes from the service itself: the OpenAPI document, the codes, the tables of rules, the samples, and
//! the examples that tests run. The pages need neither table nor bucket, so the role of the function has no permissions
//! for them, and every cache may keep its answers. One script filters lists and calls operations; all text can be read
//! without it. The validator takes a document of anybody, and keeps nothing of it.

mod codes;
mod examples;
mod guides;
mod prose;
mod reference;
/// Public for its test in `api/tests`.
pub(crate) mod requests;
mod rules;
mod schemas;
mod shown;
#[cfg(test)]
mod tests;
mod validator;

use std::sync::OnceLock;

use askama::Template;
use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{Html, IntoResponse, Response},
    routing::get,
};

use crate::{
    api::{DOCS, ERRORS_PAGE, RULES_PAGE, X_REQUEST_ID},
    log::{self, RequestId},
    pages::{
        assets::{Asset, CSS, JAVASCRIPT, Look},
        security,
    },
    types::{Brand, sha256_hex},
};

/// How long every cache may keep a page; a new deployment is visible after this time. Then clients revalidate by `ETag`
/// (RFC 9111, section 5.2.2; RFC 9110, section 8.8.3).
const FOR_A_WHILE: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// The folder of the assets.
const ASSETS: &str = "/docs/assets";

/// The look of the documentation. A process has one, which its start decides.
static SHOWN: OnceLock<Shown> = OnceLock::new();

/// How the documentation looks.
#[derive(Debug)]
struct Shown {
    look: Look,
    style_sheet: Asset,
    script: Asset,
}

impl Shown {
    fn new(brand: &Brand) -> Self {
        let own = |extension, media_type, content: &'static str| {
            Asset::new(ASSETS, ("docs", extension), media_type, content.as_bytes())
        };
        Shown {
            look: Look::new(ASSETS, brand),
            style_sheet: own("css", CSS, include_str!("assets/docs.css")),
            script: own("js", JAVASCRIPT, include_str!("assets/docs.js")),
        }
    }
}

/// The look of this process, or the general one before its start.
fn shown() -> &'static Shown {
    SHOWN.get_or_init(|| Shown::new(&Brand::default()))
}

/// The routes of the documentation. Every other path gets a page that says "not found".
pub fn router(brand: &Brand) -> Router {
    SHOWN.get_or_init(|| Shown::new(brand));
    Router::new()
        .route(DOCS, get(async || page(&guides::Index::new())))
        .route("/docs/guides/{name}", get(guide))
        .route("/docs/changelog", get(async || page(&guides::Changelog::new())))
        .route(
            "/docs/reference",
            get(async || page(&reference::List::new(Around::new("Reference", "reference")))),
        )
        .route("/docs/reference/{id}", get(operation))
        .route(
            &format!("{DOCS}/{ERRORS_PAGE}"),
            get(async || page(&codes::ErrorsPage::new(Around::new("Error codes", ERRORS_PAGE)))),
        )
        .route(
            &format!("{DOCS}/{RULES_PAGE}"),
            get(async || page(&rules::RulesPage::new(Around::new("Rules", RULES_PAGE)))),
        )
        .route(validator::PATH, get(validator::show).post(validator::take))
        .layer(DefaultBodyLimit::max(validator::MAX_FORM))
        .route("/docs/openapi.json", get(openapi))
        .route("/docs/assets/{name}", get(asset))
        .fallback(async || nothing())
        .layer(middleware::from_fn(finish))
}

/// The frame of every page.
#[derive(Debug, Clone, Copy)]
struct Around {
    title: &'static str,
    /// The path of the section that contains the page.
    section: &'static str,
}

impl Around {
    fn new(title: &'static str, section: &'static str) -> Self {
        Around { title, section }
    }

    /// The sections: path, name, and whether the page belongs to it.
    fn sections(&self) -> [(&'static str, &'static str, bool); 6] {
        let section = |path, name, own| (path, name, self.section == own);
        [
            section("/docs", "Guides", "guides"),
            section("/docs/reference", "Reference", "reference"),
            section("/docs/errors", "Error codes", ERRORS_PAGE),
            section("/docs/rules", "Rules", RULES_PAGE),
            section(validator::PATH, "Validator", "validator"),
            section("/docs/changelog", "Changelog", "changelog"),
        ]
    }

    fn style_sheets(&self) -> [&'static str; 2] {
        [&shown().look.style_sheet.path, &shown().style_sheet.path]
    }

    fn scripts(&self) -> [&'static str; 2] {
        [&shown().look.script.path, &shown().script.path]
    }

    fn icon(&self) -> &'static str {
        &shown().look.icon.path
    }

    fn logo(&self) -> &'static str {
        &shown().look.logo
    }

    /// The name of the service.
    fn service(&self) -> &'static str {
        shown().look.name.as_deref().unwrap_or("E-invoicing")
    }
}

fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(page) => Html(page).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page of the documentation could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The page for unknown paths.
#[derive(Template)]
#[template(path = "docs/nothing.html")]
struct Nothing {
    around: Around,
}

fn nothing() -> Response {
    let template = Nothing { around: Around::new("There is no such page", "") };
    (StatusCode::NOT_FOUND, page(&template)).into_response()
}

async fn guide(Path(name): Path<String>) -> Response {
    guides::of(&name).unwrap_or_else(nothing)
}

async fn operation(Path(id): Path<String>) -> Response {
    reference::ReferencePage::of(&id).map_or_else(nothing, |template| page(&template))
}

async fn openapi() -> Response {
    let disposition = r#"inline; filename="openapi.json""#;
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CONTENT_DISPOSITION, disposition)];
    (headers, schemas::TEXT).into_response()
}

async fn asset(Path(name): Path<String>) -> Response {
    let (shown, path) = (shown(), format!("{ASSETS}/{name}"));
    let own = [&shown.style_sheet, &shown.script].into_iter().find(|asset| asset.path == path);
    shown.look.asset(&path).or(own).map_or_else(nothing, Asset::answer)
}

/// Adds the headers of every answer, and logs one line.
async fn finish(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>().map(|RequestId(id)| id.clone());
    let id = id.unwrap_or_default();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    let mut response = match method.is_safe() {
        true => validated(response, known.as_ref()).await,
        false => response,
    };
    let headers = response.headers_mut();
    // A document that is shown has a policy of its own.
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        security::allow_calls(headers);
    }
    security::protect(headers);
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(X_REQUEST_ID, id);
    }
    let status = response.status().as_u16();
    log::request(&id).in_scope(|| {
        tracing::info!(http.method = %method, http.path = path, http.status = status, "page given");
    });
    response
}

/// A page with its `ETag`, or 304 if the caller has this version (RFC 9110, section 13.1.2).
async fn validated(response: Response, known: Option<&HeaderValue>) -> Response {
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // The body is in memory already, so reading it cannot fail.
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_else(|_| Bytes::new());
    let hash = sha256_hex(&body);
    let tag = format!("\"{}\"", &hash[..32]);
    head.headers.entry(header::CACHE_CONTROL).or_insert(FOR_A_WHILE);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        head.headers.insert(header::ETAG, tag);
    }
    if is_known(&tag, known) {
        return unchanged(&head.headers);
    }
    Response::from_parts(head, body.into())
}

fn is_known(tag: &str, known: Option<&HeaderValue>) -> bool {
    let known = known.and_then(|known| known.to_str().ok()).unwrap_or_default();
    // Weak comparison, since gateways make a tag weak.
    known.split(',').map(str::trim).any(|it| it == "*" || it.trim_start_matches("W/") == tag)
}

fn unchanged(headers: &HeaderMap) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    for name in [header::ETAG, header::CACHE_CONTROL] {
        if let Some(value) = headers.get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}
