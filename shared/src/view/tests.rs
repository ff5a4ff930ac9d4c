//! What is shown of documents: all that they say, by its name, and nothing that they could do.

use std::collections::BTreeSet;

use super::{places::Place, *};
use crate::{error::Finding, pint, xml};

/// Documents that say as much as there is to say.
const MAXIMAL: [&str; 4] = [
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_invoice.snap"),
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_credit_note.snap"),
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_self_billed_invoice.snap"),
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_self_billed_credit_note.snap"),
];

/// The document of a snapshot, without what stands before it.
fn document(snapshot: &str) -> &str {
    &snapshot[snapshot.find("<?xml").unwrap()..]
}

fn view(xml: &str) -> View {
    View::of(&xml::parse(xml.as_bytes()).unwrap()).unwrap()
}

fn page(xml: &str, languages: Languages) -> String {
    html(&view(xml), Asked { languages, findings: &[] }).unwrap()
}

fn terms(places: &'static [Place], into: &mut BTreeSet<&'static str>) {
    for place in places {
        match place {
            Place::Term { id, qualifiers, .. } => {
                into.insert(id);
                into.extend(qualifiers.iter().map(|(_, term)| *term));
            }
            Place::Group { places, .. } => terms(places, into),
            Place::Silent { .. } => {}
        }
    }
}

#[test]
fn every_term_has_a_place_and_a_name() {
    let mut placed = BTreeSet::new();
    for places in places::ALL {
        terms(places, &mut placed);
    }
    placed.remove("");
    let known = pint::terms::TERMS.0.iter().map(|(id, _)| *id).filter(|id| !id.starts_with("IBG"));
    assert_eq!(placed, known.collect());
}

#[test]
fn a_document_of_this_service_has_every_value_at_the_place_of_a_term() {
    for snapshot in MAXIMAL {
        let view = view(document(snapshot));
        // What IBG-18 wants and PINT-AE does not name.
        let unplaced: Vec<_> = view.unplaced.iter().map(|it| it.path.as_str()).collect();
        assert!(unplaced.iter().all(|path| path.ends_with("cbc:NetworkID")), "{unplaced:?}");
    }
}

#[test]
fn nothing_of_a_document_is_out_of_sight() {
    for snapshot in MAXIMAL {
        let xml = document(snapshot);
        let tree = xml::parse(xml.as_bytes()).unwrap();
        for languages in ["en", "ar", "both"] {
            let page = page(xml, Languages::of_word(languages).unwrap()).replace(',', "");
            for node in tree.nodes().filter(|node| node.children().next().is_none()) {
                let text = node.text();
                let value = askama::filters::escape(text.trim(), askama::filters::Html);
                let value = value.unwrap().to_string().replace(',', "");
                let name = node.local_name();
                let is_shown = page.contains(&value)
                    || name.ends_with("Date")
                    || ["ChargeIndicator", "DocumentTypeCode"].contains(&name)
                    || name == "EmbeddedDocumentBinaryObject"
                    || value == "NA"
                    || (name == "ID" && value == "aedtotal-incl-vat");
                assert!(is_shown, "{languages}: {} {value}", node.xpath());
            }
        }
    }
}

#[test]
fn a_page_speaks_the_languages_that_were_asked_for() {
    let xml = document(MAXIMAL[0]);
    let english = page(xml, Languages::One(Language::English));
    assert!(english.contains("<html lang=\"en\" dir=\"ltr\">") && english.contains("Seller name"));
    assert!(!english.contains("اسم البائع"));
    let arabic = page(xml, Languages::One(Language::Arabic));
    assert!(arabic.contains("<html lang=\"ar\" dir=\"rtl\">") && arabic.contains("اسم البائع"));
    assert!(!arabic.contains("Seller name"));
    let both = page(xml, Languages::Both);
    assert!(both.contains("Seller name") && both.contains("اسم البائع"));
    assert_eq!(Languages::of_word("fr"), None);
}

#[test]
fn a_foreign_document_can_put_nothing_into_the_page() {
    let attack =
        "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=alert(1)&gt;";
    let xml = format!(
        "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\" \
         xmlns:cbc=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\" \
         xmlns:x=\"urn:x\"><cbc:ID>{attack}</cbc:ID><cbc:InvoiceTypeCode listID=\"{attack}\">\
         {attack}</cbc:InvoiceTypeCode><x:y z=\"{attack}\">{attack}</x:y>mixed {attack}</Invoice>"
    );
    let findings = [Finding::error("", "AP-TEST", "<b>x</b>")];
    for languages in [Languages::One(Language::Arabic), Languages::Both] {
        let page = html(&view(&xml), Asked { languages, findings: &findings }).unwrap();
        for tag in ["<script", "<img", "<b>", "\"><img"] {
            assert!(!page.contains(tag), "{tag}");
        }
        assert_eq!(page.matches("<style>").count(), 1);
        // All of it is there, as text.
        assert!(page.matches("onerror=alert(1)").count() >= 6, "{page}");
    }
}

#[test]
fn another_document_is_no_invoice() {
    let other = "<ApplicationResponse xmlns=\"urn:a\"/>";
    let error = View::of(&xml::parse(other.as_bytes()).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string().split(',').next(),
        Some("it is ApplicationResponse of the namespace \"urn:a\"")
    );
}

#[test]
fn the_page_is_what_was_looked_at() {
    insta::assert_snapshot!("maximal_invoice_both", page(document(MAXIMAL[0]), Languages::Both));
}
