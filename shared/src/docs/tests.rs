//! Tests of the documentation through its router.

use std::collections::{BTreeMap, BTreeSet};

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode},
};
use tower::ServiceExt;

use super::{reference::OPERATIONS, router, shown};
use crate::{
    access::PresentedKey,
    environment::Environment,
    i18n::{self, Language},
    types::{Brand, Colour, Mode, contrast},
};

pub(super) struct Answer {
    pub(super) status: StatusCode,
    headers: HeaderMap,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}")).to_str().unwrap()
    }
}

async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(request.body(Body::empty()).unwrap()).await
}

/// What the documentation answers.
pub(super) async fn answer(request: Request<Body>) -> Answer {
    let (head, body) = router(&Brand::default(), None).oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    Answer {
        status: head.status,
        headers: head.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

async fn get(path: &str) -> Answer {
    ask(Method::GET, path, &[]).await
}

/// All pages: those of the sections, and all pages that they link to.
async fn pages() -> Vec<(String, Answer)> {
    let mut known: BTreeSet<String> = BTreeSet::from(["/docs".to_owned()]);
    let mut open: Vec<String> = known.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        let answer = get(&path).await;
        for (link, _) in links(&answer.body) {
            if link.starts_with("/docs") && known.insert(link.clone()) {
                open.push(link);
            }
        }
        found.push((path, answer));
    }
    found
}

/// The links of a page: path and fragment.
fn links(html: &str) -> Vec<(String, String)> {
    let targets = ["href=\"", "src=\""].iter().flat_map(|start| html.split(*start).skip(1));
    let targets = targets.filter_map(|rest| rest.split('"').next());
    let parts = targets.map(|target| target.split_once('#').unwrap_or((target, "")));
    parts.map(|(path, anchor)| (path.to_owned(), anchor.to_owned())).collect()
}

#[tokio::test]
async fn every_link_leads_to_a_page_and_every_anchor_to_a_place_of_it() {
    let pages = pages().await;
    assert!(pages.len() > OPERATIONS.len() + 500, "{}", pages.len());
    let find = |path: &str| pages.iter().find(|(found, _)| found == path).map(|(_, page)| page);
    for (path, page) in &pages {
        assert_eq!(page.status, StatusCode::OK, "{path}");
        for (link, anchor) in links(&page.body) {
            // Only links lead to other sites, to explanations there. Another function serves the portal, at the same
            // address.
            let is_portal = ["/sign-in", "/sandbox/sign-in", "/status"].contains(&link.as_str());
            assert!(
                link.is_empty()
                    || link.starts_with("/docs")
                    || link.starts_with("https://")
                    || is_portal,
                "{path}: {link}"
            );
            let target = if link.is_empty() { Some(page) } else { find(&link) };
            if let Some(target) = target.filter(|_| !anchor.is_empty()) {
                let place = format!("id=\"{anchor}\"");
                assert_eq!(target.body.matches(&place).count(), 1, "{path}: {link}#{anchor}");
            }
        }
    }
}

#[tokio::test]
async fn a_page_has_one_heading_and_nothing_that_its_policy_forbids() {
    for (path, page) in pages().await {
        if !page.header("content-type").starts_with("text/html") {
            continue;
        }
        assert_eq!(page.body.matches("<h1").count(), 1, "{path}");
        let language =
            if path.starts_with("/docs/ar") { "ar\" dir=\"rtl" } else { "en\" dir=\"ltr" };
        assert!(page.body.contains(&format!("<html lang=\"{language}\"")), "{path}");
        for forbidden in [" style=\"", "<style", " onclick=", "<script>", "src=\"http"] {
            assert!(!page.body.contains(forbidden), "{path}: {forbidden}");
        }
        // Each id is unique; otherwise an anchor would lead to the wrong place.
        let ids: Vec<_> =
            page.body.split(" id=\"").skip(1).map(|rest| rest.split('"').next()).collect();
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{path}");
    }
}

#[tokio::test]
async fn all_may_keep_a_page_and_ask_whether_it_is_still_the_same() {
    for path in ["/docs", "/docs/rules", "/docs/openapi.json"] {
        let page = get(path).await;
        assert_eq!(page.header("cache-control"), "public, max-age=300", "{path}");
        let tag = page.header("etag").to_owned();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()]
        {
            let again = ask(Method::GET, path, &[("if-none-match", &known)]).await;
            assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
            assert_eq!(again.header("etag"), tag);
        }
        let other = ask(Method::GET, path, &[("if-none-match", "\"other\"")]).await;
        assert_eq!(other.status, StatusCode::OK, "{path}");
        assert!(page.headers.get("set-cookie").is_none());
    }
    let asset = get(&shown().style_sheet.path).await;
    assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
    assert!(asset.header("content-type").starts_with("text/css"));
}

