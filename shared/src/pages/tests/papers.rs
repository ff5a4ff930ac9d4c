//! Logos of businesses, and the verification of their papers.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use base64::{Engine, engine::general_purpose::STANDARD};
use image::{ImageFormat, Rgb, RgbImage};

use super::{
    documents::{Scene, looked_at},
    organization, timeline, *,
};
use crate::{
    access::{Action, Actor, AuditRecord, Role, Scope, Taxpayer, Trail},
    service::{logos, verification},
    store::{
        Direction, DocumentRecord, Reporting, Status, TaxReportOutcome, TaxReportStatus, keys::Key,
    },
    types::Mode,
};

const LOGOS: &str = "/sandbox/organization/logos";
const LOGO: &str = "/sandbox/account/business/logo";
const REMOVE: &str = "/sandbox/account/business/logo/remove";
const PICTURE: &str = "/sandbox/account/business/logo.png";

/// A picture of one colour.
fn picture(red: u8, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    RgbImage::from_pixel(300, 90, Rgb([red, 40, 40])).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn logos_of(world: &World) -> Vec<String> {
    world.cloud.objects().into_iter().filter(|key| key.contains("/logos/")).collect()
}

fn only(keys: Vec<String>) -> String {
    let [key] = <[String; 1]>::try_from(keys).unwrap();
    key
}

/// The logo in a view, as PNG.
fn logo_in(view: &Given) -> Option<Vec<u8>> {
    let (_, rest) = view.body.split_once("src=\"data:image/png;base64,")?;
    Some(STANDARD.decode(rest.split('"').next().unwrap()).unwrap())
}

#[tokio::test]
async fn a_business_uploads_replaces_and_removes_its_logo() {
    let mut scene = Scene::new().await;
    let id = scene.send("INV-1", "Oasis Supplies FZE").await;
    let view = format!("/sandbox/documents/{id}/view");
    let browser = &mut scene.browser;
    assert_eq!(logo_in(&browser.get(&view).await), None);
    let business = browser.get("/sandbox/account/business").await;
    assert!(business.body.contains(LOGO) && business.text().contains("Upload logo"));
    assert_eq!(browser.get(PICTURE).await.status, StatusCode::NOT_FOUND);

    let page = looked_at(browser, "logo-none", LOGO).await;
    let red = picture(200, ImageFormat::Jpeg);
    let saved = browser.upload(&page, LOGO, &[], ("logo.svg", &red)).await;
    assert_eq!(saved.location(), format!("{LOGO}?done=saved"));
    let page = looked_at(browser, "logo", &format!("{LOGO}?done=saved")).await;
    assert!(page.text().contains("The logo was saved"), "{}", page.text());
    assert_eq!(page.attribute("class=\"own-logo\"", "src"), PICTURE);
    let shown = browser.get(PICTURE).await;
    assert_eq!((shown.status, shown.header(CONTENT_TYPE)), (StatusCode::OK, "image/png"));
    assert_eq!(shown.header(CACHE_CONTROL), "no-store");
    let first = only(logos_of(&scene.world));
    let folder = format!("/logos/sandbox/{}/", scene.falcon.taxpayer_id);
    assert!(first.contains(&folder), "{first}");
    // Lifecycle rules remove what begins with a mode; a logo stays as long as it is in use.
    assert!(first.starts_with("/payloads/logos/"), "{first}");
    let of_first = logo_in(&browser.get(&view).await).unwrap();
    assert!(of_first.starts_with(b"\x89PNG"));

    // The second picture takes the place of the first one, whose object is gone.
    let blue = picture(20, ImageFormat::Png);
    browser.upload(&page, LOGO, &[], ("logo.png", &blue)).await.location();
    let second = only(logos_of(&scene.world));
    assert_ne!(second, first);
    assert_ne!(logo_in(&browser.get(&view).await).unwrap(), of_first);

    let removed = browser.submit(&page, REMOVE, &[]).await;
    assert_eq!(removed.location(), format!("{LOGO}?done=removed"));
    assert!(logos_of(&scene.world).is_empty());
    assert_eq!(logo_in(&browser.get(&view).await), None);
    assert!(browser.get(&view).await.body.contains("class=\"tile\""));
}

#[tokio::test]
async fn a_file_that_is_no_logo_is_refused_at_its_field_in_both_languages() {
    let mut scene = Scene::new().await;
    let browser = &mut scene.browser;
    let page = browser.get(LOGO).await;
    let wide = {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = RgbImage::new(logos::MAX_SIDE + 1, 1);
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    };
    let png = picture(9, ImageFormat::Png);
    for (file, english, arabic) in [
        (Vec::new(), "Select a picture.", "اختر صورة."),
        (b"<svg/>".to_vec(), "neither PNG nor JPEG", "ليس PNG ولا JPEG"),
        (vec![0; logos::MAX_UPLOAD + 1], "more than 1 MB", "أكبر من 1 ميغابايت"),
        (wide, "too many pixels", "كبير جدًا"),
        (png[..60].to_vec(), "damaged", "تالفة"),
    ] {
        for (language, text) in [("en", english), ("ar", arabic)] {
            browser.language = language;
            let refused = browser.upload(&page, LOGO, &[], ("logo.png", &file)).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{text}");
            assert!(refused.text().contains(text), "{text}: {}", refused.text());
            assert_eq!(
                refused.attribute("id=\"file\"", "aria-describedby"),
                "file-problem file-hint"
            );
        }
    }
    assert!(logos_of(&scene.world).is_empty());
    scene.browser.language = "en";
    for _ in 0..logos::CHANGES.most {
        scene.browser.upload(&page, LOGO, &[], ("logo.png", &png)).await;
    }
    let often = scene.browser.upload(&page, LOGO, &[], ("logo.png", &png)).await;
    assert_eq!(often.status, StatusCode::TOO_MANY_REQUESTS);
}

/// An organization needs the scope `invoices:write`, and a member the permission to develop.
#[tokio::test]
async fn an_organization_that_may_send_for_a_business_sets_its_logo_and_both_find_it_in_their_trails()
 {
    let scene = organization::Scene::new().await;
    let world = &scene.world;
    let falcon = world.onboarded("Falcon", "1001234501").await;
    let oasis = world.onboarded("Oasis", "1009876543").await;
    world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead, Scope::InvoicesWrite]).await;
    world.grant(&scene.id, &oasis, &[Scope::TaxpayerRead, Scope::InvoicesRead]).await;
    let of = |taxpayer: &Taxpayer| format!("{LOGOS}/{}", taxpayer.taxpayer_id);
    let business =
        |taxpayer: &Taxpayer| format!("/sandbox/organization/taxpayers/{}", taxpayer.taxpayer_id);
    let mut browser = scene.browser(Role::Developer).await;
    assert!(browser.get(&business(&falcon)).await.body.contains(&of(&falcon)));
    assert!(!browser.get(&business(&oasis)).await.body.contains(&of(&oasis)), "it may only read");
    assert_eq!(browser.get(&of(&oasis)).await.status, StatusCode::NOT_FOUND);
    let mut viewer = scene.browser(Role::Viewer).await;
    assert_eq!(viewer.get(&of(&falcon)).await.status, StatusCode::FORBIDDEN);

    let page = looked_at(&mut browser, "organization-logo-none", &of(&falcon)).await;
    let set = format!("{LOGOS}/replace");
    let wrong = browser.upload(&page, &set, &[], ("logo.svg", b"<svg/>")).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.text().contains("neither PNG nor JPEG"), "{}", wrong.text());
    let saved = browser.upload(&page, &set, &[], ("logo.png", picture(9, ImageFormat::Png))).await;
    assert_eq!(saved.location(), format!("{}?done=saved", of(&falcon)));
    let page = looked_at(&mut browser, "organization-logo", &of(&falcon)).await;
    let shown = browser.get(&page.attribute("class=\"own-logo\"", "src")).await;
    assert_eq!((shown.status, shown.header(CONTENT_TYPE)), (StatusCode::OK, "image/png"));
    // Another business cannot be named in the form.
    let hidden = page.hidden(&set);
    let token = hidden.iter().find(|(name, _)| name == "form_token").unwrap();
    let forged = [("form_token", token.1.as_str()), ("taxpayer", oasis.taxpayer_id.as_str())];
    let refused = browser.post(&format!("{LOGOS}/remove"), &forged).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    let removed = browser.submit(&page, &format!("{LOGOS}/remove"), &[]).await;
    assert_eq!(removed.location(), format!("{}?done=removed", of(&falcon)));
    assert!(logos_of(world).is_empty());
    let entries: Vec<AuditRecord> = world.items("aud_").await;
    let changed: Vec<_> = entries
        .iter()
        .filter(|it| it.action == Action::TaxpayerUpdated && matches!(it.actor, Actor::Member(_)))
        .map(|it| it.trail.clone())
        .collect();
    for trail in
        [Trail::Organization(scene.id.clone()), Trail::Taxpayer(falcon.taxpayer_id.clone())]
    {
        assert_eq!(changed.iter().filter(|it| **it == trail).count(), 2, "{trail}: {changed:?}");
    }
}

