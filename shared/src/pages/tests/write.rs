//! Documents that members write by hand.

use super::{organization::Scene, *};
use crate::{
    access::{Role, Scope},
    document::Operation,
    service::drafts::MAX_DRAFTS,
    store::{DocumentRecord, MessageLevelStatus, Status, StatusCode as MlsCode, keys::Key},
    types::Mode,
};

const SEND: &str = "/sandbox/organization/write/send";
/// The fields of a valid invoice with two lines.
const INVOICE: [(&str, &str); 23] = [
    ("invoice_number", "W-1"),
    ("due_date", "2030-01-31"),
    ("customer.name", "Oasis <b>Supplies"),
    ("customer.electronic_address.id", "1001234502"),
    ("customer.vat_identifier", "100123450200003"),
    ("customer.address.line_1", "Jebel Ali"),
    ("customer.address.city", "Dubai"),
    ("customer.address.country_subdivision", "DXB"),
    ("payment_means.0.means_code", "30"),
    ("payment_means.0.credit_transfer.account_identifier.id", "AE070331234567890123456"),
    ("note", "Thank you"),
    ("line_items.0.item.name", "Label printer"),
    ("line_items.0.item.type_code", "G"),
    ("line_items.0.item.code", "84433250"),
    ("line_items.0.quantity", "2"),
    ("line_items.0.price.net_price", "450.10"),
    ("line_items.0.vat.category_code", "S"),
    ("line_items.3.item.name", "Installation"),
    ("line_items.3.item.type_code", "S"),
    ("line_items.3.item.code", "998733"),
    ("line_items.3.quantity", "1"),
    ("line_items.3.price.net_price", "99.80"),
    ("line_items.3.vat.category_code", "S"),
];

/// A business whose form a member uses.
struct Desk {
    scene: Scene,
    browser: Browser,
    path: String,
}

impl Desk {
    async fn new() -> Desk {
        let scene = Scene::new().await;
        let falcon = scene.world.onboarded("Falcon", "1001234501").await;
        let scopes = [Scope::TaxpayerRead, Scope::InvoicesRead, Scope::InvoicesWrite];
        scene.world.grant(&scene.id, &falcon, &scopes).await;
        let path = format!("/sandbox/organization/taxpayers/{}/write", falcon.taxpayer_id);
        let browser = scene.browser(Role::Developer).await;
        Desk { scene, browser, path }
    }

    /// Fills the fields of a shown form in and presses a button.
    async fn press(&mut self, page: &Given, button: &str, fields: &[(&str, &str)]) -> Given {
        let fields = [&filled(page)[..], &owned(fields)[..]].concat();
        let mut last: BTreeMap<String, String> = fields.into_iter().collect();
        last.insert("do".to_owned(), button.to_owned());
        let fields: Vec<_> = last.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.browser.post(SEND, &fields).await
    }

    /// Sends a document and returns the page that its outcome leads to.
    async fn sent(&mut self, page: &Given, fields: &[(&str, &str)]) -> String {
        let answer = self.press(page, "send", fields).await;
        let waiting = answer.location().to_owned();
        let page = self.browser.get(&waiting).await;
        assert!(page.body.contains("data-reload"), "{}", page.text());
        Box::pin(self.scene.world.settle()).await;
        self.browser.get(&waiting).await.location().to_owned()
    }
}

