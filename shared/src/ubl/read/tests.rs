//! Tests what is read from our own documents, and what is listed as unmapped in other documents.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::*;
use crate::{
    document::{self, Profile},
    ubl::{
        self,
        tests::{document, falcon, full_taxpayer, maximal, minimal},
    },
    xml,
};
use serde_json::{Value, json};

fn read(ubl: &str) -> Content {
    content(&xml::parse(ubl.as_bytes()).unwrap()).unwrap()
}

fn written(operation: Operation, taxpayer: &Value, body: &Value) -> String {
    String::from_utf8(ubl::write(&document(operation, taxpayer, body))).unwrap()
}

/// Reads the maximal invoice after one substitution.
fn changed(from: &str, to: &str) -> Content {
    let operation = Operation::Invoice;
    let ubl = written(operation, &full_taxpayer(operation), &maximal(operation));
    assert!(ubl.contains(from), "{from}");
    read(&ubl.replacen(from, to, 1))
}

/// The path and value of all unmapped values.
fn left(content: &Content) -> Vec<(&str, &str)> {
    let values = content.unmapped.values.iter();
    values.map(|left| (left.path.as_str(), left.value.as_str())).collect()
}

/// Sends the content of a document again and expects the same bytes.
fn assert_round_trip(operation: Operation, taxpayer: &Value, body: &Value, what: &str) -> Content {
    let ubl = written(operation, taxpayer, body);
    let content = read(&ubl);
    assert_eq!(content.operation, operation, "{what}");
    assert_eq!(content.unmapped, Unmapped::default(), "{what}");
    let again = written(operation, taxpayer, &content.body.to_json());
    assert!(again == ubl, "{what}:\n{again}\nfrom\n{:#}", content.body.to_json());
    content
}

#[test]
fn the_content_of_our_documents_sent_again_gives_the_same_bytes() {
    for operation in Operation::ALL {
        let name = operation.as_str();
        assert_round_trip(operation, &falcon(), &minimal(operation), name);
        let taxpayer = full_taxpayer(operation);
        assert_round_trip(operation, &taxpayer, &maximal(operation), name);
    }
}

/// The JSON files of a folder of the repository.
fn bodies(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    assert!(!files.is_empty());
    files
}