/// A rendering never fails because of a logo.
#[tokio::test]
async fn a_document_is_shown_without_a_logo_that_is_gone_or_broken() {
    let mut scene = Scene::new().await;
    let id = scene.send("INV-1", "Oasis Supplies FZE").await;
    let view = format!("/sandbox/documents/{id}/view");
    let page = scene.browser.get(LOGO).await;
    let red = picture(200, ImageFormat::Png);
    scene.browser.upload(&page, LOGO, &[], ("logo.png", &red)).await;
    let (world, id) = (&scene.world, &scene.falcon.taxpayer_id);
    let logo = world.ctx.store.get_logo(Mode::Sandbox, id).await.unwrap().unwrap();
    world.sending.bucket.discard(std::slice::from_ref(&logo.png)).await;
    let shown = scene.browser.get(&view).await;
    assert_eq!((shown.status, logo_in(&shown)), (StatusCode::OK, None));
    // An object that is not what its name says.
    let mut broken = logo.clone();
    let other = world.cloud.objects().swap_remove(0);
    broken.png.key = other.strip_prefix("/payloads/").unwrap().to_owned();
    world.ctx.store.put_logo(Mode::Sandbox, id, &broken, &[]).await.unwrap();
    let shown = scene.browser.get(&view).await;
    assert_eq!((shown.status, logo_in(&shown)), (StatusCode::OK, None));
}