fn owned(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// What a browser would send of a shown form.
fn filled(page: &Given) -> Vec<(String, String)> {
    let form = page.body.split("data-check=").nth(1).unwrap().split("</form>").next().unwrap();
    let plain = |text: &str| {
        let text = text.replace("&#38;", "&").replace("&#60;", "<").replace("&#62;", ">");
        text.replace("&#34;", "\"").replace("&#39;", "'")
    };
    let value = |element: &str, name: &str| {
        let found = element.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
        Some(plain(found))
    };
    let mut fields = Vec::new();
    for element in form.split('<').skip(1) {
        let whole = element.split('>').next().unwrap();
        if whole.starts_with("input ") {
            fields.push((value(whole, "name").unwrap(), value(whole, "value").unwrap()));
        } else if whole.starts_with("textarea ") {
            let text = element.split_once('>').unwrap().1;
            fields.push((value(whole, "name").unwrap(), plain(text)));
        } else if whole.starts_with("select ") {
            fields.push((value(whole, "name").unwrap(), String::new()));
        } else if whole.starts_with("option ") && whole.ends_with(" selected") {
            fields.last_mut().unwrap().1 = value(whole, "value").unwrap();
        }
    }
    fields
}

#[tokio::test]
async fn an_invoice_is_written_checked_previewed_and_sent_once() {
    let mut desk = Desk::new().await;
    let path = desk.path.clone();
    let empty = desk.browser.get(&path).await;
    assert_eq!(empty.status, StatusCode::OK);
    assert!(empty.header("content-security-policy").contains("connect-src 'self'"));
    assert!(!empty.text().contains("to correct"), "an empty form has no errors yet");
    // Errors stand at their fields, and the summary leads there.
    let wrong = desk.press(&empty, "send", &[("invoice_number", "W-1")]).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.text().contains("was not sent"), "{}", wrong.text());
    for field in ["due_date", "customer.name", "line_items.0.item.name"] {
        assert!(wrong.body.contains(&format!("href=\"#{field}\"")), "{field}: {}", wrong.text());
        assert!(wrong.body.contains(&format!("id=\"{field}-problem\"")), "{field}");
    }
    assert_eq!(wrong.attribute("id=\"invoice_number\"", "value"), "W-1");
    // Totals are computed exactly, and the empty rows between the lines are left out.
    let good = desk.press(&empty, "check", &INVOICE).await;
    let text = good.text();
    assert!(text.contains("AED\u{a0}1,000.00") && text.contains("AED\u{a0}1,050.00"), "{text}");
    assert!(text.contains("can be sent") && !good.body.contains("<b>"), "{text}");
    assert_eq!(good.attribute("id=\"line_items.1.item.name\"", "value"), "Installation");
    // The script gets the same findings and totals alone.
    let fields = filled(&good);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let part = desk.browser.post("/sandbox/organization/write/check", &fields).await;
    assert!(part.text().contains("AED\u{a0}1,050.00") && !part.body.contains("<html"));
    let preview = desk.press(&good, "preview", &[]).await;
    assert!(
        preview
            .header("content-security-policy")
            .starts_with("default-src 'none'; style-src 'sha256")
    );
    assert!(preview.text().contains("Label printer") && preview.text().contains("1,050.00"));
    Box::pin(desk.scene.world.settle()).await;
    assert!(desk.scene.world.documents().await.is_empty(), "nobody pressed the button");
    // Two clicks send it once.
    let first = desk.press(&good, "send", &[]).await;
    let second = desk.press(&good, "send", &[]).await;
    assert_eq!(first.location(), second.location());
    let document = desk.sent(&good, &[]).await;
    let documents = desk.scene.world.documents().await;
    assert_eq!(documents.len(), 1);
    assert_eq!(documents[0].number, "W-1");
    assert_eq!(documents[0].total_with_vat.to_string(), "1050.00");
    assert!(document.ends_with(&format!("/documents/{}", documents[0].document_id)), "{document}");
}

