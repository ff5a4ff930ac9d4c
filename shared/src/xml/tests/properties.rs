//! Properties that hold for every document.

use proptest::{collection::vec, prelude::*};

use super::*;

/// Pieces of markup, valid and invalid.
const PIECES: [&str; 32] = [
    "<a>",
    "</a>",
    "<a/>",
    "<",
    ">",
    "/",
    "&amp;",
    "&",
    ";",
    "&#65;",
    "<!--",
    "-->",
    "--",
    "<![CDATA[",
    "]]>",
    "<?x",
    "?>",
    " b='",
    "'",
    "\"",
    "=",
    " ",
    "\r\n",
    "\t",
    "xmlns:p='u'",
    "p:",
    "ü",
    "\u{FFFE}",
    "1",
    "<p:a",
    "<?xml version='1.0'?>",
    " xmlns=''",
];

/// Calls every accessor of a document.
fn walk(document: &Tree<'_>) {
    for node in document.nodes() {
        let inside: usize = node.children().map(|child| child.text().len()).sum();
        let own: usize = node.own_texts().map(str::len).sum();
        assert_eq!(node.text().len(), inside + own);
        assert_eq!(node.text_nodes(), node.own_texts().count());
        assert_eq!(node.has_text(), !node.normalized().is_empty());
        assert_eq!(
            node.descendants().count(),
            node.descendants().filter(|n| n.ancestors().any(|a| a == node)).count()
        );
        assert!(node.xpath().starts_with('/') && node.line() > 0 && !node.local_name().is_empty());
        for attribute in node.written_attributes() {
            assert!(!attribute.local_name().is_empty());
            let _ = (attribute.namespace(), attribute.value());
        }
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\t', "&#9;").replace('\n', "&#10;").replace('\r', "&#13;")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes).map(|document| walk(&document));
    }

    #[test]
    fn no_markup_makes_it_panic(places in vec(0..PIECES.len(), 0..30)) {
        let content: String = places.iter().map(|place| PIECES[*place]).collect();
        let _ = parse(content.as_bytes());
        let _ = parse(format!("<a>{content}</a>").as_bytes()).map(|document| walk(&document));
        let units: Vec<u8> = content.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let _ = parse(&[b"\xFE\xFF", &units[..]].concat());
    }

    #[test]
    fn what_is_written_is_read(text in "[^\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}\u{FFFE}\u{FFFF}]{0,80}") {
        let written = escaped(&text);
        let document = owned(format!("<a b=\"{written}\">{written}<c/></a>"));
        prop_assert_eq!(document.root().text(), text.as_str());
        prop_assert_eq!(document.root().attributes().next().unwrap().1, text.as_str());
        walk(&document);
    }
}
