//! Properties of all pages.

use std::collections::BTreeSet;

use askama::Template;
use axum::{Router, response::Response, routing::get};

use super::{documents::looked_at, *};
use crate::{
    error::{Code, Failure},
    i18n::{Language, tests::messages},
    pages::{Form, Frame, PageError, PageRequest, in_both_modes},
    types::{Brand, Logo, OpaqueToken, SeededRandom},
};

const TEMPLATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");

/// A page with a form, to test pages and forms in general.
#[derive(Template)]
#[template(
    ext = "html",
    source = "{% extends \"layout.html\" %}{% block title %}Probe{% endblock %}{% block content %}\
              <h1>{{ said }}</h1><form method=\"post\" action=\"{{ frame.path(\"/probe\") }}\">\
              <input type=\"hidden\" name=\"form_token\" value=\"{{ frame.form_token() }}\">\
              <input name=\"said\"></form>{% endblock %}"
)]
struct Probe<'a> {
    frame: Frame<'a>,
    said: &'a str,
}

async fn show(request: PageRequest) -> Result<Response, PageError> {
    let said = request.parameter("said")?.unwrap_or_default();
    request.page(StatusCode::OK, &Probe { frame: request.frame(), said: &said })
}

async fn say(form: Form) -> Result<Response, PageError> {
    let probe = Probe { frame: form.request.frame(), said: form.field("said") };
    form.request.page(StatusCode::OK, &probe)
}

async fn fails() -> PageError {
    Failure::new(Code::InternalError, "the inside").because("the table's secret name").into()
}

async fn panics() -> PageError {
    panic!("the inside")
}

async fn browser() -> (World, Browser) {
    let world = World::new().await;
    let router = in_both_modes(Router::new(), "/probe", get(show).post(say))
        .route("/fails", get(fails))
        .route("/breaks", get(panics));
    let browser = Browser::new(super::router(app(&world), router));
    (world, browser)
}