#[tokio::test]
async fn an_invoice_is_credited_and_copied_with_what_the_form_does_not_show() {
    let mut desk = Desk::new().await;
    let path = desk.path.clone();
    let page = desk.browser.get(&path).await;
    let document = desk.sent(&page, &INVOICE).await;
    let id = document.rsplit('/').next().unwrap().to_owned();
    let credit = desk.browser.get(&format!("{path}?credit={id}")).await;
    assert_eq!(credit.attribute("id=\"previous_document_id\"", "value"), id);
    assert_eq!(credit.attribute("id=\"line_items.0.quantity\"", "value"), "2");
    assert_eq!(credit.attribute("id=\"line_items.1.item.code\"", "value"), "998733");
    let fields = [("credit_note_number", "C-1"), ("credit_note_reason_code", "DL8.61.1.D")];
    desk.sent(&credit, &fields).await;
    let documents = desk.scene.world.documents().await;
    let note = documents.iter().find(|it| it.operation == Operation::CreditNote).unwrap();
    assert_eq!(note.previous_document_id.as_ref().map(|id| id.as_str()), Some(&*id));
    assert_eq!(note.total_with_vat.to_string(), "1050.00");
    let copy = desk.browser.get(&format!("{path}?from={id}")).await;
    assert_eq!(copy.attribute("id=\"invoice_number\"", "value"), "");
    assert_eq!(copy.attribute("id=\"customer.name\"", "value"), "Oasis &#60;b&#62;Supplies");
    let fields =
        [("invoice_number", "W-2"), ("due_date", "2030-02-28"), ("line_items.0.quantity", "3")];
    desk.sent(&copy, &fields).await;
    let documents = desk.scene.world.documents().await;
    let copied = documents.iter().find(|it| it.number == "W-2").unwrap();
    assert_eq!(copied.total_with_vat.to_string(), "1522.61");
    // A credit note cannot be credited, and a foreign document cannot be copied.
    let refused = desk.browser.get(&format!("{path}?credit={}", note.document_id)).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let unknown = desk.browser.get(&format!("{path}?from=doc_0")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    // The buyer of an earlier invoice is filled in, and nothing else changes.
    let empty = desk.browser.get(&path).await;
    assert!(empty.text().contains("Buyer of an earlier invoice"));
    let filled = desk.press(&empty, "buyer", &[("buyer_of", &id), ("note", "Kept")]).await;
    assert_eq!(filled.attribute("id=\"customer.address.city\"", "value"), "Dubai");
    assert!(filled.text().contains("Kept"));
    // The same by the TIN. A business that is served here is known by its name in Sandbox.
    desk.scene.world.onboarded("Palm Retail", "1001234503").await;
    let tin = "customer.electronic_address.id";
    for (number, said, name, city) in [
        ("1001234502", "filled in", "Oasis &#60;b&#62;Supplies", "Dubai"),
        ("1001234503", "filled in", "Palm Retail", ""),
        ("1001234509", "knows a business", "", ""),
        ("TIN", "ten digits", "", ""),
    ] {
        let page = desk.press(&empty, "lookup", &[(tin, number)]).await;
        assert!(page.text().contains(said), "{number}: {}", page.text());
        assert_eq!(page.attribute("id=\"customer.name\"", "value"), name, "{number}");
        assert_eq!(page.attribute("id=\"customer.address.city\"", "value"), city, "{number}");
    }
}

#[tokio::test]
async fn a_draft_is_saved_continued_sent_and_deleted() {
    let mut desk = Desk::new().await;
    let (path, drafts) = (desk.path.clone(), format!("{}/drafts", desk.path));
    let page = desk.browser.get(&path).await;
    let saved = desk.press(&page, "save", &[("invoice_number", "D-1"), ("note", "Later")]).await;
    assert!(saved.text().contains("draft is saved"), "{}", saved.text());
    // A second save of the form replaces the draft.
    desk.press(&saved, "save", &[("note", "Much later")]).await;
    let list = desk.browser.get(&drafts).await;
    assert_eq!(list.body.matches("?draft=").count(), 1);
    let link = list.attribute("?draft=", "href");
    let again = desk.browser.get(&link).await;
    assert!(again.text().contains("Much later"), "{}", again.text());
    assert_eq!(again.attribute("name=\"form\"", "value"), page.attribute("name=\"form\"", "value"));
    // Sending a draft removes it.
    desk.sent(&again, &INVOICE).await;
    assert!(desk.browser.get(&drafts).await.text().contains("No drafts"));
    for _ in 0..MAX_DRAFTS {
        let page = desk.browser.get(&path).await;
        desk.press(&page, "save", &[]).await;
    }
    let page = desk.browser.get(&path).await;
    let full = desk.press(&page, "save", &[]).await;
    assert_eq!(full.status, StatusCode::BAD_REQUEST);
    assert!(full.text().contains("Delete one first"), "{}", full.text());
    let list = desk.browser.get(&drafts).await;
    assert!(list.body.len() <= super::documents::MAX_PAGE, "{}", list.body.len());
    let deleted =
        desk.browser.submit(&list, "/sandbox/organization/write/drafts/delete", &[]).await;
    let list = desk.browser.get(deleted.location()).await;
    assert_eq!(list.body.matches("?draft=").count(), MAX_DRAFTS - 1);
    assert_eq!(desk.scene.world.documents().await.len(), 1);
}

#[tokio::test]
async fn a_hundred_lines_fit_and_each_page_of_them_stays_small() {
    let mut desk = Desk::new().await;
    let path = desk.path.clone();
    desk.browser.language = "ar";
    let mut page = desk.browser.get(&path).await;
    let head: Vec<_> = INVOICE.into_iter().filter(|(name, _)| !name.starts_with("line")).collect();
    for part in 0..10 {
        let mut fields = owned(&head);
        for line in part * 10..part * 10 + 10 {
            for (field, value) in [
                ("item.name", "بند له وصف من كلمات كثيرة"),
                ("item.type_code", "G"),
                ("item.code", "84433250"),
                ("quantity", "1"),
                ("price.net_price", "0.10"),
                ("vat.category_code", "Z"),
            ] {
                fields.push((format!("line_items.{line}.{field}"), value.to_owned()));
            }
        }
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        let next = format!("lines-{}", (part + 1) * 10);
        page = desk.press(&page, &next, &fields).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.body.len() <= super::documents::MAX_PAGE, "{}", page.body.len());
    }
    let checked = desk.press(&page, "check", &[]).await;
    assert!(checked.text().contains("AED\u{a0}10.00"), "{}", checked.text());
    assert!(checked.body.len() <= super::documents::MAX_PAGE, "{}", checked.body.len());
    desk.sent(&checked, &[]).await;
    assert_eq!(desk.scene.world.documents().await[0].total_with_vat.to_string(), "10.00");
}

