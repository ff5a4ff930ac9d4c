//! Tables, and findings by row and column.

use super::*;

#[tokio::test]
async fn a_table_that_is_not_sorted_sends_no_invoice_without_some_of_its_lines() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let good = include_str!("../../../../../events/imports/invoices.csv");
    let [names, first, second, other] = good.lines().collect::<Vec<_>>().try_into().unwrap();
    let third = other.replace("INV-2002", "INV-2003");
    let table = [names, first, other, second, &third].join("\n");
    let record = Box::pin(imported(&world, &caller, table)).await;
    assert_eq!((record.documents, record.counts), (4, counts(2, 0, 2)));
    assert_eq!(sent(&world).await, ["INV-2002", "INV-2003"]);
    let listed = String::from_utf8(result(&world, &record).await).unwrap();
    for row in ["2", "4"] {
        let begins =
            format!("{row},{row},INV-2001,refused,,validation_failed,error,AP-IMPORT-apart,{row},");
        assert!(listed.contains(&begins), "{listed}");
    }
    assert!(listed.contains("rows 2 and 4 have the number \"\"INV-2001\"\""), "{listed}");
}

#[tokio::test]
async fn a_table_is_answered_by_a_table_with_the_row_and_column_to_correct() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let good = include_str!("../../../../../events/imports/invoices.csv");
    let spoiled = good.replacen(",20,C62,", ",=20,C62,", 1);
    let record = Box::pin(imported(&world, &caller, spoiled)).await;
    assert_eq!((record.format, record.documents, record.counts), (Format::Csv, 2, counts(1, 0, 1)));
    assert_eq!(sent(&world).await, ["INV-2002"]);
    let table = result(&world, &record).await;
    let mut reader = csv::Reader::from_reader(table.as_slice());
    let headings = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cell = |row: usize, name: &str| {
        let at = headings.iter().position(|heading| heading == name).unwrap();
        rows[row].get(at).unwrap().to_owned()
    };
    assert_eq!((cell(0, "row"), cell(0, "last_row")), ("2".to_owned(), "3".to_owned()));
    assert_eq!(
        (cell(0, "number"), cell(0, "outcome")),
        ("INV-2001".to_owned(), "refused".to_owned())
    );
    assert_eq!(cell(0, "column"), "line_items.quantity");
    assert_eq!(
        (cell(0, "finding_row"), cell(0, "code")),
        ("3".to_owned(), "validation_failed".to_owned())
    );
    let last = rows.len() - 1;
    assert_eq!((cell(last, "row"), cell(last, "outcome")), ("4".to_owned(), "accepted".to_owned()));
    assert!(!cell(last, "document_id").is_empty());
    // A caller's text is no formula in a spreadsheet.
    let formula = good.replace("INV-2002", "=2+5");
    let record = Box::pin(imported(&world, &caller, formula)).await;
    let table = String::from_utf8(result(&world, &record).await).unwrap();
    assert!(table.contains(",'=2+5,"), "{table}");
}

#[tokio::test]
async fn a_torn_row_refuses_its_document_and_no_other() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let good = include_str!("../../../../../events/imports/invoices.csv");
    let (names, _) = good.split_once('\n').unwrap();
    let torn = good.replacen(",20,C62,", ",20,C62,,", 1);
    let record = Box::pin(imported(&world, &caller, torn)).await;
    assert_eq!(record.counts, counts(1, 0, 1));
    assert_eq!(sent(&world).await, ["INV-2002"]);
    let table = String::from_utf8(result(&world, &record).await).unwrap();
    let columns = names.split(',').count();
    let said = format!("row 3 has {} values, but there are {columns} columns", columns + 1);
    assert!(table.contains(&said) && table.contains("AP-IMPORT-row"), "{table}");
}

#[tokio::test]
async fn every_finding_about_a_long_document_is_listed() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut long = invoice("A-1", BUYER);
    let mut line = long["line_items"][0].clone();
    line["quantity"] = json!("two");
    line["price"]["net_price"] = json!("three");
    long["line_items"] = json!(vec![line; 100]);
    // Another document in the file keeps its share of the findings.
    let file = lines(&[long, invoice("A-2", BUYER)]);
    let record = Box::pin(imported(&world, &caller, file)).await;
    assert_eq!(record.counts, counts(1, 0, 1));
    let listed = outcomes(&world, &record).await;
    let pointers: Vec<_> =
        listed[0].findings.iter().map(|it| it.finding.pointer.as_str()).collect();
    for line in 0..100 {
        for field in ["quantity", "price/net_price"] {
            let pointer = format!("/line_items/{line}/{field}");
            assert!(pointers.contains(&pointer.as_str()), "{pointer} of {}", pointers.len());
        }
    }
    assert!(listed[0].findings.iter().all(|it| it.finding.rule != "AP-FINDINGS"));
}
