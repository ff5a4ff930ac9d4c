//! The document pages of a taxpayer.

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde_json::json;

use super::*;
use crate::{
    access::{Action, AuditRecord, Caller, Origin, Role, Scope, Taxpayer},
    document::Operation,
    environment::Environment,
    error::Finding,
    pages::{cookies, documents::list::ROWS},
    peppol::smp::BusinessEntity,
    service::{
        business_cards,
        grants::{self, Approval},
        sessions,
    },
    store::{
        BusinessCardRecord, Carried, Direction, DocumentRecord, EventType, MessageLevelStatus,
        OfDocument, TaxReportRecord, TaxReportStatus, TransmissionRecord, keys::Key,
    },
    testing::{invoice, send},
    types::{GrantId, Mode, OrganizationId},
};

/// Maximum size of a page with the maximum of content, in either language.
pub(super) const MAX_PAGE: usize = 50_000;

/// A signed-in taxpayer, and an organization that sends for it.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) falcon: Taxpayer,
    pub(super) caller: Caller,
    pub(super) browser: Browser,
}

impl Scene {
    pub(super) async fn new() -> Scene {
        let world = World::new().await;
        let address = "accounts@falcon.example".parse().unwrap();
        let falcon = world.registered("Falcon Trading LLC", "1001234501", &address).await;
        let organization_id = world.organization("Integrator").await;
        world.grant(&organization_id, &falcon, &Scope::ALL).await;
        let key = world.api_key(&organization_id).await;
        let caller = world.authorize(&key, &falcon, None, &[Scope::InvoicesWrite]).await.unwrap();
        let browser = signed_in(&world, &falcon).await;
        Scene { world, falcon, caller, browser }
    }

    pub(super) async fn send(&self, number: &str, name: &str) -> String {
        let mut body = invoice(number, "1009999901");
        body["customer"]["name"] = json!(name);
        let sent = send(&self.world.sending, &self.caller, Operation::Invoice, &body, None).await;
        sent.unwrap().document_id.to_string()
    }
}

/// A browser with a signed-in taxpayer, in the mode of the world.
pub(super) async fn signed_in(world: &World, taxpayer: &Taxpayer) -> Browser {
    let mut browser = Browser::new(router(app(world), Router::new()));
    let id = &taxpayer.taxpayer_id;
    let session = sessions::begin(&world.ctx, world.mode, id, Origin::default()).await.unwrap();
    let cookie = cookies::session(world.mode).to_owned();
    browser.cookies.insert(cookie, session.reveal().to_owned());
    browser
}

/// A browser with a signed-in member of an organization who may read documents, in the mode of the world.
pub(super) async fn signed_in_member(world: &World, organization_id: &OrganizationId) -> Browser {
    signed_in_member_as(world, organization_id, "viewer@integrator.example").await
}

/// The same with this address.
pub(super) async fn signed_in_member_as(
    world: &World,
    organization_id: &OrganizationId,
    email: &str,
) -> Browser {
    let member = world.member(organization_id, email.parse().unwrap(), Role::Viewer).await;
    let pages = crate::pages::organization::routes(Router::new());
    let mut browser = Browser::new(router(app(world), pages));
    let begun = sessions::begin(&world.ctx, world.mode, &member, Origin::default()).await;
    let cookie = cookies::session(world.mode).to_owned();
    browser.cookies.insert(cookie, begun.unwrap().reveal().to_owned());
    browser
}

/// Checks the size of a page in both languages. With `PAGES_DIR` it is written there.
pub(super) async fn looked_at(browser: &mut Browser, name: &str, path: &str) -> Given {
    let arabic = Browser { language: "ar", ..browser.clone() }.get(path).await;
    let english = browser.get(path).await;
    for (language, page) in [("ar", &arabic), ("en", &english)] {
        assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.text());
        let size = page.body.len();
        assert!(size <= MAX_PAGE, "{path} has {size} bytes in {language}");
        assert!(!page.body.contains("{ $") && !page.body.contains("style=\""), "{path}");
        keep(name, language, page);
    }
    english
}

/// With `PAGES_DIR`, writes a page there, to be looked at.
pub(super) fn keep(name: &str, language: &str, page: &Given) {
    if let Some(folder) = Environment::of_process().get("PAGES_DIR") {
        std::fs::write(format!("{folder}/{name}.{language}.html"), &page.body).unwrap();
    }
}

