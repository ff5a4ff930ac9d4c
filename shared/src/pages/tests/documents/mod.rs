//! The document pages of a taxpayer.

mod account;

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
        serde_json::from_str(include_str!("../../../store/fixtures/document.json")).unwrap();
    let mls = mls
        .message_level_status
        .map(|mls| MessageLevelStatus { findings: vec![finding.clone(); 60], ..mls });
    assert!(mls.is_some());
    let document = DocumentRecord { message_level_status: mls, ..document };
    world.put_document(&document).await;
    let verdict: TaxReportRecord =
        serde_json::from_str(include_str!("../../../store/fixtures/tax_report.json")).unwrap();
    world.set_tax_report(&TaxReportRecord { verdict: verdict.verdict, ..tax_report }).await;
    let way: TransmissionRecord =
        serde_json::from_str(include_str!("../../../store/fixtures/transmission.json")).unwrap();
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