#[tokio::test]
async fn every_answer_keeps_itself_to_itself() {
    for path in [
        "/docs",
        "/docs/nothing",
        "/docs/openapi.json",
        "/docs/reference/send_invoice",
        "/elsewhere",
    ] {
        let page = get(path).await;
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        // Its script calls only the service.
        assert!(policy.ends_with("; connect-src 'self'"), "{policy}");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert!(page.header("strict-transport-security").contains("includeSubDomains"));
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_page_and_what_cannot_be_done_is_refused() {
    for path in [
        "/docs/nothing",
        "/docs/guides/nothing",
        "/docs/reference/nothing",
        "/docs/assets/x",
        "/docs/",
    ] {
        let page = get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.body.contains("There is no such page"), "{path}");
        assert_eq!(page.header("cache-control"), "no-store");
    }
    let refused = ask(Method::POST, "/docs", &[]).await;
    assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED);
    let head = ask(Method::HEAD, "/docs", &[]).await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
}

#[tokio::test]
async fn the_document_is_given_as_it_is() {
    let given = get("/docs/openapi.json").await;
    assert_eq!(given.header("content-type"), "application/json");
    assert_eq!(given.body, include_str!("../../openapi.json"));
}

/// Bytes that a page may have.
const LARGEST: usize = 50 * 1024;
/// With `PAGES_DIR`, writes all pages there, to be looked at.
fn look_at(pages: &[(String, Answer)]) {
    if let Some(folder) = Environment::of_process().get("PAGES_DIR") {
        for (path, page) in pages {
            let name = path.trim_start_matches('/').replace('/', "_");
            std::fs::write(format!("{folder}/{name}"), &page.body).unwrap();
        }
    }
}

#[tokio::test]
async fn every_page_is_small() {
    let pages = pages().await;
    look_at(&pages);
    let pages =
        pages.iter().filter(|(_, page)| page.header("content-type").starts_with("text/html"));
    let large = pages.filter(|(_, page)| page.body.len() > LARGEST);
    let large: Vec<_> = large.map(|(path, page)| (path, page.body.len())).collect();
    assert!(large.is_empty(), "{large:?}");
}

#[tokio::test]
async fn every_page_leads_to_the_portal_and_guides_name_its_places_as_it_does() {
    for (path, page) in pages().await {
        if page.header("content-type").starts_with("text/html") {
            for portal in ["/sign-in", "/sandbox/sign-in"] {
                assert!(page.body.contains(&format!("href=\"{portal}\"")), "{path}: {portal}");
            }
        }
    }
    let name = |message| i18n::text(Language::English, message, &[]);
    for (guide, places) in [
        ("connect", ["nav-developer", "clients-title", "connected-title"]),
        ("authentication", ["nav-developer", "keys-title", "keys-title"]),
    ] {
        let page = get(&format!("/docs/guides/{guide}")).await;
        for place in places {
            assert!(page.body.contains(&name(place)), "{guide}: {}", name(place));
        }
    }
}

