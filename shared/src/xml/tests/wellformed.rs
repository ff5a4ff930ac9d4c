//! Well-formedness rules of XML 1.0 and its namespaces. libxml2 gives the same verdict for each document.

use super::*;

/// The string value of the root.
fn text(document: &str) -> String {
    parse(document.as_bytes()).unwrap_or_else(|e| panic!("{document}: {e}")).root().text().into()
}

#[test]
fn well_formed_documents_are_accepted() {
    for document in [
        "<a/>",
        "<a></a>",
        "<a ></a >",
        "<a\n\t/>",
        " \n<a/>\n ",
        "\u{FEFF}<a/>",
        "<?xml version='1.0'?><a/>",
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone='no' ?>\n<a/>",
        "<?xml\tversion\n=\n'1.1'?><a/>",
        "<?xml-stylesheet href='x'?><!-- a --><a/><!----><?x?>",
        "<!-- - -><& ]]> --><a/>",
        "<a><?b c ? > ?></a>",
        "<a b='>' c=\"'\" d='\"'/>",
        "<a b = 'c'/>",
        "<a>]] > ]]&gt; ></a>",
        "<a><![CDATA[<&]] >]]></a>",
        "<a xml:lang='' xml:id='b'/>",
        "<a xml:id='b'><c xml:id='d'/></a>",
        "<a xmlns=''/>",
        "<a xmlns='u'><b xmlns=''/></a>",
        "<p:a xmlns:p='u' p:b='' b=''/>",
        "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>",
        "<a xmlns:p='u' xmlns:q='v' p:b='' q:b=''/>",
        "<فاتورة ü='1'/>",
        "<a.-_1/>",
        "<a>&#x10FFFF;&#9;&#xD;&amp;&lt;&gt;&quot;&apos;</a>",
    ] {
        assert!(parse(document.as_bytes()).is_ok(), "{document}: {:?}", parse(document.as_bytes()));
    }
}