fn json_of(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
fn every_sample_and_every_body_of_an_official_example_comes_back() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/taxpayers");
    let mut count = 0;
    for operation in Operation::ALL {
        let samples = format!("events{}", operation.path());
        let examples =
            format!("tests/conformance/bodies/{}", operation.path()[1..].replace('/', "-"));
        for file in bodies(&samples).into_iter().chain(bodies(&examples)) {
            let body = json_of(&file);
            let own = demo.join("examples").join(file.file_name().unwrap());
            let taxpayer = match (&body["supplier"], operation.is_self_billed()) {
                (_, true) if own.exists() => json_of(&own),
                (Value::Object(_), false) => body["supplier"].clone(),
                _ => json_of(&demo.join("falcon.json")),
            };
            assert_round_trip(operation, &taxpayer, &body, &file.display().to_string());
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn a_body_is_read_in_full_with_every_amount_as_written() {
    let operation = Operation::Invoice;
    let taxpayer = full_taxpayer(operation);
    let content = assert_round_trip(operation, &taxpayer, &maximal(operation), "");
    let actual = content.body.to_json();
    for (field, _) in operation.fields() {
        let is_beside = matches!(
            field,
            "profile" | "mls_type" | "source_id" | "metadata" | "corrects_document_id"
        );
        // The line names the despatch advice.
        let is_absent = field == "despatch_advice_reference";
        assert_eq!(actual.get(field).is_none(), is_beside || is_absent, "{field}");
    }
    assert_eq!(actual["currency_exchange_rate"], "3.6725");
    assert_eq!(actual["line_items"][0]["price"]["net_price"], "90.125");
    assert_eq!(actual["totals"]["rounding_amount"], "0.02");
    assert_eq!(
        actual["payment_means"][2]["direct_debit"]["creditor_identifier"],
        "AE98ZZZ09999999999"
    );
    assert_eq!(actual["supporting_documents"][0]["attachment"]["content_base64"], "JVBERi0=");
}

#[test]
fn the_buyer_of_a_self_billed_document_is_read_beside_its_body() {
    for operation in Operation::ALL {
        let content = read(&written(operation, &falcon(), &minimal(operation)));
        let beside = content.customer.map(|customer| customer.name.unwrap());
        let expected = operation.is_self_billed().then(|| "Falcon Trading LLC".to_owned());
        assert_eq!(beside, expected, "{operation}");
        assert_eq!(content.body.customer.is_some(), !operation.is_self_billed(), "{operation}");
    }
}

#[test]
fn what_a_credit_note_credits_is_read_as_an_external_reference() {
    let operation = Operation::CreditNote;
    let content = read(&written(operation, &full_taxpayer(operation), &maximal(operation)));
    let actual = content.body.to_json();
    assert_eq!(actual["original_reference_kind"], "external");
    assert_eq!(actual["original_invoice_number"], "INV-7");
    assert_eq!(actual["original_issue_date"], "2026-10-30");
    assert_eq!(
        actual["preceding_invoice_references"],
        json!([{ "id": "INV-0", "issue_date": "2026-10-01" }])
    );
}

#[test]
fn what_has_no_field_is_listed_with_its_place() {
    let line = "/ubl:Invoice/cac:InvoiceLine[1]";
    for (from, to, expected) in [
        (
            "<cbc:ID>INV-1</cbc:ID>",
            "<cbc:ID schemeID=\"X\">INV-1</cbc:ID><cbc:CopyIndicator>false</cbc:CopyIndicator>",
            vec![
                ("/ubl:Invoice/cbc:ID/@schemeID".to_owned(), "X"),
                ("/ubl:Invoice/cbc:CopyIndicator".to_owned(), "false"),
            ],
        ),
        // A second element where a body has one field.
        (
            "<cbc:BuyerReference>",
            "<cbc:Note>more</cbc:Note><cbc:BuyerReference>",
            vec![("/ubl:Invoice/cbc:Note[2]".to_owned(), "more")],
        ),
        // Forms that a body does not accept.
        (
            "<cbc:DueDate>2026-12-20<",
            "<cbc:DueDate>2026-12-20Z<",
            vec![("/ubl:Invoice/cbc:DueDate".to_owned(), "2026-12-20Z")],
        ),
        (
            "<cbc:BaseAmount currencyID=\"USD\">100.00<",
            "<cbc:BaseAmount currencyID=\"EUR\">100.00<",
            vec![
                ("/ubl:Invoice/cac:AllowanceCharge[1]/cbc:BaseAmount".to_owned(), "100.00"),
                (
                    "/ubl:Invoice/cac:AllowanceCharge[1]/cbc:BaseAmount/@currencyID".to_owned(),
                    "EUR",
                ),
            ],
        ),
        // Attributes and elements that no schema declares, and empty ones.
        (
            "<cbc:AccountingCost>COST-1<",
            "<x:More xmlns:x=\"urn:x\" x:of=\"1\"><x:It/></x:More><cbc:AccountingCost>COST-1<",
            vec![(format!("{line}/x:More/@x:of"), "1"), (format!("{line}/x:More/x:It"), "")],
        ),
        // Text between elements.
        ("<cac:Price>", "<cac:Price> about ", vec![(format!("{line}/cac:Price"), "about")]),
        // A reference of another type.
        (
            "<cbc:DocumentTypeCode>130</cbc:DocumentTypeCode>",
            "<cbc:DocumentTypeCode>916</cbc:DocumentTypeCode>",
            vec![
                (
                    "/ubl:Invoice/cac:AdditionalDocumentReference[3]/cbc:ID/@schemeID".to_owned(),
                    "AAJ",
                ),
                (
                    "/ubl:Invoice/cac:AdditionalDocumentReference[3]/cbc:DocumentTypeCode"
                        .to_owned(),
                    "916",
                ),
            ],
        ),
    ] {
        let content = changed(from, to);
        let expected: Vec<_> =
            expected.iter().map(|(path, value)| (path.as_str(), *value)).collect();
        assert_eq!(left(&content), expected, "{to}");
        assert!(!content.unmapped.is_cut);
    }
}

#[test]
fn an_object_without_what_it_cannot_lack_is_left_whole() {
    let content =
        changed("<cbc:PrimaryAccountNumberID>XXXXXXXXXXXX1234</cbc:PrimaryAccountNumberID>", "");
    assert_eq!(content.body.payment_means[1].card, None);
    let card = "/ubl:Invoice/cac:PaymentMeans[2]/cac:CardAccount";
    assert_eq!(
        left(&content),
        [
            (format!("{card}/cbc:NetworkID").as_str(), "NA"),
            (format!("{card}/cbc:HolderName").as_str(), "A. Person"),
        ]
    );
    // A line without a quantity is not read.
    let content = changed("<cbc:InvoicedQuantity unitCode=\"KGM\">2.5</cbc:InvoicedQuantity>", "");
    assert_eq!(content.body.line_items.len(), 2);
    let of_line = |(path, _): &(&str, &str)| path.starts_with("/ubl:Invoice/cac:InvoiceLine[1]/");
    assert!(left(&content).len() > 40 && left(&content).iter().all(of_line));
}

/// The first and the last line of each element below the root, in the layout of the writer.
fn elements(lines: &[&str]) -> Vec<(usize, usize)> {
    let of_element = |(at, line): (usize, &&str)| {
        let indent = line.len() - line.trim_start().len();
        let name = line.trim_start().strip_prefix('<')?.split([' ', '>']).next()?;
        if indent == 0 || name.starts_with('/') {
            return None;
        }
        let end = format!("</{name}>");
        let is_end =
            |line: &&str| line.ends_with(&end) && line.len() - line.trim_start().len() == indent;
        Some((at, at + lines[at..].iter().position(is_end)?))
    };
    lines.iter().enumerate().filter_map(of_element).collect()
}

/// Replaces the text of each value by a unique text.
fn renamed(lines: &[&str]) -> (String, Vec<String>) {
    let (mut text, mut marks) = (String::new(), Vec::new());
    for line in lines {
        match (line.find('>'), line.rfind("</")) {
            (Some(start), Some(end)) if start < end => {
                let mark = format!("mark{}.", marks.len());
                text += &format!("{}{mark}{}\n", &line[..=start], &line[end..]);
                marks.push(mark);
            }
            _ => text += &format!("{line}\n"),
        }
    }
    (text, marks)
}

#[test]
fn whatever_is_added_or_changed_is_read_or_listed() {
    for (turn, operation) in Operation::ALL.into_iter().enumerate() {
        let ubl = written(operation, &full_taxpayer(operation), &maximal(operation));
        // A line break inside a value would split its line.
        let ubl = ubl.replace("Line 1\nLine 2", "Line 1");
        let lines: Vec<&str> = ubl.lines().collect();
        let elements = elements(&lines);
        assert!(elements.len() > 150, "{}", elements.len());
        for (at, (first, last)) in elements.into_iter().enumerate() {
            let (changed, marks) = renamed(&lines[first..=last]);
            // Replaces the element, inserts a copy before it, or inserts one behind it. The cases alternate, to save
            // time.
            let places = [(first, last + 1), (first, first), (last + 1, last + 1)];
            let (keep, drop) = places[(at + turn) % places.len()];
            let (before, behind) = (lines[..keep].join("\n"), lines[drop..].join("\n"));
            let ubl = format!("{before}\n{changed}{behind}");
            let Ok(content) = content(&xml::parse(ubl.as_bytes()).unwrap()) else {
                assert!(changed.contains("CustomizationID"), "{changed}");
                continue;
            };
            let actual = format!("{} {:?}", content.body.to_json(), content.customer);
            let left = left(&content);
            for mark in &marks {
                let is_listed = left.iter().any(|(_, value)| value == mark);
                assert!(actual.contains(mark.as_str()) != is_listed, "{mark} of {changed}");
            }
        }
    }
}

#[test]
fn a_credit_note_has_what_its_body_has_and_no_more() {
    let operation = Operation::SelfBilledCreditNote;
    let ubl = written(operation, &falcon(), &minimal(operation)).replace(
        "  <cac:TaxTotal>\n    <cbc:TaxAmount",
        "  <cac:Delivery><cbc:ActualDeliveryDate>2026-11-10</cbc:ActualDeliveryDate></cac:Delivery>\n  \
         <cac:PaymentMeans><cbc:PaymentMeansCode>10</cbc:PaymentMeansCode></cac:PaymentMeans>\n  \
         <cac:TaxTotal>\n    <cbc:TaxAmount",
    );
    assert_eq!(
        left(&read(&ubl)),
        [
            ("/ubl:CreditNote/cac:Delivery/cbc:ActualDeliveryDate", "2026-11-10"),
            ("/ubl:CreditNote/cac:PaymentMeans/cbc:PaymentMeansCode", "10"),
        ]
    );
}

#[test]
fn a_document_that_extends_pint_ae_is_read_as_what_it_extends() {
    let content = changed("pint:billing-1@ae-1<", "pint:billing-1@ae-1@more<");
    assert_eq!(content.operation, Operation::Invoice);
    let customization = "urn:peppol:pint:billing-1@ae-1@more";
    assert_eq!(left(&content), [("/ubl:Invoice/cbc:CustomizationID", customization)]);
}

#[test]
fn where_the_schema_is_says_nothing_about_the_document() {
    let hint =
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"urn:x x\"";
    assert_eq!(left(&changed("<Invoice ", &format!("<Invoice {hint} "))), []);
}

#[test]
fn another_document_has_no_content_and_says_what_it_is() {
    let refused = |ubl: &str| content(&xml::parse(ubl.as_bytes()).unwrap()).unwrap_err();
    let own = written(Operation::Invoice, &falcon(), &minimal(Operation::Invoice));
    assert_eq!(
        refused("<Invoice xmlns=\"urn:x\"/>").to_string(),
        "it is Invoice of the namespace \"urn:x\", neither Invoice nor CreditNote of UBL 2.1"
    );
    for other in ["urn:peppol:pint:billing-1@ae-10", "urn:peppol:pint:billing-1@sg-1", ""] {
        let other = own.replace("urn:peppol:pint:billing-1@ae-1<", &format!("{other}<"));
        let NoContent::Customization(found) = refused(&other) else { panic!("{other}") };
        assert!(other.contains(&format!("<cbc:CustomizationID>{found}<")), "{found}");
    }
}

#[test]
fn what_is_left_is_listed_up_to_a_limit_and_says_so() {
    let long = "é".repeat(MAX_UNMAPPED_VALUE + 1);
    let content = changed(
        "<cbc:BuyerReference>",
        &format!("<cbc:Note>{long}</cbc:Note><cbc:BuyerReference>"),
    );
    assert_eq!(left(&content)[0].1.chars().count(), MAX_UNMAPPED_VALUE);
    assert!(content.unmapped.is_cut);
    let many = "<cbc:Note>more</cbc:Note>".repeat(20_000);
    let content = changed("<cbc:BuyerReference>", &format!("{many}<cbc:BuyerReference>"));
    assert!(content.unmapped.is_cut);
    let listed: usize = left(&content).iter().map(|(path, value)| path.len() + value.len()).sum();
    assert!((MAX_UNMAPPED_BYTES - 100..=MAX_UNMAPPED_BYTES).contains(&listed), "{listed}");
    assert_eq!(content.body.line_items.len(), 3);
}

#[test]
fn a_content_can_be_read_as_a_body_whatever_profile_it_is_sent_from() {
    let operation = Operation::Invoice;
    let content = read(&written(operation, &full_taxpayer(operation), &maximal(operation)));
    let submission = document::read(operation, content.body.to_json().to_string().as_bytes());
    assert_eq!(submission.unwrap().body, content.body);
    assert!(
        Profile::from_json(content.body.supplier.unwrap().to_json().to_string().as_bytes()).is_ok()
    );
}
