//! The documentation at `/docs`, for programmers: guides in English and Arabic; in English the reference of the API, a
//! page for every code and every rule, the validator and the changelog. All of it can be searched.
//!
//! All content comes from the service itself: the OpenAPI document, the codes, the tables of rules, the samples, and
//! the examples that tests run. The pages need neither table nor bucket, so the role of the function has no permissions
//! for them, and every cache may keep its answers. One script searches, remembers the reader's language and Sandbox key in
//! the browser, and calls operations; all text can be read without it. The validator takes a document of anybody, and keeps nothing of it.

/// Public for its test in `api/tests`.
pub(crate) mod answers;
mod codes;
mod examples;
mod feed;
mod fields;
mod guides;
mod highlight;
mod pages;
mod prose;
mod reference;
/// Public for its test in `api/tests`.
pub(crate) mod requests;
mod rules;
mod schemas;
mod search;
mod shown;
mod snippet;
#[cfg(test)]
mod tests;
mod validator;

use std::sync::OnceLock;

use askama::Template;
use axum::{
    Router,
    body::Bytes,
    extract::{self, DefaultBodyLimit, Path, Request, rejection::QueryRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use serde::Deserialize;

use self::pages::frame::Around;
use crate::{
    api::{DOCS, ERRORS_PAGE, RULES_PAGE, X_REQUEST_ID},
    i18n::Language,
    log::{self, HttpAnswer, RequestId},
    pages::{
        assets::{Asset, CSS, JAVASCRIPT, Look},
        security,
    },
    types::{Brand, sha256_hex},
};

/// How long every cache may keep a page; a new deployment is visible after this time. Then clients revalidate by `ETag`
/// (RFC 9111, section 5.2.2; RFC 9110, section 8.8.3).
const FOR_A_WHILE: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// The path of the validator.
const VALIDATOR: &str = "/docs/validator";
/// The folder of the assets.
const ASSETS: &str = "/docs/assets";

/// The look and the address of the documentation. A process has one, which its start decides.
static SHOWN: OnceLock<Shown> = OnceLock::new();

/// How the documentation looks.
#[derive(Debug)]
struct Shown {
    look: Look,
    style_sheet: Asset,
    script: Asset,
    /// The origin of the API, for the commands on the pages; `None` if the deployment does not know it.
    origin: Option<String>,
}

impl Shown {
    fn new(brand: &Brand, origin: Option<&str>) -> Self {
        let own = |extension, media_type, content: &'static str| {
            Asset::new(ASSETS, ("docs", extension), media_type, content.as_bytes())
        };
        Shown {
            look: Look::new(ASSETS, brand),
            style_sheet: own("css", CSS, include_str!("assets/docs.css")),
            script: own("js", JAVASCRIPT, include_str!("assets/docs.js")),
            origin: origin.map(str::to_owned),
        }
    }
}

/// The look of this process, or the general one before its start.
fn shown() -> &'static Shown {
    SHOWN.get_or_init(|| Shown::new(&Brand::default(), None))
}

/// The routes of the documentation of the API at an origin. Every other path gets a page that says "not found".
pub fn router(brand: &Brand, origin: Option<&str>) -> Router {
    SHOWN.get_or_init(|| Shown::new(brand, origin));
    let (errors, rules) = (format!("{DOCS}/{ERRORS_PAGE}"), format!("{DOCS}/{RULES_PAGE}"));
    Router::new()
        .route(DOCS, get(async || page(&pages::guides::Index::new(Language::English))))
        .route("/docs/ar", get(async || page(&pages::guides::Index::new(Language::Arabic))))
        .route("/docs/guides/{name}", get(async |name| guide(Language::English, name)))
        .route("/docs/ar/guides/{name}", get(async |name| guide(Language::Arabic, name)))
        .route("/docs/search", get(async |query| search(Language::English, query)))
        .route("/docs/ar/search", get(async |query| search(Language::Arabic, query)))
        .route("/docs/reference", get(async || page(&pages::reference::List::new())))
        .route("/docs/reference/{id}", get(operation))
        .route("/docs/reference/{id}/{object}", get(object))
        .route(&errors, get(async || page(&pages::errors::ErrorsPage::new())))
        .route(
            &format!("{errors}/{{code}}"),
            get(async |Path(code): Path<String>| pages::errors::of(&code).unwrap_or_else(nothing)),
        )
        .route(&rules, get(async || page(&pages::rules::Index::new())))
        .route(&format!("{rules}/samples"), get(async || page(&pages::rules::Samples::new())))
        .route(
            &format!("{rules}/{{name}}"),
            get(async |Path(name): Path<String>| pages::rules::of(&name).unwrap_or_else(nothing)),
        )
        .route(VALIDATOR, get(validator::show).post(validator::take))
        .layer(DefaultBodyLimit::max(validator::MAX_FORM))
        .route("/docs/changelog", get(async || page(&feed::Changelog::new())))
        .route("/docs/changelog.atom", get(feed::atom))
        .route("/docs/openapi.json", get(openapi))
        .route("/docs/assets/{name}", get(asset))
        .fallback(async || nothing())
        .layer(middleware::from_fn(finish))
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

fn guide(language: Language, Path(name): Path<String>) -> Response {
    pages::guides::of(language, &name).unwrap_or_else(nothing)
}

/// The words of a search.
#[derive(Deserialize)]
struct Query {
    #[serde(default)]
    q: String,
}

/// A query that cannot be read finds nothing.
fn search(language: Language, query: Result<extract::Query<Query>, QueryRejection>) -> Response {
    let query = query.map(|extract::Query(query)| query.q).unwrap_or_default();
    pages::search::of(language, &query)
}

async fn operation(Path(id): Path<String>) -> Response {
    pages::reference::ReferencePage::of(&id).map_or_else(nothing, |template| page(&template))
}

async fn object(Path((id, object)): Path<(String, String)>) -> Response {
    let template = pages::reference::ObjectPage::of(&id, &object);
    template.map_or_else(nothing, |template| page(&template))
}

async fn openapi() -> Response {
    let disposition = r#"inline; filename="openapi.json""#;
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CONTENT_DISPOSITION, disposition)];
    (headers, schemas::TEXT).into_response()
}

async fn asset(Path(name): Path<String>) -> Response {
    let (shown, path) = (shown(), format!("{ASSETS}/{name}"));
    let indices = Language::ALL.map(search::index);
    let own = [&shown.style_sheet, &shown.script].into_iter().chain(indices);
    let own = own.into_iter().find(|asset| asset.path == path);
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
    let answer = HttpAnswer { method: method.as_str(), path: &path, status, duration: None };
    log::request(&id).in_scope(|| answer.note(None));
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