#[tokio::test]
async fn the_search_answers_by_a_page_that_no_cache_keeps() {
    for (query, expected) in [
        ("", "Write what you search for"),
        ("?q=", "Write what you search for"),
        ("?q=validation_failed", "href=\"/docs/errors/validation_failed\""),
        ("?q=nothing+has+these+words", "Nothing was found"),
        ("?q=%3Cb%3E", "value=\"&#60;b&#62;\""),
        ("?q=%ff", ""),
        ("?q=a&q=b", "Write what you search for"),
        ("?q=a", "The page shows the first"),
    ] {
        let page = get(&format!("/docs/search{query}")).await;
        assert_eq!(page.status, StatusCode::OK, "{query}");
        assert_eq!(page.header("cache-control"), "no-store");
        let body = page.body.replace(['\u{2068}', '\u{2069}'], "");
        assert!(body.contains(expected), "{query}: {body}");
    }
    let arabic = get("/docs/ar/search?q=UBL").await;
    assert!(arabic.body.contains("dir=\"rtl\"") && arabic.body.contains("/docs/ar/guides/"));
    let index = get(&super::search::index(Language::English).path).await;
    assert_eq!(index.header("content-type"), "application/json");
    assert_eq!(index.header("cache-control"), "public, max-age=31536000, immutable");
}

#[tokio::test]
async fn a_guide_leads_to_itself_in_the_other_language() {
    for (path, other) in [
        ("/docs/guides/webhooks", "/docs/ar/guides/webhooks"),
        ("/docs/ar/guides/webhooks", "/docs/guides/webhooks"),
        ("/docs", "/docs/ar"),
        ("/docs/reference", "/docs/ar"),
        ("/docs/ar", "/docs"),
    ] {
        let link = format!("<a href=\"{other}\" lang=");
        assert!(get(path).await.body.contains(&link), "{path}");
        let current = format!("href=\"{path}\" aria-current=\"page\"");
        let is_marked = get(path).await.body.contains(&current);
        assert_eq!(is_marked, !["/docs", "/docs/ar"].contains(&path), "{path}");
    }
}

#[tokio::test]
async fn the_anchors_of_earlier_links_are_still_there() {
    let rules = get("/docs/rules").await.body;
    for (page, anchor) in [(&rules, "AP-JSON-code"), (&rules, "ibr-187-ae"), (&rules, "samples")] {
        assert_eq!(page.matches(&format!("id=\"{anchor}\"")).count(), 1, "{anchor}");
    }
    let errors = get("/docs/errors").await.body;
    assert!(errors.contains("id=\"validation_failed\""));
    // Findings about the structure name this rule, which is a family here.
    assert_eq!(get("/docs/rules/xml-schema").await.status, StatusCode::OK);
}

// WCAG 2.2, 1.4.3.
#[test]
fn every_colour_of_code_stands_out() {
    let style = include_str!("assets/docs.css");
    let colours: BTreeMap<&str, Colour> = style
        .lines()
        .filter_map(|line| line.trim().strip_prefix("--code")?.strip_suffix(';')?.split_once(": "))
        .filter_map(|(name, colour)| Some((name, colour.parse().ok()?)))
        .collect();
    assert_eq!(colours.len(), 9);
    for name in ["-ink", "-soft", "-key", "-text", "-number", "-word", "-own"] {
        let ratio = contrast(colours[name], colours[""]);
        assert!(ratio >= 4.5, "{name}: {ratio:.2}");
    }
}

#[test]
fn the_scripts_call_only_the_service_and_agree_on_the_name_of_the_key() {
    let script = include_str!("assets/docs.js");
    let portal = include_str!("../pages/assets/portal.js");
    for part in ["http:", "https:", "eval", "innerHTML", "cookie ="] {
        assert!(!script.contains(part), "{part}");
    }
    for name in ["\"docs-key\"", "\"docs-taxpayer\""] {
        assert!(script.contains(name) && portal.contains(name), "{name}");
    }
}

#[test]
fn the_script_takes_keys_of_the_sandbox_alone() {
    let script = include_str!("assets/docs.js");
    let (_, rest) = script.split_once("const SANDBOX = \"").unwrap();
    let prefix = rest.split('"').next().unwrap();
    let key = PresentedKey::parse(&format!("{prefix}{}", "a".repeat(43))).unwrap();
    assert_eq!(key.mode(), Mode::Sandbox);
}
