//! Files of documents.

use super::*;

#[tokio::test]
async fn a_file_is_imported_on_the_page_of_the_business_and_its_result_downloaded() {
    const READ: &str = "/sandbox/organization/imports/read";
    const CREATE: &str = "/sandbox/organization/imports/create";
    const CSV: &str = include_str!("../../../../../events/imports/invoices.csv");
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead, Scope::InvoicesWrite]).await;
    let business = format!("/sandbox/organization/taxpayers/{}", falcon.taxpayer_id);
    let path = format!("{business}/imports");
    let mut browser = scene.browser(Role::Developer).await;
    assert!(browser.get(&business).await.body.contains(&path), "its page leads there");
    let page = browser.get(&path).await;
    assert!(page.text().contains("No imports yet"), "{}", page.text());
    let kind = [("type", "invoice")];
    let business = path.strip_suffix("/imports").unwrap();
    assert!(page.links().contains(&business.to_owned()), "{:?}", page.links());
    let wrong = browser.upload(&page, READ, &kind, ("x.csv", "nothing\n1\n")).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.text().contains("is not a column"), "{}", wrong.text());
    let read = browser.upload(&page, READ, &kind, ("July <b>.csv", CSV)).await;
    let shown = browser.get(read.location()).await;
    assert!(shown.links().contains(&path), "{:?}", shown.links());
    let taken = browser.submit(&shown, CREATE, &[]).await;
    assert_eq!(taken.location(), format!("{path}?done=begun"));
    let page = browser.get(taken.location()).await;
    assert!(page.text().contains("0/2") && page.body.contains("data-refresh"), "{}", page.body);
    assert!(page.text().contains("July") && !page.body.contains("<b>"));
    Box::pin(scene.world.settle()).await;
    let page = browser.get(&path).await;
    assert!(page.text().contains("2/2") && !page.body.contains("data-refresh"), "{}", page.text());
    let result = page.attribute("/result\"", "href");
    let given = browser.get(&result).await;
    assert_eq!(given.header("content-type"), "text/csv; charset=utf-8");
    let saved = given.header("content-disposition");
    assert!(saved.starts_with("attachment; filename=\"July-"), "{saved}");
    assert!(saved.ends_with("-result.csv\""), "{saved}");
    assert_eq!(given.body.matches(",accepted,").count(), given.body.lines().count() - 1);
    assert_eq!(scene.world.documents().await.len(), 2);
    // A form of another page or browser is refused, and so is a file without the form's token.
    let mut stranger = Browser::new(scene.router.clone());
    let forged = stranger.upload(&page, READ, &kind, ("x.csv", CSV)).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    let forged = stranger.submit(&shown, CREATE, &[]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    // A viewer sees the list without a form.
    let page = scene.browser(Role::Viewer).await.get(&path).await;
    assert!(page.text().contains("2/2") && !page.body.contains(READ));
    let looked = scene.browser(Role::Viewer).await.get(read.location()).await;
    assert_eq!(looked.status, StatusCode::FORBIDDEN);
    // Without a grant to send, there is no such page for a business.
    let oasis = scene.world.onboarded("Oasis", "1009876543").await;
    scene.world.grant(&scene.id, &oasis, &[Scope::InvoicesRead]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", oasis.taxpayer_id);
    assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND);
}

