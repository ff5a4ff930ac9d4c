//! Imports of tables with foreign headings.

use super::{organization::Scene, *};
use crate::access::{Role, Scope};

const CHOOSE: &str = "/sandbox/organization/imports/columns";
const READ: &str = "/sandbox/organization/imports/read";

/// The sample table with the headings of another program, and a column that no document has.
fn foreign(prefix: &str) -> String {
    let csv = include_str!("../../../../events/imports/invoices.csv");
    let csv = csv.replace("INV-", prefix).replacen("invoice_number", "Invoice No.", 1);
    let csv = csv.replacen("customer.name", "Client", 1);
    let lines = csv.lines().enumerate().map(|(at, line)| match at {
        0 => format!("{line},Colour\n"),
        _ => format!("{line},blue\n"),
    });
    lines.collect()
}

#[tokio::test]
async fn foreign_columns_are_asked_for_once_remembered_and_changeable() {
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead, Scope::InvoicesWrite]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", falcon.taxpayer_id);
    let mut browser = scene.browser(Role::Developer).await;
    let page = browser.get(&path).await;
    let (kind, file) = ([("type", "invoice")], foreign("F-"));
    let asked = browser.upload(&page, READ, &kind, ("July.csv", &file)).await;
    let columns = asked.location().to_owned();
    assert!(columns.contains("/columns?"), "{columns}");
    let page = browser.get(&columns).await;
    assert!(page.text().contains("Client") && page.text().contains("July.csv"), "{}", page.text());
    assert_eq!(page.attribute("id=\"column-0\"", "value"), "invoice_number");
    let places = page.body.matches("list=\"fields\"").count();
    let ids: Vec<_> = (0..places).map(|at| format!("column-{at}")).collect();
    let filled: Vec<_> =
        ids.iter().map(|id| page.attribute(&format!("id=\"{id}\""), "value")).collect();
    assert!(filled.iter().any(|field| field == "customer.name"), "{filled:?}");
    assert_eq!(filled.last().map(String::as_str), Some(""), "nobody knows what a colour is");
    let fields: Vec<_> = ids.iter().zip(&filled).map(|(id, field)| (&**id, &**field)).collect();
    // A field that there is none of is refused, and what was entered stays.
    let wrong = [&fields[..places - 1], &[(&*ids[places - 1], "colour")]].concat();
    let refused = browser.submit(&page, CHOOSE, &wrong).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text().contains("is not a column"), "{}", refused.text());
    let mapped = browser.submit(&page, CHOOSE, &fields).await;
    let check = browser.get(mapped.location()).await;
    assert!(check.text().contains("Send 2 documents"), "{}", check.text());
    assert!(check.body.contains("/columns?"), "the columns can be changed");
    // The next file with these headings is read at once.
    let page = browser.get(&path).await;
    let again = browser.upload(&page, READ, &kind, ("August.csv", &foreign("G-"))).await;
    assert!(again.location().contains("/check?"), "{}", again.location());
    let check = browser.get(again.location()).await;
    assert!(check.text().contains("Send 2 documents"), "{}", check.text());
    let change = browser.get(&check.attribute("/columns?", "href")).await;
    assert_eq!(change.attribute("id=\"column-0\"", "value"), "invoice_number");
}