#[tokio::test]
async fn every_answer_keeps_itself_to_itself() {
    let (_world, mut browser) = browser().await;
    let style = browser.get("/probe").await.attribute("rel=\"stylesheet\"", "href");
    for path in ["/probe", "/sandbox/probe", "/nothing", "/fails", "/breaks", &style] {
        let given = browser.get(path).await;
        // ASVS 5, 3.4.3 and 3.4.6.
        let policy = given.header("content-security-policy");
        for directive in [
            "default-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.split("; ").any(|found| found == directive), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && policy.contains("; script-src 'self'; "), "{policy}");
        // ASVS 5, 3.4.1: a year at least, for all subdomains.
        let strict = given.header("strict-transport-security");
        assert_eq!(strict, "max-age=63072000; includeSubDomains");
        assert_eq!(given.header("x-content-type-options"), "nosniff");
        assert_eq!(given.header("referrer-policy"), "no-referrer");
        assert_eq!(given.header("cross-origin-opener-policy"), "same-origin");
        // ASVS 5, 3.4.2; RFC 9700, section 2.1: no CORS on pages for people.
        assert_eq!(given.header("access-control-allow-origin"), "");
        assert!(!given.header("x-request-id").is_empty());
        let is_asset = path == style;
        let caching = if is_asset { "public, max-age=31536000, immutable" } else { "no-store" };
        assert_eq!(given.header("cache-control"), caching, "{path}");
        // The one script is a file.
        let scripts = given.body.matches("<script").count();
        assert_eq!(scripts, given.body.matches("<script src=\"/assets/portal-").count());
        assert!(!given.body.contains("style=\""));
    }
}

#[tokio::test]
async fn an_asset_is_found_by_its_own_hash_alone_and_leaves_no_cookie() {
    let (_world, mut browser) = browser().await;
    let page = browser.get("/probe").await;
    let mut stranger = Browser { cookies: BTreeMap::new(), ..browser.clone() };
    for (mark, attribute, media_type) in [
        ("rel=\"stylesheet\"", "href", "text/css; charset=utf-8"),
        ("script ", "src", "text/javascript; charset=utf-8"),
        ("rel=\"icon\"", "href", "image/svg+xml"),
    ] {
        let path = page.attribute(mark, attribute);
        let asset = stranger.get(&path).await;
        assert_eq!((asset.status, asset.header("content-type")), (StatusCode::OK, media_type));
        assert!(asset.set_cookies().is_empty());
        let other = path.replace('-', "-0");
        assert_eq!(stranger.get(&other).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn the_language_is_what_was_chosen_or_kept_or_is_preferred() {
    let (_world, mut browser) = browser().await;
    let language =
        |given: &Given| (given.attribute("html ", "lang"), given.attribute("html ", "dir"));
    let (english, arabic) = (("en", "ltr"), ("ar", "rtl"));
    let is = |given: &Given, (lang, dir): (&str, &str)| {
        assert_eq!(language(given), (lang.to_owned(), dir.to_owned()));
    };
    browser.language = "ar-AE, en;q=0.5";
    is(&browser.get("/probe").await, arabic);
    is(&browser.get("/probe?lang=en").await, english);
    is(&browser.get("/sandbox/probe").await, english);
    is(&browser.get("/probe?lang=xx").await, english);
    // The same page in the other language, with the same parameters.
    let page = browser.get("/probe?said=a%26b&lang=en").await;
    let link = page.attribute("hreflang=\"ar\"", "href");
    assert_eq!(link, "/probe?said=a%26b&lang=ar");
    let page = browser.get(&link).await;
    is(&page, arabic);
    assert!(page.text().contains("a&#38;b"), "{}", page.text());
    is(&browser.get("/nothing").await, arabic);
}

#[tokio::test]
async fn the_theme_is_what_was_chosen_or_kept_or_that_of_the_system() {
    let (_world, mut browser) = browser().await;
    let theme = |given: &Given| {
        (given.attribute("html ", "data-theme"), given.attribute("color-scheme", "content"))
    };
    let is = |given: &Given, (name, scheme): (&str, &str)| {
        assert_eq!(theme(given), (name.to_owned(), scheme.to_owned()));
    };
    let (system, dark) = (("system", "light dark"), ("dark", "dark"));
    is(&browser.get("/probe").await, system);
    is(&browser.get("/probe?theme=dark").await, dark);
    is(&browser.get("/sandbox/probe").await, dark);
    is(&browser.get("/probe?theme=%22onload").await, dark);
    is(&browser.get("/probe?theme=light").await, ("light", "light"));
    is(&browser.get("/probe?theme=system").await, system);
    is(&browser.get("/probe").await, system);
}

#[tokio::test]
async fn the_service_has_the_name_the_colour_and_the_logo_of_its_operator() {
    let world = World::new().await;
    let brand = Brand {
        name: Some("Falcon <e-Invoicing>".to_owned()),
        accent: "#7c3aed".parse().unwrap(),
        logo: Some(Logo::Svg(b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec())),
    };
    let portal = crate::service::Portal { brand, ..world.portal(ORIGIN) };
    let mut browser = Browser::new(super::router(std::sync::Arc::new(portal), Router::new()));
    for language in ["en", "ar"] {
        let page = browser.get(&format!("/sign-in?lang={language}")).await;
        assert!(page.text().contains("Falcon &#60;e-Invoicing&#62;"), "{}", page.body);
    }
    let page = browser.get("/sign-in").await;
    let style = browser.get(&page.attribute("rel=\"stylesheet\"", "href")).await;
    assert!(style.body.contains("--accent: light-dark(#7c3aed, "));
    let icon = browser.get(&page.attribute("rel=\"icon\"", "href")).await;
    assert!(icon.body.contains("#7c3aed"));
    let logo = browser.get(&page.attribute("img ", "src")).await;
    assert_eq!((logo.status, logo.header("content-type")), (StatusCode::OK, "image/svg+xml"));
    assert!(logo.header("content-security-policy").starts_with("default-src 'none'"));
}

#[tokio::test]
async fn live_and_sandbox_are_told_apart_by_words() {
    let (_world, mut browser) = browser().await;
    for language in ["en", "ar"] {
        let [live, sandbox] =
            ["/probe", "/sandbox/probe"].map(|path| format!("{path}?lang={language}"));
        let (live, sandbox) = (browser.get(&live).await, browser.get(&sandbox).await);
        let words = |name| crate::i18n::text(Language::of_tag(language).unwrap(), name, &[]);
        assert!(live.text().contains(&words("live-banner")));
        assert!(!live.text().contains(&words("sandbox-banner")));
        assert!(sandbox.text().contains(&words("sandbox-banner")));
        assert!(sandbox.body.contains("action=\"/sandbox/probe\""));
    }
    let other = browser.get("/sandboxes/probe").await;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
    assert!(other.body.contains("mode-live"));
}

#[tokio::test]
async fn errors_are_pages_that_tell_nothing_of_the_inside() {
    let (_world, mut browser) = browser().await;
    for (path, status) in [("/nothing", 404), ("/fails", 500), ("/breaks", 500)] {
        let given = browser.get(path).await;
        assert_eq!(given.status.as_u16(), status);
        assert!(given.text().contains(given.header("x-request-id")));
        // No dead end.
        let links = given.links();
        assert!(["/", "/docs"].iter().all(|it| links.contains(&(*it).to_owned())), "{links:?}");
        for word in ["inside", "secret", "panic"] {
            assert!(!given.body.contains(word), "{path}: {word}");
        }
    }
    // So it is in the other mode, and where a person is no member of an organization.
    let absent = browser.get("/sandbox/nothing").await;
    assert!(absent.links().contains(&"/sandbox".to_owned()), "{:?}", absent.links());
    let given = browser.post("/fails", &[]).await;
    assert_eq!((given.status.as_u16(), given.header("allow")), (405, "GET,HEAD"));
    assert!(given.text().contains("This page does not support that action"));
}

// ASVS 5, 3.2.2: "Verify that content intended to be displayed as text, rather than rendered as HTML, is handled using
// safe rendering functions".
#[tokio::test]
async fn what_somebody_wrote_is_shown_as_text() {
    let (_world, mut browser) = browser().await;
    let page = browser.get("/probe?said=%3Cscript%3Ealert(1)%3C/script%3E%22%27").await;
    assert!(!page.body.contains("<script>"), "{}", page.body);
    let written = browser.submit(&page, "/probe", &[("said", "<img src=x onerror=\"1\">")]).await;
    assert_eq!(written.status, StatusCode::OK);
    assert!(!written.body.contains("<img src=x"), "{}", written.body);
    for doubled in ["/probe?said=a&said=b", "/probe?said=a&%73aid=a"] {
        assert_eq!(browser.get(doubled).await.status, StatusCode::BAD_REQUEST);
    }
}

// ASVS 5, 3.5.1: "Verify that CORS-safelisted requests to sensitive functionality are checked to ensure that they
// originate from the application itself. This may be done by using and validating anti-forgery tokens".
#[tokio::test]
async fn a_form_that_another_page_or_browser_made_is_refused() {
    let (_world, mut browser) = browser().await;
    let page = browser.get("/probe").await;
    let mine = page.hidden("/probe").remove(0).1;
    assert_eq!(browser.post("/probe", &[("form_token", &mine)]).await.status, StatusCode::OK);
    let mut other = Browser { cookies: BTreeMap::new(), ..browser.clone() };
    let theirs = other.get("/probe").await.hidden("/probe").remove(0).1;
    let cut = &mine[..42];
    for token in ["", "x", cut, &theirs, &format!("{mine}A")] {
        let given = browser.post("/probe", &[("form_token", token)]).await;
        assert_eq!(given.status, StatusCode::FORBIDDEN, "{token}");
        assert!(given.text().contains("We did not process this request"));
    }
    assert_eq!(browser.post("/probe", &[]).await.status, StatusCode::FORBIDDEN);
    // A browser without cookies, and one with a newer session.
    let mut forgetful = Browser { cookies: BTreeMap::new(), ..browser.clone() };
    let given = forgetful.post("/probe", &[("form_token", &mine)]).await;
    assert_eq!(given.status, StatusCode::FORBIDDEN);
    let mut signed_in = browser.clone();
    let session = OpaqueToken::generate(&SeededRandom::new(2)).reveal().to_owned();
    signed_in.cookies.insert("__Host-session".to_owned(), session);
    let given = signed_in.post("/probe", &[("form_token", &mine)]).await;
    assert_eq!(given.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn where_a_form_comes_from_is_looked_at_where_the_browser_says_so() {
    let (_world, mut browser) = browser().await;
    let page = browser.get("/probe").await;
    let cases: [(&[(&str, &str)], bool); 9] = [
        (&[], true),
        (&[("sec-fetch-site", "same-origin")], true),
        (&[("origin", ORIGIN), ("sec-fetch-site", "same-origin")], true),
        // Browsers send this for pages with Referrer-Policy: no-referrer.
        (&[("origin", "null"), ("sec-fetch-site", "same-origin")], true),
        (&[("sec-fetch-site", "cross-site")], false),
        (&[("sec-fetch-site", "same-site")], false),
        (&[("origin", "https://evil.example")], false),
        (&[("origin", "http://portal.example.com")], false),
        (&[("origin", "https://portal.example.com.evil.example")], false),
    ];
    for (headers, good) in cases {
        browser.headers = headers
            .iter()
            .map(|(name, value)| {
                let leak = |text: &str| &*text.to_owned().leak();
                (leak(name), leak(value))
            })
            .collect();
        let given = browser.submit(&page, "/probe", &[]).await;
        assert_eq!(given.status == StatusCode::OK, good, "{headers:?}");
    }
}

#[tokio::test]
async fn a_form_has_its_media_type_and_size_and_each_field_once() {
    let (_world, mut browser) = browser().await;
    let page = browser.get("/probe").await;
    let large = "x".repeat(crate::pages::MAX_BYTES);
    let given = browser.submit(&page, "/probe", &[("said", &large)]).await;
    assert_eq!(given.status, StatusCode::PAYLOAD_TOO_LARGE);
    let given = browser.submit(&page, "/probe", &[("said", "a"), ("said", "a")]).await;
    assert_eq!(given.status, StatusCode::BAD_REQUEST);
    let token = page.hidden("/probe").remove(0).1;
    let doubled = browser.submit(&page, "/probe", &[("form_token", &token)]).await;
    assert_eq!(doubled.status, StatusCode::BAD_REQUEST);
    let request = Request::post("/probe").header(header::CONTENT_TYPE, "application/json");
    let request = request.body(Body::from("{}")).unwrap();
    let response = browser.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

// ASVS 5, 3.3.1 to 3.3.4; what each cookie must have is looked at by the browser of these tests.
#[tokio::test]
async fn a_browser_is_known_by_one_cookie_that_stays() {
    let (_world, mut browser) = browser().await;
    browser.get("/probe").await;
    let first = browser.cookies["__Host-browser"].clone();
    assert!(first.parse::<OpaqueToken>().is_ok());
    assert!(browser.get("/sandbox/probe").await.set_cookies().is_empty());
    browser.cookies.insert("__Host-browser".to_owned(), "planted".to_owned());
    browser.get("/probe").await;
    assert_ne!(browser.cookies["__Host-browser"], "planted");
    assert_ne!(browser.cookies["__Host-browser"], first);
}

fn templates() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(TEMPLATES)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                // Code for integrators, which pages show as text; views of documents, which are not pages; and the
                // documentation, which has its own tests.
                true if ["verify", "rendering", "docs"].iter().any(|name| path.ends_with(name)) => {
                }
                true => folders.push(path),
                false => found.push((
                    path.strip_prefix(TEMPLATES).unwrap().display().to_string(),
                    std::fs::read_to_string(&path).unwrap(),
                )),
            }
        }
    }
    found
}

#[test]
fn every_message_that_a_template_names_is_there() {
    let known: BTreeSet<_> = messages(Language::English).into_keys().collect();
    for (name, template) in templates() {
        for call in ["t(\"", "t_text(\"", "t_count(\""] {
            for part in template.split(&format!(".{call}")).skip(1) {
                let message = part.split('"').next().unwrap();
                assert!(known.contains(message), "{name}: {message}");
            }
        }
    }
}

// WCAG 2.2, 1.3.1, 2.4.1, 2.4.2, 2.4.6, 3.1.1, 3.3.2.
#[test]
fn every_page_has_its_title_one_heading_and_labels_and_every_form_its_token() {
    for (name, template) in templates() {
        if name == "layout.html" {
            assert_eq!(template.matches("<script").count(), 1);
            for mark in [
                "lang=\"",
                "<title>",
                "class=\"skip\" href=\"#content\"",
                "<header>",
                "<main id=\"content\"",
                "<footer>",
                "<nav aria-label=",
            ] {
                assert!(template.contains(mark), "{mark}");
            }
        } else if !name.starts_with("mail")
            && !name.starts_with("rendering")
            && name != "parts.html"
        {
            // The view of a document is not a page of the portal.
            assert!(template.contains("{% extends \"layout.html\" %}"), "{name}");
            assert!(template.contains("{% block title %}"), "{name}");
            assert_eq!(template.matches("<h1>").count(), 1, "{name}");
            assert!(!template.contains("<h3") || template.contains("<h2"), "{name}");
        }
        let forms = template.matches("<form method=\"post\"").count();
        // A search changes nothing, and its address can be bookmarked.
        let searches = template.matches("<form method=\"get\"").count();
        assert_eq!(template.matches("<form").count(), forms + searches, "{name}");
        assert_eq!(template.matches("name=\"form_token\"").count(), forms, "{name}");
        for input in template.split("<input ").skip(1).map(|rest| rest.split('>').next().unwrap()) {
            if !input.contains("type=\"hidden\"") {
                let id = input.split_once("id=\"").unwrap().1.split('"').next().unwrap();
                assert!(template.contains(&format!("for=\"{id}\"")), "{name}: {id}");
            }
        }
        // Mail programs read styles in the mail alone.
        let is_mail = name.starts_with("mail");
        let forbidden = ["|safe", "<script>", "onclick", "http://"].into_iter();
        for forbidden in forbidden.chain((!is_mail).then_some("style=\"")) {
            assert!(!template.contains(forbidden), "{name}: {forbidden}");
        }
    }
}

/// Typed paths lead to a start page.
#[tokio::test]
async fn the_root_and_its_namesakes_lead_to_signing_in_or_to_the_own_overview() {
    let (_world, mut browser) = browser().await;
    for (path, to) in [("/", "/sign-in"), ("/sandbox", "/sandbox/sign-in")] {
        let front = looked_at(&mut browser, "front", path).await;
        for link in [to, "/docs"] {
            assert!(front.links().contains(&link.to_owned()), "{path}: {:?}", front.links());
        }
    }
    for (path, to) in [("/login", "/sign-in"), ("/sandbox/login", "/sandbox/sign-in")] {
        assert_eq!(browser.get(path).await.location(), to);
        assert_eq!(browser.get(to).await.status, StatusCode::OK);
    }
    let front = browser.get("/?lang=ar").await;
    assert!(front.links().contains(&"/docs/ar".to_owned()), "{:?}", front.links());
    // API Gateway forwards only the routes of the template.
    let template = include_str!("../../../../template.yaml");
    for path in ["/", "/sandbox", "/login", "/favicon.ico", "/sandbox/{page+}"] {
        assert!(template.contains(&format!("Method: ANY, Path: \"{path}\"")), "{path}");
    }
    let icon = browser.get("/favicon.ico").await.location().to_owned();
    assert_eq!(browser.get(&icon).await.header("content-type"), "image/svg+xml");
    let mut scene = super::sign_in::Scene::new().await;
    let link = scene.link().await;
    scene.press(&link).await;
    assert_eq!(scene.browser.get("/sandbox").await.location(), "/sandbox/account");
}