#[tokio::test]
async fn only_who_may_develop_writes_and_only_for_businesses_that_allow_it() {
    let mut desk = Desk::new().await;
    let path = desk.path.clone();
    // With one business there is nothing to choose.
    let begin = desk.browser.get("/sandbox/organization/write").await;
    assert_eq!(begin.location(), path);
    let business = path.strip_suffix("/write").unwrap();
    assert!(desk.browser.get(business).await.body.contains(&path));
    let page = desk.browser.get(&path).await;
    let mut viewer = desk.scene.browser(Role::Viewer).await;
    assert_eq!(viewer.get(&path).await.status, StatusCode::FORBIDDEN);
    assert!(!viewer.get(business).await.body.contains(&path));
    let fields = filled(&page);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(viewer.post(SEND, &fields).await.status, StatusCode::FORBIDDEN);
    let oasis = desk.scene.world.onboarded("Oasis", "1009876543").await;
    desk.scene.world.grant(&desk.scene.id, &oasis, &[Scope::InvoicesRead]).await;
    let closed = format!("/sandbox/organization/taxpayers/{}/write", oasis.taxpayer_id);
    assert_eq!(desk.browser.get(&closed).await.status, StatusCode::NOT_FOUND);
    // A form that was shown too long ago, or with a rest that nobody wrote, is refused.
    for (name, value) in [("form", "imp_0"), ("rest", "?"), ("rest", "W10"), ("kind", "statement")]
    {
        let answer = desk.press(&page, "check", &[(name, value)]).await;
        let expected = if name == "form" { StatusCode::GONE } else { StatusCode::BAD_REQUEST };
        assert_eq!(answer.status, expected, "{name}={value}");
    }
    assert!(desk.scene.world.documents().await.is_empty());
}

#[tokio::test]
async fn a_rejected_document_is_corrected_and_sent_again_under_its_number() {
    let mut desk = Desk::new().await;
    let (form, empty) = (desk.path.clone(), desk.browser.get(&desk.path.clone()).await);
    let there = desk.sent(&empty, &INVOICE).await;
    let sent = desk.scene.world.documents().await.remove(0);
    let id = sent.document_id.clone();
    let link = format!("href=\"{form}?correct={id}\"");
    assert!(!desk.browser.get(&there).await.body.contains(&link), "it has arrived");
    let refused = desk.browser.get(&format!("{form}?correct={id}")).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let known: DocumentRecord =
        serde_json::from_str(include_str!("../../store/fixtures/document.json")).unwrap();
    let mls = known.message_level_status.unwrap();
    let mls = MessageLevelStatus { code: MlsCode::Rejected, ..mls };
    let rejected = DocumentRecord {
        status: Status::Rejected,
        message_level_status: Some(mls),
        ..sent.clone()
    };
    let key = Key::document(Mode::Sandbox, &sent.taxpayer_id, &id);
    desk.scene.world.put(key, &rejected).await;
    assert!(desk.browser.get(&there).await.body.contains(&link));
    let page = desk.browser.get(&format!("{form}?correct={id}")).await;
    assert!(page.text().contains(&format!("corrects {id}")), "{}", page.text());
    assert_eq!(page.attribute("id=\"invoice_number\"", "value"), "W-1");
    assert_eq!(page.attribute("id=\"due_date\"", "value"), "2030-01-31");
    let other = desk.browser.get(&format!("{form}?correct={id}")).await;
    // Two different corrections are sent. One of them is refused, and what was written is not lost.
    let first = desk.press(&page, "send", &[("customer.name", "Oasis Trading")]).await;
    assert_eq!(first.status, StatusCode::SEE_OTHER);
    let second = desk.press(&other, "send", &[("note", "Kept")]).await;
    Box::pin(desk.scene.world.settle()).await;
    let documents = desk.scene.world.documents().await;
    assert_eq!(documents.len(), 2);
    let correction = documents.iter().find(|it| it.document_id != id).unwrap();
    assert_eq!(correction.corrects_document_id.as_ref(), Some(&id));
    assert_eq!(correction.number, "W-1");
    let (refused, written) = match &*correction.customer.name {
        "Oasis Trading" => (second, "Kept"),
        _ => (first, "Oasis Trading"),
    };
    let waiting = refused.location().to_owned();
    let outcome = desk.browser.get(&waiting).await;
    assert!(outcome.text().contains("Not sent"), "{}", outcome.text());
    let import_id = waiting.rsplit('/').next().unwrap();
    let back = format!("{form}?refused={import_id}");
    assert!(outcome.body.contains(&format!("href=\"{back}\"")), "{}", outcome.text());
    let form = desk.browser.get(&back).await;
    assert!(form.body.contains(written) && form.text().contains("already been corrected"));
    assert!(!desk.browser.get(&there).await.body.contains(&link), "it was corrected");
}