#[test]
fn documents_that_are_not_well_formed_are_refused() {
    for document in [
        // A document is one element, with optional comments and instructions around it.
        "",
        " ",
        "a",
        "<a/>b",
        "b<a/>",
        "<a/><b/>",
        "<!-- -->",
        "<a",
        "<a>",
        "</a>",
        "<a/></a>",
        "&amp;<a/>",
        "<a/>&amp;",
        "<![CDATA[a]]><a/>",
        "<a/><![CDATA[]]>",
        "\u{FEFF}\u{FEFF}<a/>",
        "<a>\0</a>",
        "<a/>\0",
        // Tags.
        "< a/>",
        "<a/ >",
        "<a / >",
        "<a></b>",
        "<a></a b='c'>",
        "<a><b></a></b>",
        "<a></ a>",
        "<a></A>",
        "<1/>",
        "<a><",
        "<a></a",
        "<a><b/",
        "<a>&lt</a>",
        "<a></ab>",
        "<ab></a>",
        "<a><b></b c></a>",
        "<a//>",
        "<>",
        "<a></>",
        "<-a/>",
        "<a\u{D7}/>",
        // Attributes.
        "<a b/>",
        "<a b=/>",
        "<a b=c/>",
        "<a b='c/>",
        "<a b='c\"/>",
        "<a b='<'/>",
        "<a b='c'd='e'/>",
        "<a b='1' b='2'/>",
        "<a b='&'/>",
        "<a b='&x;'/>",
        "<a b='&#0;'/>",
        "<a 1='b'/>",
        "<a ='b'/>",
        "<a b=='c'/>",
        "<a b c='d'/>",
        "<a b'c'/>",
        "<a b='\u{1}'/>",
        "<a/b='c'>",
        // Text and references.
        "<a>&</a>",
        "<a>& b;</a>",
        "<a>&b</a>",
        "<a>&b;</a>",
        "<a>&#;</a>",
        "<a>&#x;</a>",
        "<a>&#xG;</a>",
        "<a>&#1;</a>",
        "<a>&#xFFFE;</a>",
        "<a>&#xD800;</a>",
        "<a>&#X41;</a>",
        "<a>]]></a>",
        "<a>\u{8}</a>",
        "<a>\u{FFFF}</a>",
        "<a>&amp</a>",
        "<a>&amp <b/>;</a>",
        // Comments, instructions and CDATA sections.
        "<a><!-- -- --></a>",
        "<a><!-- a---></a>",
        "<a><!-></a>",
        "<a><!--></a>",
        "<a><!---></a>",
        "<a><!-- ></a>",
        "<a><!a></a>",
        "<a><? b?></a>",
        "<a><??></a>",
        "<a><?1?></a>",
        "<a><?b></a>",
        "<a><?xml?></a>",
        "<a><?XML b?></a>",
        "<a><?b:c?></a>",
        "<a><?b?c?></a>",
        "<a><![CDATA[ ]] ></a>",
        "<a><![cdata[ ]]></a>",
        "<a><![CDATA ]]></a>",
        // The XML declaration.
        " <?xml version='1.0'?><a/>",
        "<!-- --><?xml version='1.0'?><a/>",
        "<?xml?><a/>",
        "<?xml ?><a/>",
        "<?xml encoding='UTF-8'?><a/>",
        "<?xml version='2.0'?><a/>",
        "<?xml version='1.0'encoding='UTF-8'?><a/>",
        "<?xml version='1.0' standalone='maybe'?><a/>",
        "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>",
        "<?xml version='1.0' encoding=''?><a/>",
        "<?xml version='1.0' encoding='8-UTF'?><a/>",
        "<?xml version='1.0' a='b'?><a/>",
        "<?xml version=1.0?><a/>",
        "<?xml version='1.0\"?><a/>",
        "<?xml version='1.0'><a/>",
        "<?xml version='1.0' ?",
        "<?XML version='1.0'?><a/>",
    ] {
        assert!(parse(document.as_bytes()).is_err(), "{document}");
    }
}

#[test]
fn what_breaks_the_rules_of_namespaces_is_refused() {
    for document in [
        "<p:a/>",
        "<a p:b=''/>",
        "<a xmlns:p=''/>",
        "<a><b xmlns:p='u'/><p:c/></a>",
        "<p:a></q:a>",
        "<p:a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>",
        "<a xmlns:p='u' xmlns:p='v'/>",
        "<a xmlns='u' xmlns='v'/>",
        "<:a/>",
        "<a:/>",
        "<a:b:c xmlns:a='u'/>",
        "<a :b=''/>",
        "<a b:=''/>",
        "<a xmlns:=''/>",
        "<xmlns:a/>",
        "<a xmlns:xmlns='u'/>",
        "<a xmlns:xml='u'/>",
        "<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
        "<a xmlns='http://www.w3.org/XML/1998/namespace'/>",
        "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
        "<a xmlns:p='http://www.w3.org/2000/xmlns/'/>",
        "<a xmlns:p='a b'/>",
        "<a xml:id='1'/>",
        "<a xml:id='b'><c xml:id='b'/></a>",
        "<p:1 xmlns:p='u'/>",
        "<a xmlns:1='u'/>",
        "<a xmlns:p:q='u'/>",
    ] {
        assert!(parse(document.as_bytes()).is_err(), "{document}");
    }
}

#[test]
fn a_namespace_reaches_as_far_as_its_element() {
    let content = "<x xmlns='u'><y/></x><p:ID xmlns:p='urn:oasis:names:specification:ubl:schema:\
                   xsd:CommonBasicComponents-2'><cbc:ID xmlns:cbc='v'/></p:ID><cbc:ID/>";
    let document = super::invoice(content);
    let actual: Vec<_> =
        document.nodes().map(|node| (node.local_name(), node.namespace())).collect();
    let (invoice, cbc) = (invoice::INVOICE.namespace(), cbc::ID.namespace());
    let expected =
        [("Invoice", invoice), ("x", "u"), ("y", "u"), ("ID", cbc), ("ID", "v"), ("ID", cbc)];
    assert_eq!(actual, expected);
    assert_eq!(document.node(3).name(), document.node(5).name());
    assert_eq!(document.node(4).name(), Name::OTHER);
    assert_eq!(document.node(3).qualified_name(), "p:ID");
}