/// A mistaken choice of a file sends no tax invoices.
#[tokio::test]
async fn a_chosen_file_is_shown_with_counts_and_totals_and_sends_nothing_before_its_button() {
    const READ: &str = "/sandbox/organization/imports/read";
    const CREATE: &str = "/sandbox/organization/imports/create";
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead, Scope::InvoicesWrite]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", falcon.taxpayer_id);
    let mut browser = scene.browser(Role::Developer).await;
    let body = |number: &str, quantity: u32, currency: &str, is_good: bool| {
        let mut body: Value =
            serde_json::from_str(include_str!("../../../../../events/invoices/minimal.json"))
                .unwrap();
        body["invoice_number"] = number.into();
        body["line_items"][0]["quantity"] = quantity.to_string().into();
        body["line_items"][0]["price"] = json!({"net_price": "1000.00"});
        body["currency"] = currency.into();
        if currency != "AED" {
            body["currency_exchange_rate"] = "3.6725".into();
        }
        if !is_good {
            body["customer"]["name"] = Value::Null;
        }
        format!("{body}\n")
    };
    let file = [
        body("A-1", 1, "AED", true),
        body("A-2", 59, "AED", true),
        body("A-3", 1, "AED", false),
        body("A-4", 2, "USD", true),
    ]
    .concat();
    let page = browser.get(&path).await;
    assert!(!page.body.contains(CREATE), "the page of the drop sends nothing");
    let read = browser.upload(&page, READ, &[("type", "invoice")], ("July.ndjson", &file)).await;
    let check = read.location().to_owned();
    let shown = browser.get(&check).await;
    assert_eq!(shown.status, StatusCode::OK);
    let text = shown.text();
    for said in [
        "Nothing was sent yet",
        "July.ndjson",
        "AED\u{a0}60,000.00",
        "AED\u{a0}63,000.00",
        "USD\u{a0}2,100.00",
        "ibr-007",
        "Send 3 of 4 documents",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    // Reading the page again, also in the other language, sends nothing.
    let arabic = browser.get(&format!("{check}&lang=ar")).await.text();
    assert!(
        arabic.contains("لم يُرسَل شيء بعد") && arabic.contains("إرسال 3 من 4 مستند"),
        "{arabic}"
    );
    browser.get(&format!("{check}&lang=en")).await;
    Box::pin(scene.world.settle()).await;
    assert!(scene.world.documents().await.is_empty(), "nobody pressed the button");
    assert!(browser.get(&path).await.text().contains("No imports yet"));
    // One document is shown as people read it, and those with errors are a file of their own.
    let preview = browser.get(&shown.attribute("/preview?", "href")).await;
    assert!(preview.header("content-security-policy").starts_with("default-src 'none'; style-src"));
    assert!(preview.text().contains("A-1") && preview.text().contains("1,050.00"));
    let refused = browser.get(&shown.attribute("/refused?", "href")).await;
    assert!(refused.header("content-disposition").ends_with("-refused.ndjson\""));
    assert_eq!(refused.body.lines().count(), 1);
    assert!(refused.body.contains("A-3"), "{}", refused.body);
    let workbook = browser.get(&page.attribute("/imports/template?format=xlsx", "href")).await;
    assert_eq!(workbook.header("content-disposition"), "attachment; filename=\"invoices.xlsx\"");
    assert!(workbook.body.starts_with("PK"), "{}", workbook.body);
    let template = browser.get(&page.attribute("/imports/template\"", "href")).await;
    assert!(template.body.starts_with("invoice_number,"), "{}", template.body);
    // Another organization does not find the file by its name, and neither does another business.
    let import_id = check.split('/').nth_back(1).unwrap().to_owned();
    let oasis = scene.world.onboarded("Oasis", "1009876543").await;
    scene.world.grant(&scene.id, &oasis, &[Scope::InvoicesWrite]).await;
    let elsewhere = check.replace(falcon.taxpayer_id.as_str(), oasis.taxpayer_id.as_str());
    assert_eq!(browser.get(&elsewhere).await.status, StatusCode::GONE);
    // Two clicks send it once.
    for _ in 0..2 {
        let sent = browser.submit(&shown, CREATE, &[]).await;
        assert_eq!(sent.location(), format!("{path}?done=begun"));
    }
    assert_eq!(scene.entries_of(Action::ImportCreated).await, 1);
    Box::pin(scene.world.settle()).await;
    assert_eq!(scene.world.documents().await.len(), 3);
    let list = browser.get(&path).await;
    assert!(list.body.contains(&import_id) && list.text().contains("4/4"), "{}", list.text());
    // The file is kept for an hour.
    let read = browser.upload(&page, READ, &[("type", "invoice")], ("x.ndjson", &file)).await;
    let check = read.location().to_owned();
    let shown = browser.get(&check).await;
    scene.world.clock.advance(crate::service::imports::HELD);
    let mut browser = scene.browser(Role::Developer).await;
    let gone = browser.get(&check).await;
    assert_eq!(gone.status, StatusCode::GONE, "{}", gone.text());
    let page = browser.get(&path).await;
    let token = page.hidden(READ).swap_remove(0).1;
    let mut fields = shown.hidden(CREATE);
    fields.retain(|(name, _)| name != "form_token");
    let mut fields: Vec<_> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("form_token", &token));
    let late = browser.post(CREATE, &fields).await;
    assert_eq!(late.status, StatusCode::GONE, "{}", late.text());
    assert!(late.text().contains("The file has expired"), "{}", late.text());
    assert_eq!(scene.entries_of(Action::ImportCreated).await, 1);
}

#[tokio::test]
async fn a_file_that_nothing_could_be_sent_of_is_not_taken_on_the_page() {
    const CSV: &str = include_str!("../../../../../events/imports/invoices.csv");
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::InvoicesWrite]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", falcon.taxpayer_id);
    let portal = Portal { queued_delivery: false, ..scene.world.portal(ORIGIN) };
    let mut browser = scene.browser(Role::Developer).await;
    browser.router = router(Arc::new(portal), crate::pages::organization::routes(Router::new()));
    let page = browser.get(&path).await;
    let read = "/sandbox/organization/imports/read";
    let kind = [("type", "invoice")];
    let refused = browser.upload(&page, read, &kind, ("x.csv", CSV)).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text().contains("queued delivery"), "{}", refused.text());
    let page = browser.get(&path).await;
    assert!(page.text().contains("No imports yet"), "{}", page.text());
    // The texts of the script are in the page.
    assert!(page.body.contains("data-drop-many hidden"), "{}", page.body);
    assert!(page.text().contains("one file at a time"), "{}", page.text());
}