/// The fields of [`INVOICE`] with the seller in place of the buyer.
fn self_billed() -> Vec<(String, String)> {
    let renamed = |(name, value): &(&str, &str)| {
        let name = name.replace("customer.", "supplier.");
        (name, (*value).to_owned())
    };
    let registration = [
        ("supplier.legal_registration.id", "TL-1234"),
        ("supplier.legal_registration.type", "TL"),
        ("supplier.legal_registration.authority_name", "Dubai Economy"),
    ];
    INVOICE.iter().map(renamed).chain(owned(&registration)).collect()
}

#[tokio::test]
async fn a_self_billed_invoice_is_written_with_its_seller_sent_copied_and_credited() {
    let mut desk = Desk::new().await;
    let form = desk.path.clone();
    let empty = desk.browser.get(&form).await;
    let other = format!("{form}?kind=self_billed_invoice");
    assert!(empty.body.contains(&format!("href=\"{other}\"")), "{}", empty.body);
    assert!(!empty.body.contains("name=\"supplier.name\""), "the business is the seller");
    let page = desk.browser.get(&other).await;
    assert!(page.text().contains("New self-billed invoice"), "{}", page.text());
    assert!(page.body.contains("name=\"supplier.name\""), "{}", page.body);
    assert!(!page.body.contains("name=\"customer.name\""), "the business is the buyer");
    let wrong = desk.press(&page, "send", &[("invoice_number", "W-1")]).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    let fields = self_billed();
    let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let checked = desk.press(&page, "check", &fields).await;
    assert!(checked.text().contains("The document can be sent."), "{}", checked.text());
    // Other kinds are offered only while nothing would be lost.
    assert!(!checked.body.contains("?kind=credit_note"), "{}", checked.body);
    let there = desk.sent(&page, &fields).await;
    let sent = desk.scene.world.documents().await.remove(0);
    assert_eq!(sent.operation, Operation::SelfBilledInvoice);
    assert_eq!((&*sent.supplier.name, &*sent.customer.name), ("Oasis <b>Supplies", "Falcon"));
    let shown = desk.browser.get(&there).await;
    let id = sent.document_id.clone();
    let (copy, credit) = (format!("{form}?from={id}"), format!("{form}?credit={id}"));
    for link in [&copy, &credit] {
        assert!(shown.body.contains(&format!("href=\"{link}\"")), "{link}: {}", shown.body);
    }
    let copied = desk.browser.get(&copy).await;
    let seller = copied.attribute("name=\"supplier.name\"", "value");
    assert_eq!((copied.status, seller.contains("Supplies")), (StatusCode::OK, true));
    // The seller of the earlier invoice is offered, and found by its TIN.
    let page = desk.browser.get(&other).await;
    assert!(page.body.contains(&format!("<option value=\"{id}\"")), "{}", page.body);
    let tin = [("supplier.electronic_address.id", "1001234502")];
    let found = desk.press(&page, "lookup", &tin).await;
    assert_eq!(found.attribute("name=\"supplier.address.city\"", "value"), "Dubai");
    let page = desk.browser.get(&credit).await;
    assert!(page.text().contains("New self-billed credit note"), "{}", page.text());
    let fields = [("credit_note_number", "C-1"), ("credit_note_reason_code", "DL8.61.1.D")];
    desk.sent(&page, &fields).await;
    let mut documents = desk.scene.world.documents().await;
    documents.retain(|it| it.operation == Operation::SelfBilledCreditNote);
    assert_eq!(documents.len(), 1);
    assert_eq!(documents[0].supplier.name, "Oasis <b>Supplies");
}