#[tokio::test]
async fn a_taxpayer_pages_through_its_documents_and_searches_them() {
    let mut scene = Scene::new().await;
    let empty = looked_at(&mut scene.browser, "documents-none", "/sandbox/documents").await;
    assert!(empty.text().contains("No documents yet"), "{}", empty.text());
    let long = "Very Long Name of a Business in the United Arab Emirates LLC ".repeat(3);
    for number in 0..=ROWS {
        scene.send(&format!("INV-2026-{number:08}-OF-A-LONG-SERIES"), long.trim()).await;
    }
    let page = looked_at(&mut scene.browser, "documents", "/sandbox/documents").await;
    assert_eq!(page.body.matches("<tr>").count(), 1 + usize::from(ROWS));
    assert!(page.text().contains("AED\u{a0}210.00"), "{}", page.text());
    // The current place, and the navigation.
    assert_eq!(page.attribute("aria-current", "href"), "/sandbox/documents");
    let next = page.attribute("rel=\"next\"", "href");
    let last = scene.browser.get(&next).await;
    assert_eq!(last.body.matches("<tr>").count(), 2, "{}", last.text());
    assert!(last.text().contains("Newest") && !last.body.contains("rel=\"next\""));

    let found = scene.browser.get("/sandbox/documents?number=INV-2026-00000007-OF-A-LONG-SERIES");
    assert_eq!(found.await.body.matches("<tr>").count(), 2);
    let search = "/sandbox/documents?direction=inbound&type=credit_note&status=received";
    let none = looked_at(&mut scene.browser, "documents-not-found", search).await;
    assert!(none.text().contains("No results"), "{}", none.text());
    assert!(none.body.contains("value=\"credit_note\" selected"), "{}", none.body);
    for (created, found) in [
        ("created_from=2026-11-20&created_to=2026-11-20", true),
        ("created_from=2026-11-21", false),
        ("created_to=2026-11-19", false),
    ] {
        let page = scene.browser.get(&format!("/sandbox/documents?{created}")).await;
        assert_eq!(page.body.contains("<tbody>"), found, "{created}: {}", page.text());
        assert!(page.body.contains("name=\"created_from\"") && page.body.contains("created_to"));
    }
    for wrong in ["status=lost", "issued_from=2026-02-30", "created_to=2026-02-30", "cursor=x"] {
        let page = scene.browser.get(&format!("/sandbox/documents?{wrong}")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn a_document_is_shown_with_its_files_and_to_nobody_else() {
    let mut scene = Scene::new().await;
    let id = scene.send("A-1", "Oasis <Supplies>").await;
    let path = format!("/sandbox/documents/{id}");
    let page = looked_at(&mut scene.browser, "document", &path).await;
    for said in ["A-1", "Oasis &#60;Supplies&#62;", "Accepted for sending", "AED\u{a0}210.00", &id]
    {
        assert!(page.text().contains(said), "{said}: {}", page.text());
    }
    assert!(page.text().contains("Sent") && !page.text().contains("Envelope"));
    assert!(page.text().contains("Sent for you byIntegrator"), "{}", page.text());
    for (file, media_type, extension, begins) in
        [("ubl", "application/xml", "xml", "<?xml"), ("content", "application/json", "json", "{")]
    {
        let given = scene.browser.get(&format!("{path}/{file}")).await;
        assert_eq!(given.header(CONTENT_TYPE), media_type);
        let name = format!("attachment; filename=\"Tax-Invoice-A-1.{extension}\"");
        assert_eq!(given.header(CONTENT_DISPOSITION), name);
        assert_eq!(given.header("x-content-type-options"), "nosniff");
        assert!(given.body.starts_with(begins), "{}", given.body);
    }
    // The view has the language of the page, or the requested ones.
    let view = format!("{path}/view");
    for (query, shown, hidden) in [
        ("", "Issue date", "تاريخ الإصدار"),
        ("?language=ar", "تاريخ الإصدار", "Issue date"),
        ("?language=both", "تاريخ الإصدار", "nothing that is hidden"),
        ("?language=en&lang=ar", "Issue date", "تاريخ الإصدار"),
    ] {
        let given = scene.browser.get(&format!("{view}{query}")).await;
        assert_eq!(given.status, StatusCode::OK, "{query}");
        assert!(given.body.contains(shown) && !given.body.contains(hidden), "{query}");
    }
    for word in ["en", "ar", "both"] {
        let links = [format!("{view}?language={word}\""), format!("{path}/pdf?language={word}\"")];
        assert!(links.iter().all(|it| page.body.contains(&format!("href=\"{it}"))), "{word}");
    }
    let whole = scene.browser.get(&format!("{view}?language=en")).await;
    let body = scene.browser.get(&format!("{view}?language=en&annex=false")).await;
    assert!(whole.body.contains("Data of the e-invoice"));
    assert!(!body.body.contains("Data of the e-invoice") && body.body.contains("Issue date"));
    for wrong in ["fr", "", "en&language=ar", "en&annex=no"] {
        let given = scene.browser.get(&format!("{view}?language={wrong}")).await;
        assert_eq!(given.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let missing = ["sbdh", "receipt", "x"].map(|file| format!("{path}/{file}"));
    for missing in missing.into_iter().chain(["/sandbox/documents/doc_1".to_owned()]) {
        let given = scene.browser.get(&missing).await;
        assert_eq!(given.status, StatusCode::NOT_FOUND, "{missing}");
    }
    let address = "accounts@oasis.example".parse().unwrap();
    let oasis = scene.world.registered("Oasis", "1001234502", &address).await;
    let mut stranger = signed_in(&scene.world, &oasis).await;
    for path in [path.clone(), format!("{path}/ubl")] {
        assert_eq!(stranger.get(&path).await.status, StatusCode::NOT_FOUND);
        let live = path.replace("/sandbox", "");
        assert!(scene.browser.get(&live).await.location().starts_with("/sign-in?"), "{live}");
    }
    assert!(scene.falcon.taxpayer_id != oasis.taxpayer_id);
}

/// Checks a page whose document exceeds a limit: texts instead of links, and the answers of the missing files.
async fn is_withheld(scene: &mut Scene, id: &str, withheld: &[&str], said: [&str; 2]) {
    let path = format!("/sandbox/documents/{id}");
    for (language, said) in ["en", "ar"].into_iter().zip(said) {
        scene.browser.language = language;
        let page = scene.browser.get(&path).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.text().contains(said), "{}", page.text());
        for name in ["view", "pdf", "content", "ubl"] {
            let is_linked = page.body.contains(&format!("{path}/{name}"));
            assert_eq!(is_linked, !withheld.contains(&name), "{name}: {}", page.body);
        }
        for name in withheld {
            let refused = scene.browser.get(&format!("{path}/{name}")).await;
            assert_eq!(refused.status, StatusCode::NOT_FOUND, "{name}");
            assert!(refused.text().contains(said), "{name}: {}", refused.text());
        }
    }
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn what_a_limit_keeps_from_being_read_is_not_linked_and_it_is_said_why() {
    let mut scene = Scene::new().await;
    let mut browser = signed_in(&scene.world, &scene.falcon).await;
    let pages = crate::pages::documents::printed(Router::new());
    browser.router = router(app(&scene.world), pages);
    scene.browser = browser;
    let mut body = invoice("A-1", "1009999901");
    body.as_object_mut().unwrap().remove("totals");
    let line = body["line_items"][0].clone();
    body["line_items"] = (0..21).map(|_| line.clone()).collect();
    let sent = send(&scene.world.sending, &scene.caller, Operation::Invoice, &body, None).await;
    let id = sent.unwrap().document_id.to_string();
    let said = ["A PDF has at most 1,000 lines", "لا يتجاوز ملف PDF"];
    is_withheld(&mut scene, &id, &["pdf"], said).await;

    let mut line = line;
    let attribute =
        |number| json!({"name": format!("Colour {number}"), "value": "blue ".repeat(40)});
    line["item"]["attributes"] = (0..200).map(attribute).collect();
    body["line_items"] = (0..20).map(|_| line.clone()).collect();
    let sent = send(&scene.world.sending, &scene.caller, Operation::Invoice, &body, None).await;
    let id = sent.unwrap().document_id.to_string();
    let said = ["A PDF has at most 10,000,000 bytes of text", "لا يتجاوز نص ملف PDF"];
    is_withheld(&mut scene, &id, &["pdf"], said).await;

    // A document that cannot be read has neither PDF nor view.
    let id = scene.send("A-3", "Oasis").await;
    let documents = scene.world.documents().await;
    let mut large = documents.into_iter().find(|it| it.number == "A-3").unwrap();
    large.ubl.as_mut().unwrap().bytes = 10_485_761;
    let key = Key::document(Mode::Sandbox, &large.taxpayer_id, &large.document_id);
    scene.world.put(key, &large).await;
    let said =
        ["The document has more than 10,485,760 bytes.", "حجم المستند أكبر من 10,485,760 بايت."];
    is_withheld(&mut scene, &id, &["view", "pdf", "content"], said).await;
}

#[test]
fn messages_name_the_limits_that_hold() {
    use crate::{
        i18n::{self, Language, figures},
        ubl::MAX_BYTES,
    };
    // The limits of PDFs are smaller in tests.
    let limits = [
        ("limit-bytes-text", MAX_BYTES),
        ("limit-lines-text", 1_000),
        ("limit-text-text", 10_000_000),
    ];
    for (message, limit) in limits {
        for language in Language::ALL {
            let said = i18n::text(language, message, &[]);
            assert!(said.contains(&figures::number(limit.into())), "{said}");
        }
    }
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn a_document_is_a_pdf_for_its_taxpayer_and_for_who_acts_for_it() {
    use crate::pages::{documents, organization};

    let scene = Scene::new().await;
    let id = scene.send("A-1", "Oasis").await;
    let member = "viewer@integrator.example".parse().unwrap();
    let member = scene.world.member(&scene.caller.organization_id, member, Role::Viewer).await;
    let pages = organization::printed(documents::printed(organization::routes(Router::new())));
    let router = router(app(&scene.world), pages);
    let mut browser = Browser { router: router.clone(), ..scene.browser.clone() };
    let own = browser.get(&format!("/sandbox/documents/{id}")).await;
    let path = format!("/sandbox/documents/{id}/pdf");
    let link = format!("href=\"{path}?language=both\" download>");
    assert!(own.body.contains(&link), "{}", own.body);
    let pdf = browser.get(&path).await;
    assert_eq!(pdf.status, StatusCode::OK);
    assert_eq!(pdf.header("content-type"), "application/pdf");
    let name = "attachment; filename=\"Tax-Invoice-A-1.pdf\"";
    assert_eq!(pdf.header("content-disposition"), name);
    assert!(pdf.body.starts_with("%PDF-1.7"));
    // The PDF of a document is always the same; a page in English has the English one.
    let mut made = Vec::new();
    for word in ["en", "ar", "both"] {
        made.push(browser.get(&format!("{path}?language={word}")).await.body);
    }
    assert!(made[0] == pdf.body && made[1] != pdf.body);
    assert!(made[2] != made[0] && made[2] != made[1]);
    let wrong = browser.get(&format!("{path}?language=fr")).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    let mut other = Browser::new(router);
    let asked =
        format!("/sandbox/organization/taxpayers/{}/documents/{id}/pdf", scene.falcon.taxpayer_id);
    for path in [&path, &asked] {
        assert!(other.get(path).await.location().starts_with("/sandbox/sign-in?"), "{path}");
    }
    let begun = sessions::begin(&scene.world.ctx, Mode::Sandbox, &member, Origin::default()).await;
    let cookie = cookies::session(Mode::Sandbox).to_owned();
    other.cookies.insert(cookie, begun.unwrap().reveal().to_owned());
    assert_eq!(other.get(&asked).await.status, StatusCode::OK);
    let unknown = asked.replace(&id, "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718");
    assert_eq!(other.get(&unknown).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_member_sees_the_documents_that_the_grants_of_its_organization_allow() {
    let scene = Scene::new().await;
    let id = scene.send("A-1", "Oasis").await;
    let organization_id = &scene.caller.organization_id;
    let mut browser = signed_in_member(&scene.world, organization_id).await;
    let there = format!("/sandbox/organization/taxpayers/{}", scene.falcon.taxpayer_id);
    let list = format!("{there}/documents");
    assert!(browser.get(&there).await.body.contains(&list));
    let page = looked_at(&mut browser, "organization-documents", &list).await;
    assert!(page.body.contains(&format!("{list}/{id}")), "{}", page.body);
    let document = browser.get(&format!("{list}/{id}")).await;
    assert_eq!(document.status, StatusCode::OK);
    assert!(!document.body.contains("/organization/events/evt_"), "nothing is relayed yet");
    scene.world.stream().await;
    let [event] = &scene.world.events().await[..] else { panic!("not one event") };
    let link = format!("/sandbox/organization/events/{}", event.event_id);
    let document = looked_at(&mut browser, "organization-document", &format!("{list}/{id}")).await;
    assert!(document.body.contains(&link), "{}", document.text());
    assert!(document.text().contains("Your organization was notified"));
    // The taxpayer does not see events of organizations, and no organization sees those of another one.
    let own = scene.browser.clone().get(&format!("/sandbox/documents/{id}")).await;
    assert!(own.status == StatusCode::OK && !own.body.contains("/organization/events/"));
    let (store, other) = (&scene.world.ctx.store, scene.world.organization("Other").await);
    let id = id.parse().unwrap();
    let theirs = store.list_events_about(Mode::Sandbox, &other, &id, 10).await.unwrap();
    assert_eq!(theirs, []);
    let ours = store.list_events_about(Mode::Sandbox, organization_id, &id, 10).await.unwrap();
    assert_eq!(ours.len(), 1);
    let ubl = browser.get(&format!("{list}/{id}/ubl")).await;
    assert!(ubl.body.starts_with("<?xml"), "{}", ubl.body);
    // A taxpayer without a grant, and one whose grant does not allow reading documents.
    let address = "accounts@oasis.example".parse().unwrap();
    let oasis = scene.world.registered("Oasis", "1001234502", &address).await;
    let list = format!("/sandbox/organization/taxpayers/{}/documents", oasis.taxpayer_id);
    assert_eq!(browser.get(&list).await.status, StatusCode::NOT_FOUND);
    scene.world.grant(organization_id, &oasis, &[Scope::TaxpayerRead]).await;
    assert_eq!(browser.get(&list).await.status, StatusCode::NOT_FOUND);
    scene.world.grant(organization_id, &oasis, &[Scope::InboundRead]).await;
    assert_eq!(browser.get(&list).await.status, StatusCode::OK);
    // A taxpayer is not a member.
    let mut falcon = Browser { cookies: scene.browser.cookies.clone(), ..browser.clone() };
    assert!(falcon.get(&list).await.location().starts_with("/sandbox/sign-in?"));
}

#[tokio::test]
async fn a_taxpayer_sees_its_business_and_sets_what_is_its_own() {
    let mut scene = Scene::new().await;
    let business = looked_at(&mut scene.browser, "business", "/sandbox/account/business").await;
    for said in ["1001234501", "Active", "Peppol Directory", "no business card yet"] {
        assert!(business.text().contains(said), "{said}: {}", business.text());
    }
    // The page shows what an application wrote, and the business decides whether the Directory shows it too.
    let (ctx, directory) = (&scene.world.ctx, "/sandbox/account/directory");
    let card = include_str!("../../store/fixtures/business_card.json");
    let card: BusinessCardRecord = serde_json::from_str(card).unwrap();
    let name = card.entities[0].names[0].text.clone();
    business_cards::put_card(ctx, &scene.falcon, card.entities).await.unwrap();
    let path = "/sandbox/account/business";
    let page = looked_at(&mut scene.browser, "business-card", path).await;
    assert!(
        page.text().contains(&name) && page.text().contains("Not registered"),
        "{}",
        page.text()
    );
    for (wish, status) in [("yes", "Registered"), ("yes", "Registered"), ("no", "Not registered")] {
        let answer = scene.browser.submit(&page, directory, &[("listed", wish)]).await;
        assert_eq!(answer.location(), path);
        let page = scene.browser.get(path).await;
        let (_, of_directory) = page.body.split_once("Peppol Directory").unwrap();
        let (of_directory, _) = of_directory.split_once("</dd>").unwrap();
        assert!(of_directory.contains(status), "{wish}: {of_directory}");
    }
    let answer = scene.browser.submit(&page, directory, &[("listed", "perhaps")]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let page = looked_at(&mut scene.browser, "account", "/sandbox/account").await;
    let used = "(recorded hourly). The last use was to check and send invoices";
    assert!(page.text().contains(used), "{}", page.text());
    let path = "/sandbox/account/settings";
    let page = looked_at(&mut scene.browser, "settings", path).await;
    for wrong in [[("language", "fr"), ("email", "")], [("language", "ar"), ("email", "a b")]] {
        let given = scene.browser.submit(&page, path, &wrong).await;
        assert_eq!(given.status, StatusCode::BAD_REQUEST, "{wrong:?}");
    }
    let before = scene.world.events().await.len();
    let wanted = [("language", "ar"), ("email", "notices@falcon.example")];
    let saved = scene.browser.submit(&page, path, &wanted).await;
    assert_eq!(saved.location(), "/sandbox/account/settings?done=saved");
    let page = scene.browser.get(saved.location()).await;
    assert!(
        page.text().contains("Settings saved.") && page.body.contains("notices@falcon.example")
    );
    assert!(page.body.contains("value=\"ar\" lang=\"ar\" selected"), "{}", page.body);
    // The organization gets one event, and the trail names the actor.
    scene.browser.submit(&page, path, &wanted).await.location();
    let events = scene.world.events().await;
    assert_eq!(events.len(), before + 1);
    assert_eq!(events.last().unwrap().event_type, EventType::TaxpayerUpdated);
    let entries: Vec<AuditRecord> = scene.world.items("aud_").await;
    let entries: Vec<_> =
        entries.iter().filter(|it| it.action == Action::TaxpayerUpdated).collect();
    assert_eq!(entries.len(), 1);
}

#[tokio::test]
async fn a_taxpayer_has_its_documents_archived_and_fetches_the_file() {
    let mut scene = Scene::new().await;
    let path = "/sandbox/account/archives";
    let page = looked_at(&mut scene.browser, "archives", path).await;
    assert!(page.text().contains("No archives"), "{}", page.text());
    for (wrong, field) in [
        ([("from", "2026-01-01"), ("to", "2025-12-31")], "to"),
        ([("from", "soon"), ("to", "2026-12-31")], "from"),
        ([("from", "2026-01-01"), ("to", "")], "to"),
    ] {
        let refused = scene.browser.submit(&page, path, &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong:?}");
        assert!(refused.body.contains(&format!("id=\"{field}-problem\">")), "{}", refused.body);
    }
    let year = [("from", "2026-01-01"), ("to", "2026-12-31")];
    let made = scene.browser.submit(&page, path, &year).await;
    assert_eq!(made.location(), "/sandbox/account/archives?done=begun");
    let page = scene.browser.get(made.location()).await;
    assert!(page.body.contains("data-refresh") && !page.body.contains("/file\""), "{}", page.body);
    Box::pin(scene.world.settle()).await;
    let page = looked_at(&mut scene.browser, "archives", path).await;
    let file = page.body.split("href=\"").find(|it| it.contains("/file\"")).unwrap();
    let file = file.split('"').next().unwrap();
    let given = scene.browser.get(file).await;
    assert!(given.location().contains("/archives/"), "{}", given.location());
    let unknown = scene.browser.get("/sandbox/account/archives/arc_1/file").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_taxpayer_writes_its_business_card_and_loses_nothing_that_an_application_wrote() {
    let mut scene = Scene::new().await;
    let (ctx, path) = (scene.world.ctx.clone(), "/sandbox/account/business/card");
    let business = scene.browser.get("/sandbox/account/business").await;
    assert!(business.body.contains(&format!("href=\"{path}\"")), "{}", business.body);
    let page = looked_at(&mut scene.browser, "card", path).await;
    assert!(page.body.contains(&format!("value=\"{}\"", scene.falcon.name)));
    // The lines that nothing was entered in are folded, but for one.
    let folded = |page: &Given, field: &str| {
        let (before, _) = page.body.split_once(&format!("id=\"{field}\"")).unwrap();
        before.matches("<details").count() > before.matches("</details>").count()
    };
    assert_eq!(["names-1-name", "names-2-name"].map(|it| folded(&page, it)), [false, true]);
    assert_eq!(["websites-0", "websites-1"].map(|it| folded(&page, it)), [false, true]);
    // Each error is beside its field, and the entered values are kept.
    let good = [("names-0-name", "Falcon"), ("country_code", "AE")];
    let long = "x".repeat(501);
    for (wrong, field, said) in [
        (vec![("names-0-name", ""), ("country_code", "AE")], "names-0-name", "Enter a name"),
        (vec![("names-0-name", "F"), ("country_code", "ae")], "country_code", "two capital"),
        (vec![("names-0-name", "F"), ("country_code", "")], "country_code", "two capital"),
        (
            [&good[..], &[("names-2-language", "ar")]].concat(),
            "names-2-name",
            "Fill in this field too",
        ),
        (
            [&good[..], &[("names-1-name", "F"), ("names-1-language", "ara")]].concat(),
            "names-1-language",
            "two small",
        ),
        ([&good[..], &[("websites-1", "falcon.example")]].concat(), "websites-1", "begins with"),
        (
            [&good[..], &[("identifiers-3-value", "CN-1")]].concat(),
            "identifiers-3-scheme",
            "Fill in this field too",
        ),
        ([&good[..], &[("contacts-2-email", long.as_str())]].concat(), "contacts-2-email", "500"),
    ] {
        let refused = scene.browser.submit(&page, path, &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong:?}");
        let problem = format!("id=\"{field}-problem\">");
        let beside = refused.body.split_once(&problem);
        let beside = beside.unwrap_or_else(|| panic!("{field}: {}", refused.body)).1;
        assert!(beside.split('<').next().unwrap().contains(said), "{field}: {beside}");
        assert!(refused.body.contains(&format!("href=\"#{field}\"")), "{field}");
        assert!(!folded(&refused, field), "{field}");
        let kept = wrong.iter().find(|(name, value)| name != &field && !value.is_empty());
        assert!(kept.is_none_or(|(_, value)| refused.body.contains(&format!("value=\"{value}\""))));
    }
    let card = |scene: &Scene| {
        let (ctx, falcon) = (scene.world.ctx.clone(), scene.falcon.clone());
        async move { business_cards::card(&ctx, &falcon).await }
    };
    assert!(card(&scene).await.is_err(), "nothing of that was saved");
    let fields = [
        ("country_code", "AE"),
        ("names-0-name", " Falcon "),
        ("names-2-name", "الصقر"),
        ("names-2-language", "ar"),
        ("contacts-1-email", "ask@falcon.example"),
    ];
    let saved = scene.browser.submit(&page, path, &fields).await;
    assert_eq!(saved.location(), "/sandbox/account/business?done=card");
    let business = scene.browser.get(saved.location()).await;
    for said in ["was saved", "Falcon", "الصقر", "ask@falcon.example", "Edit business card"] {
        assert!(business.text().contains(said), "{said}: {}", business.text());
    }
    let names = card(&scene).await.unwrap().entities[0].names.len();
    assert_eq!(names, 2, "lines that are empty are none");
    // The earlier page changes a card that was replaced since.
    let late = scene.browser.submit(&page, path, &fields).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text().contains("The business card has changed"), "{}", late.text());
    // Content that the form does not show stays unchanged.
    let wrote = card(&scene).await.unwrap().entities.remove(0);
    let more = wrote.names[0].clone();
    let wrote = BusinessEntity {
        names: vec![more.clone(), more.clone(), more.clone(), more],
        additional_information: Some("Since 1971".to_owned()),
        ..wrote
    };
    scene.world.clock.advance(jiff::SignedDuration::from_secs(1));
    let entities = vec![wrote.clone(), wrote.clone()];
    business_cards::put_card(&ctx, &scene.falcon, entities).await.unwrap();
    let page = scene.browser.get(path).await;
    assert!(page.text().contains("added more than this form shows"), "{}", page.text());
    scene.browser.submit(&page, path, &good).await.location();
    let stands = card(&scene).await.unwrap().entities;
    let names: Vec<_> = stands[0].names.iter().map(|name| name.text.as_str()).collect();
    assert_eq!(names, ["Falcon", "Falcon"], "the first three lines are the form's");
    assert_eq!(stands[0].additional_information.as_deref(), Some("Since 1971"));
    assert!(stands[0].contacts.is_empty());
    assert_eq!(stands[1], wrote);
}

#[tokio::test]
async fn a_live_business_sees_in_steps_what_is_done_what_waits_and_on_whom() {
    let (world, _network) = World::live().await;
    // The operator created the taxpayer, but has not registered it yet.
    let falcon = world.onboarded("Falcon Trading LLC", "1001234501").await;
    let mut browser = signed_in(&world, &falcon).await;
    let page = looked_at(&mut browser, "business-live", "/account/business").await;
    let text = page.text();
    for said in ["Listed in the e-invoicing network", "Waiting for the operator", "Optional"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("not entered in any register") && !text.contains("Tax authority"));
    let oasis = world.taxpayer("Oasis", "1001234502").await;
    let mut browser = signed_in(&world, &oasis).await;
    let text = browser.get("/account/business").await.text();
    assert!(!text.contains("Waiting for") && text.contains("Done"), "{text}");
}

#[tokio::test]
async fn everything_that_became_of_a_live_document_is_told() {
    let world = World::unconnected().await;
    let address = "accounts@falcon.example".parse().unwrap();
    let falcon = world.registered("Falcon Trading LLC", "1001234501", &address).await;
    let organization_id = world.organization("Integrator").await;
    let (of, status) = (&falcon.taxpayer_id, TaxReportStatus::NotCompliant);
    let (document, tax_report) =
        world.reported(of, &organization_id, Direction::Outbound, status).await;
    let finding = Finding::error("/line_items/0", "AP-LINE-131", "The amount is another one.");
    let mls: DocumentRecord =
        serde_json::from_str(include_str!("../../store/fixtures/document.json")).unwrap();
    let mls = mls
        .message_level_status
        .map(|mls| MessageLevelStatus { findings: vec![finding.clone(); 60], ..mls });
    assert!(mls.is_some());
    let document = DocumentRecord { message_level_status: mls, ..document };
    world.put_document(&document).await;
    let verdict: TaxReportRecord =
        serde_json::from_str(include_str!("../../store/fixtures/tax_report.json")).unwrap();
    world.set_tax_report(&TaxReportRecord { verdict: verdict.verdict, ..tax_report }).await;
    let way: TransmissionRecord =
        serde_json::from_str(include_str!("../../store/fixtures/transmission.json")).unwrap();
    let mut attempts = way.attempts.clone();
    attempts.extend(std::iter::repeat_n(way.attempts[0].clone(), 59));
    let carries = Carried::Document(OfDocument {
        taxpayer_id: of.clone(),
        document_id: document.document_id.clone(),
    });
    let way = TransmissionRecord { carries, attempts, version: 0, ..way };
    world.ctx.store.put_transmission(Mode::Live, way).await.unwrap();

    let mut browser = signed_in(&world, &falcon).await;
    let path = format!("/documents/{}", document.document_id);
    let page = looked_at(&mut browser, "document-live", &path).await;
    for said in [
        "Attempt to send",
        "Status from the recipient’s access point",
        "Report to the tax authority created",
        "Response of the tax authority: Not compliant",
        "AP-LINE-131",
        "/line_items/0",
        "earlier entr",
        "more findings",
    ] {
        assert!(page.text().contains(said), "{said}: {}", page.text());
    }
}

#[tokio::test]
async fn the_account_has_at_most_50_kb_with_any_number_of_grants_and_sessions() {
    let mut scene = Scene::new().await;
    let (ctx, of) = (scene.world.ctx.clone(), scene.falcon.taxpayer_id.clone());
    let second = scene.world.organization(&"&".repeat(200)).await;
    for _ in 0..grants::MAX_GRANTS {
        let approval = Approval {
            mode: Mode::Sandbox,
            grant_id: GrantId::new(scene.world.now(), &*ctx.random),
            taxpayer_id: of.clone(),
            organization_id: second.clone(),
            scopes: Scope::ALL.into(),
            grant_label: Some("\"".repeat(100)),
            external_id: None,
            request: None,
        };
        grants::seed(&ctx, &approval).await.unwrap();
    }
    for _ in 0..60 {
        let origin = Origin::new(None, Some(&"\"".repeat(300)), None);
        sessions::begin(&ctx, Mode::Sandbox, &of, origin).await.unwrap();
    }
    // Each list has its own pages.
    for (of_this, of_other, marks, count) in [
        ("from=tgr_", "sessions-from=", "account/revoke\"", 1 + grants::MAX_GRANTS),
        ("sessions-from=", "from=tgr_", "account/end-session\"", 60),
    ] {
        let (mut next, mut seen) = (Some("/sandbox/account".to_owned()), 0);
        while let Some(path) = next {
            let page = looked_at(&mut scene.browser, "account-full", &path).await;
            seen += page.body.matches(marks).count();
            let links = page.body.split("<a ").filter(|link| link.contains("rel=\"next\""));
            let links = links.map(|link| link.split_once("href=\"").unwrap().1);
            let mut links = links.map(|link| link.split('"').next().unwrap());
            let next_of_this = |link: &&str| link.contains(of_this) && !link.contains(of_other);
            next = links.find(next_of_this).map(str::to_owned);
        }
        assert_eq!(seen, count, "{marks}: each once");
    }
}
