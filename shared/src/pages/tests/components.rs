//! A page with every part of the pages in every state. It is no page of the service: with `PAGES_DIR`, this test writes
//! it in both languages and themes, beside the other pages.

use askama::Template;
use axum::response::Response;

use super::{documents::looked_at, *};
use crate::pages::{Frame, Nav, PageError, PageRequest};

#[derive(Template)]
#[template(path = "components.html")]
struct Components<'a> {
    frame: Frame<'a>,
    path: String,
    id: &'static str,
    tones: [(&'static str, &'static str); 5],
}

async fn show(request: PageRequest) -> Result<Response, PageError> {
    let page = Components {
        frame: request.frame_in(Nav::Taxpayer, "Falcon Trading LLC"),
        path: request.path("/components"),
        id: "doc_01kb7d8s0gf3fz0c1m4r2t5v6w",
        tones: [
            ("good", "Delivered"),
            ("busy", "Sending"),
            ("warn", "Overdue"),
            ("bad", "Rejected"),
            ("", "Draft"),
        ],
    };
    request.page(StatusCode::OK, &page)
}

#[tokio::test]
async fn every_part_is_on_one_page_in_both_languages_and_themes() {
    let world = World::new().await;
    let router = Router::new().route("/sandbox/components", axum::routing::get(show));
    let mut browser = Browser::new(super::router(app(&world), router));
    for theme in ["light", "dark"] {
        let name = format!("components-{theme}");
        let path = format!("/sandbox/components?theme={theme}");
        let page = looked_at(&mut browser, &name, &path).await;
        assert_eq!(page.attribute("html ", "data-theme"), theme);
        for class in ["badge warn", "field-problem", "notice done", "timeline", "empty", "pager"] {
            assert!(page.body.contains(&format!("class=\"{class}\"")), "{class}");
        }
        // A long identifier is shown shortened, and can be copied whole.
        let short = "title=\"doc_01kb7d8s0gf3fz0c1m4r2t5v6w\">doc_01kb…5v6w</code>";
        assert!(page.body.contains(short), "{}", page.body);
    }
}