#[test]
fn an_attribute_has_no_default_namespace() {
    let document = super::invoice("<cbc:ID schemeID='1' cbc:schemeID='2' xml:lang='en'/>");
    let id = document.node(1);
    assert_eq!(id.attribute(attr::SCHEME_ID), Some("1"));
    assert_eq!(id.attribute(names::xml::LANG), Some("en"));
    assert_eq!(id.attribute(attr::CURRENCY_ID), None);
    let actual: Vec<_> = id.written_attributes().map(|a| (a.local_name(), a.namespace())).collect();
    let expected = [
        ("schemeID", ""),
        ("schemeID", cbc::ID.namespace()),
        ("lang", "http://www.w3.org/XML/1998/namespace"),
    ];
    assert_eq!(actual, expected);
}

#[test]
fn line_ends_are_one_line_feed_and_references_are_not_line_ends() {
    assert_eq!(text("<a>1\r\n2\r3\n4\r\r5&#13;&#10;</a>"), "1\n2\n3\n4\n\n5\r\n");
    assert_eq!(text("<a><![CDATA[1\r\n2]]></a>"), "1\n2");
}

#[test]
fn white_space_in_an_attribute_is_a_space_each() {
    let document = parse(b"<a b=' 1\t2\n3\r\n4&#9;&#10;&#13;&lt;&#x20; '/>").unwrap();
    let value = document.root().attributes().next().unwrap().1;
    assert_eq!(value, " 1 2 3 4\t\n\r<  ");
}

#[test]
fn comments_and_instructions_part_texts_and_sections_do_not() {
    for (content, nodes, whole) in [
        ("", 0, ""),
        ("<![CDATA[]]>", 0, ""),
        (" ", 1, " "),
        ("1<![CDATA[2]]>3&#52;", 1, "1234"),
        ("<![CDATA[]]>1", 1, "1"),
        ("1<!-- -->2", 2, "12"),
        ("1<?x?>2<!-- --><!-- -->3", 3, "123"),
        ("<b>1</b>2<b/><b/>3", 2, "123"),
        ("&amp;<b>1</b>&amp;", 2, "&1&"),
    ] {
        let document = owned(format!("<a>{content}</a>"));
        assert_eq!(document.root().text_nodes(), nodes, "{content}");
        assert_eq!(document.root().text(), whole);
    }
}

#[test]
fn utf16_reads_as_utf8_does() {
    let document = "<?xml version='1.0' encoding='UTF-16'?>\r\n<فاتورة b='ü'>€😀</فاتورة>";
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let marked = format!("\u{FEFF}{document}");
    let little: Vec<u8> = units(&marked).iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units(&marked).iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let unmarked = |bytes: &[u8]| bytes[2..].to_vec();
    for bytes in [&little, &big, &unmarked(&little), &unmarked(&big)] {
        let document = parse(bytes).unwrap();
        assert_eq!((document.root().local_name(), &*document.root().text()), ("فاتورة", "€😀"));
        assert_eq!(document.root().line(), 2);
    }
}

#[test]
fn a_fault_is_reported_with_its_place() {
    for (document, line, column) in [
        ("<a>\n  <b>\n</a>", 3, 1),
        ("<a>\r\n<b c='é'\r\n  é:d=''/></a>", 3, 3),
        ("<a>\nüü&x;</a>", 2, 3),
        ("", 1, 1),
    ] {
        let error = parse(document.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{error}");
    }
    let error = parse("<a>\nüü&x\u{7};</a>".as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 5: here is a character that XML forbids");
}