/// The link in a view of a document.
fn link_in(view: &Given) -> String {
    let link = view.attribute("rel=\"noopener noreferrer\"", "href");
    link.strip_prefix(ORIGIN).unwrap().to_owned()
}

#[tokio::test]
async fn whoever_holds_a_paper_sees_that_this_service_sent_it() {
    let mut scene = Scene::new().await;
    let id = scene.send("INV-7", "Oasis Supplies FZE").await;
    let link = link_in(&scene.browser.get(&format!("/sandbox/documents/{id}/view")).await);
    assert!(link.starts_with("/sandbox/verify/"), "{link}");
    // Without a session, in both languages.
    let mut stranger = Browser::new(scene.browser.router.clone());
    let page = looked_at(&mut stranger, "verification", &link).await;
    let text = page.text();
    for said in [
        "A test document, no invoice",
        "It is no invoice",
        "INV-7",
        "20 Nov 2026",
        "Falcon Trading LLC",
        "100123450100003",
        "AED\u{a0}210.00",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("Oasis") && !page.body.contains(&id), "{text}");
    assert!(page.body.contains("<meta name=\"robots\" content=\"noindex\">"));
    assert_eq!(page.header(CACHE_CONTROL), "no-store");
}

#[tokio::test]
async fn a_token_that_this_service_did_not_make_verifies_nothing() {
    let mut scene = Scene::new().await;
    let id = scene.send("INV-7", "Oasis Supplies FZE").await;
    let link = link_in(&scene.browser.get(&format!("/sandbox/documents/{id}/view")).await);
    let mut stranger = Browser::new(scene.browser.router.clone());
    let (_, token) = link.rsplit_once('/').unwrap();
    let other = |at: usize| {
        let mut token = token.as_bytes().to_vec();
        token[at] = if token[at] == b'A' { b'B' } else { b'A' };
        format!("/sandbox/verify/{}", String::from_utf8(token).unwrap())
    };
    let short = &token[..token.len() - 4];
    let mut wrong: Vec<_> = (0..token.len()).map(other).collect();
    wrong.push(format!("/sandbox/verify/{short}"));
    wrong.push("/sandbox/verify/x".to_owned());
    wrong.push(format!("/sandbox/verify/{id}"));
    // A token of Sandbox is none of Live.
    wrong.push(format!("/verify/{token}"));
    for path in wrong {
        let page = stranger.get(&path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.text().contains("This link verifies no document"), "{path}");
        assert!(!page.text().contains("INV-7"));
    }
    stranger.language = "ar";
    let page = stranger.get("/sandbox/verify/x").await;
    assert!(page.text().contains("هذا الرابط لا يثبت أي مستند"), "{}", page.text());
    // Wrong tokens are not counted, genuine ones are.
    for _ in 0..verification::BY_PLACE.most {
        assert_eq!(stranger.get(&link).await.status, StatusCode::OK);
    }
    assert_eq!(stranger.get(&link).await.status, StatusCode::TOO_MANY_REQUESTS);
    stranger.address = [192, 0, 2, 77];
    assert_eq!(stranger.get(&link).await.status, StatusCode::OK);
    // A removed document is as one that never was.
    let key = Key::document(Mode::Sandbox, &scene.falcon.taxpayer_id, &id.parse().unwrap());
    scene.world.remove(key).await;
    assert_eq!(stranger.get(&link).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_live_document_shows_what_became_of_it() {
    let scene = timeline::Scene::new(Direction::Outbound, TaxReportStatus::Due).await;
    let letterheads = scene.world.letterheads();
    let links = letterheads.links().unwrap();
    let link = links.link(Mode::Live, &scene.document).await.unwrap().unwrap();
    let link = link.strip_prefix(ORIGIN).unwrap();
    assert!(link.starts_with("/verify/"), "{link}");
    let mut stranger = Browser::new(router(app(&scene.world), Router::new()));
    let reported = |outcome| Some(Reporting { outcome, ..Reporting::of(&scene.tax_report) });
    for (status, outcome, said) in [
        (Status::Delivered, Some(TaxReportOutcome::Reported), &["sent this", "Reported"][..]),
        (Status::Delivered, None, &["sent this", "Delivered"]),
        (Status::Failed, None, &["was not delivered", "Failed"]),
        (Status::Rejected, None, &["was not delivered", "Rejected"]),
    ] {
        let reporting = reported(outcome);
        let document = DocumentRecord { status, reporting, ..scene.document.clone() };
        scene.world.put_document(&document).await;
        let page = looked_at(&mut stranger, "verification-live", link).await;
        let text = page.text();
        assert!(said.iter().all(|said| text.contains(said)), "{said:?}: {text}");
        assert!(text.contains("Since") && !text.contains("Sandbox."), "{text}");
    }
    // A received document is verified where it was sent.
    let inbound = DocumentRecord { direction: Direction::Inbound, ..scene.document.clone() };
    assert_eq!(links.link(Mode::Live, &inbound).await.unwrap(), None);
    scene.world.put_document(&inbound).await;
    assert_eq!(stranger.get(link).await.status, StatusCode::NOT_FOUND);
}
