//! Tests that a document has the same meaning inside a report as alone.

use proptest::prelude::*;

use super::*;
use crate::{
    taxdata::write::source,
    xml::{Content, Writer},
};

/// The content of an element in order: tags with expanded names and attributes, and texts.
fn described(node: Node<'_>) -> Vec<String> {
    let mut described = Vec::new();
    describe(node, &mut described);
    described
}

fn describe(node: Node<'_>, described: &mut Vec<String>) {
    let attributes = node.written_attributes();
    let mut attributes: Vec<_> = attributes
        .map(|of| format!("{{{}}}{}={:?}", of.namespace(), of.local_name(), of.value()))
        .collect();
    attributes.sort();
    described.push(format!("<{{{}}}{} {attributes:?}", node.namespace(), node.local_name()));
    // Texts on both sides of an attachment become one text.
    let mut text = String::new();
    for item in node.content() {
        match item {
            Content::Text(more) => text.push_str(more),
            Content::Element(child) if child.name() == cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT => {}
            Content::Element(child) => {
                described
                    .extend((!text.is_empty()).then(|| format!("{:?}", std::mem::take(&mut text))));
                describe(child, described);
            }
        }
    }
    described.extend((!text.is_empty()).then(|| format!("{text:?}")));
    described.push(">".to_owned());
}

/// The content of the embedded document of a report.
fn embedded(report: &[u8]) -> Vec<String> {
    let tree = xml::parse(report).unwrap();
    let attached = |node: Node<'_>| node.name() == cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT;
    assert!(!tree.nodes().any(attached));
    let content = tree.nodes().find(|node| node.name() == ext::EXTENSION_CONTENT).unwrap();
    described(content.children().next().unwrap())
}

/// Texts, references, CDATA sections, comments, instructions, and elements of several namespaces.
fn content() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[ \n\r\ta-z0-9é\u{1f600}]{0,6}",
        Just("&amp;&lt;&#13;]]&gt;".to_owned()),
        Just("<![CDATA[<a>&amp;</cbc:Note>]]>".to_owned()),
        Just("<!-- </cbc:Note> > -->".to_owned()),
        Just("<?p </cbc:Note> > ?>".to_owned()),
        Just("<cbc:Note/>".to_owned()),
    ];
    let name = prop_oneof![
        Just(("cbc:Note", "")),
        Just(("Invoice", "")),
        Just(("x:Note", " xmlns:x='urn:x' x:a='>&#10;'")),
        Just(("Note", " xmlns='' a=\"'/>\"")),
        Just(("pxs:TaxData", " xmlns:pxs='urn:y'")),
        Just(("cbc:EmbeddedDocumentBinaryObject", " mimeCode=\"a>b\"")),
        Just((
            "b:EmbeddedDocumentBinaryObject",
            " xmlns:b='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'"
        )),
        Just(("EmbeddedDocumentBinaryObject", "")),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        (name.clone(), prop::collection::vec(inner, 0..6)).prop_map(|((name, more), inside)| {
            format!("<{name}{more}>{}</{name} >", inside.concat())
        })
    })
}

proptest! {
    #[test]
    fn a_document_comes_back_without_what_was_attached(inside in prop::collection::vec(content(), 0..6)) {
        let document = format!(
            "\u{feff}<?xml version='1.0'?><!-- a --><Invoice xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2' \
             xmlns:cbc='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'>{}</Invoice ><?b?>\n",
            inside.concat()
        );
        let tree = xml::parse(document.as_bytes()).unwrap();
        let mut out = Writer::indented(document.len());
        let namespaces = [
            ("xmlns:pxs", "urn:t"),
            ("xmlns:cec", "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"),
        ];
        out.group("pxs:T", &namespaces, |out| {
            source::write(out, Some(tree.root()), Form::Element);
        });
        prop_assert_eq!(embedded(out.finish().as_bytes()), described(tree.root()));
    }
}

/// The sample in a different style: other prefixes, CDATA sections, comments, instructions and line ends.
fn as_others_write() -> String {
    let source = INVOICE
        .replace("<Invoice xmlns=", "<!-- ours --><?keep this?>\n<i:Invoice xmlns:i=")
        .replace("</Invoice>", "</i:Invoice>\n<!-- end -->")
        .replace("cbc:", "b:")
        .replace("xmlns:cbc", "xmlns:b")
        .replace("cac:", "pxs:")
        .replace("xmlns:cac", "xmlns:pxs")
        .replace("<b:ID>INV-1<", "<b:ID><!-- number --><![CDATA[INV]]>-&#x31;<")
        .replace("<b:UUID>", "<b:UUID>\n    ")
        .replace('\n', "\r\n");
    with(&source, "<b:IssueDate>", "<?x?><b:IssueDate>")
}

#[test]
fn documents_of_others_are_reported_as_well_in_every_encoding() {
    let source = as_others_write();
    let plain = source.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n").unwrap();
    let utf16: Vec<u8> =
        format!("\u{feff}{plain}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = format!("\u{feff}{source}").into_bytes();
    let expected = described(xml::parse(source.as_bytes()).unwrap().root());
    for bytes in [source.as_bytes(), &marked, &utf16] {
        let report = written(Kind::Submit, bytes);
        assert_eq!(embedded(report.as_bytes()), expected);
        assert_eq!(said(&report, in_document!(cbc::ID)), ["INV-1"]);
        assert_eq!(
            said(&report, in_document!(cbc::UUID)),
            ["\n    6b7b6e4e-4f39-4b57-9d30-0d1a3b3f0a11"]
        );
    }
}

#[test]
fn a_document_is_copied_as_it_is_written() {
    let start = INVOICE.find("<Invoice").unwrap();
    let plain = without(&INVOICE[start..], "<cbc:EmbeddedDocumentBinaryObject", "Object>");
    assert!(written(Kind::Submit, INVOICE).contains(plain.trim_end()));
}
