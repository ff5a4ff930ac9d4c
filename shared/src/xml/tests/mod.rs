//! Tests of the tree, and of documents from untrusted senders.

mod attacks;
mod properties;
mod wellformed;

use super::names::{Name, attr, cac, cbc, invoice};
use super::*;

const NS: &str = concat!(
    "xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2' ",
    "xmlns:cbc='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2' ",
    "xmlns:cac='urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2'",
);

fn invoice(content: &str) -> Tree<'static> {
    owned(format!("<Invoice {NS}>{content}</Invoice>"))
}

/// Parses a text into a tree that owns it.
fn owned(text: String) -> Tree<'static> {
    parse_with(text.into_bytes(), &Limits::DEFAULT).unwrap()
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

#[test]
fn a_path_names_what_no_schema_knows_as_it_is_written() {
    let document = parse(b"<a><b/><x:b xmlns:x='u'/><b><c/><d/><c/></b></a>").unwrap();
    let paths: Vec<_> = document.nodes().map(Node::xpath).collect();
    let expected =
        ["/a", "/a/b[1]", "/a/x:b", "/a/b[2]", "/a/b[2]/c[1]", "/a/b[2]/d", "/a/b[2]/c[2]"];
    assert_eq!(paths, expected);
}

#[test]
fn a_selection_goes_by_the_path_alone() {
    let content = concat!(
        "<cac:Party><cac:Party><cbc:ID/></cac:Party></cac:Party><cbc:ID/><cac:Party/>",
        "<cac:Party><cbc:ID/><cac:Party><cbc:ID/><cbc:ID/></cac:Party></cac:Party>",
    );
    let document = invoice(content);
    let selected = |path| document.root().select(path).map(Node::index).collect::<Vec<_>>();
    assert_eq!(selected(&[]), [0]);
    assert_eq!(selected(&[cbc::ID]), [4]);
    assert_eq!(selected(&[cac::PARTY, cbc::ID]), [7]);
    assert_eq!(selected(&[cac::PARTY, cac::PARTY, cbc::ID]), [3, 9, 10]);
    assert!(selected(&[cac::INVOICE_LINE, cbc::ID]).is_empty());
    let inner = document.node(8);
    assert_eq!(inner.select(&[cbc::ID]).map(Node::index).collect::<Vec<_>>(), [9, 10]);
    assert_eq!(document.node(10).find(&[cbc::ID]), None);
}

#[test]
fn space_is_normalised_as_xpath_does() {
    for (text, normal) in [
        ("", ""),
        (" \n\t ", ""),
        ("a", "a"),
        (" a b ", "a b"),
        ("a  b\nc", "a b c"),
        ("\u{A0}a\u{A0}", "\u{A0}a\u{A0}"),
        ("a<x> b</x>", "a b"),
    ] {
        let document = invoice(&format!("<cbc:ID>{text}</cbc:ID>"));
        let id = document.root().child(cbc::ID).unwrap();
        assert_eq!(id.normalized(), normal);
        assert_eq!(id.has_text(), !normal.is_empty());
    }
}

#[test]
fn a_lone_carriage_return_ends_no_line_that_is_counted() {
    let document = parse(b"<a>\r<b/>\r\n\r<c/>\n<d/></a>").unwrap();
    let lines: Vec<_> = document.nodes().map(Node::line).collect();
    assert_eq!(lines, [1, 1, 2, 3]);
}

#[test]
fn a_line_is_that_of_the_end_of_the_start_tag() {
    let blank = "\n".repeat(20_000);
    let text = format!("<a>{blank}<b\n c='>\n'\n/><d/>\r\n<e/>\r<f/></a>");
    let document = parse(text.as_bytes()).unwrap();
    let lines: Vec<_> = document.nodes().map(Node::line).collect();
    assert_eq!(lines, [1, 20_004, 20_004, 20_005, 20_005]);
}

#[test]
fn places_are_those_that_each_element_says_itself_in_whatever_order_they_are_asked_for() {
    let text = "<a><b/><c><d/><e/><d/></c><x:c xmlns:x='u'/><b><d/><d/></b><b/><c/></a>";
    let tree = parse(text.as_bytes()).unwrap();
    let nodes: Vec<_> = std::iter::once(tree.root()).chain(tree.root().descendants()).collect();
    let mut places = Places::default();
    let backwards = nodes.iter().rev();
    for node in nodes.iter().chain(nodes.iter().step_by(2)).chain(backwards) {
        assert_eq!(places.xpath(*node), node.xpath());
    }
    let mut places = Places::default();
    let written: Vec<_> = nodes.iter().map(|node| places.xpath(*node).to_owned()).collect();
    assert_eq!(
        written,
        [
            "/a",
            "/a/b[1]",
            "/a/c[1]",
            "/a/c[1]/d[1]",
            "/a/c[1]/e",
            "/a/c[1]/d[2]",
            "/a/x:c",
            "/a/b[2]",
            "/a/b[2]/d[1]",
            "/a/b[2]/d[2]",
            "/a/b[3]",
            "/a/c[2]",
        ]
    );
}
