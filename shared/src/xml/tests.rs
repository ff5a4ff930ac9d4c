//! Documents that strangers could send.

use super::names::{Name, attr, cac, cbc, invoice};
use super::*;

const NS: &str = concat!(
    "xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2' ",
    "xmlns:cbc='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2' ",
    "xmlns:cac='urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2'",
);

fn invoice(content: &str) -> Document {
    parse(format!("<Invoice {NS}>{content}</Invoice>").as_bytes()).unwrap()
}

#[test]
fn the_tree_is_that_of_the_document() {
    let document = invoice(concat!(
        "<cbc:ID schemeID='a' x:y=' 1&#10;&amp;\n' xmlns:x='urn:x'>A&amp;<!-- -->B</cbc:ID>\n",
        "<cac:InvoiceLine><cbc:ID/></cac:InvoiceLine><cac:InvoiceLine><cbc:ID>2</cbc:ID>",
        "<x xmlns=''/></cac:InvoiceLine>",
    ));
    let root = document.root();
    assert_eq!(root.name(), invoice::INVOICE);
    assert_eq!(root.children().count(), 3);
    assert_eq!(document.len(), 7);
    let id = root.child(cbc::ID).unwrap();
    assert_eq!((id.text().as_ref(), id.text_nodes()), ("A&B", 2));
    assert_eq!(id.attribute(attr::SCHEME_ID), Some("a"));
    let other = id.written_attributes().nth(1).unwrap();
    assert_eq!((other.name(), other.qualified_name()), (Name::OTHER, "x:y"));
    assert_eq!((other.namespace(), other.value()), ("urn:x", " 1\n& "));
    let ids: Vec<_> = root.select(&[cac::INVOICE_LINE, cbc::ID]).collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(root.find(&[cac::INVOICE_LINE, cbc::ID]), Some(ids[0]));
    assert_eq!(ids[1].xpath(), "/ubl:Invoice/cac:InvoiceLine[2]/cbc:ID");
    assert_eq!(ids[1].line(), 3);
    assert_eq!(root.all(cac::INVOICE_LINE).count(), 2);
    assert_eq!(root.descendants().count(), 6);
    assert_eq!(root.text(), "A&B\n2");
    let foreign = document.nodes().last().unwrap();
    assert_eq!((foreign.name(), foreign.namespace()), (Name::OTHER, ""));
    assert_eq!(foreign.ancestors().count(), 2);
}
