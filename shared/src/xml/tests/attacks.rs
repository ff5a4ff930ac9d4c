//! Attacks. Each is refused, or costs no more than linear time and memory.

use super::owned;
use crate::xml::{Limits, parse, parse_with};

/// The error message for the document.
fn refusal(bytes: &[u8]) -> String {
    parse(bytes).unwrap_err().message
}

#[test]
fn a_billion_laughs_are_not_heard() {
    let mut entities = String::from("<!ENTITY lol0 'lol'>");
    for n in 1..10 {
        let ten = format!("&lol{};", n - 1).repeat(10);
        entities += &format!("<!ENTITY lol{n} '{ten}'>");
    }
    let document = format!("<?xml version='1.0'?><!DOCTYPE a [{entities}]><a>&lol9;</a>");
    assert_eq!(refusal(document.as_bytes()), "a document type declaration is not accepted");
    assert_eq!(refusal(b"<a>&lol9;</a>"), "the entity `lol9` is not defined");
}

#[test]
fn no_document_type_declaration_is_accepted() {
    for document in [
        "<!DOCTYPE a><a/>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'http://169.254.169.254/'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % x SYSTEM 'u'> %x;]><a/>",
        "<!DOCTYPE",
        "<a><!DOCTYPE a></a>",
    ] {
        assert_eq!(refusal(document.as_bytes()), "a document type declaration is not accepted");
    }
}

#[test]
fn a_hundred_elements_within_each_other_are_enough() {
    let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
    assert_eq!(parse(nested(100).as_bytes()).unwrap().len(), 100);
    assert_eq!(refusal(nested(101).as_bytes()), "more than 100 elements within each other");
    // The limit also applies to elements that are never closed.
    let open = "<a>".repeat(5_000_000);
    assert_eq!(refusal(open.as_bytes()), "more than 100 elements within each other");
}

#[test]
fn a_flood_of_attributes_is_refused_at_the_first_too_many() {
    let flood = |count: usize| {
        let attributes: String = (0..count).map(|n| format!(" a{n}=''")).collect();
        format!("<a{attributes}/>")
    };
    let document = owned(flood(128));
    assert_eq!(document.root().attributes().count(), 128);
    let error = parse(flood(100_000).as_bytes()).unwrap_err();
    assert_eq!(error.message, "more than 128 attributes in one tag");
    assert!(error.column < 2_000, "{error}");
    // Repeating the same attribute does not avoid the limit.
    let twice = format!("<a{}/>", " a=''".repeat(100_000));
    assert_eq!(refusal(twice.as_bytes()), "more than 128 attributes in one tag");
}

#[test]
fn a_flood_of_namespaces_is_refused() {
    let mut open = String::new();
    for n in 0..50 {
        open += &format!("<a xmlns:a{n}='u' xmlns:b{n}='u' xmlns:c{n}='u'>");
    }
    assert_eq!(refusal(open.as_bytes()), "more than 128 namespace declarations");
    // In consecutive elements, the number is not limited.
    let beside = "<b xmlns:a='u' xmlns:b='v' a:c='' b:c=''/>".repeat(10_000);
    assert_eq!(parse(format!("<a>{beside}</a>").as_bytes()).unwrap().len(), 10_001);
}

#[test]
fn a_document_has_its_size_before_it_is_read() {
    let limits = Limits { bytes: 10, ..Limits::DEFAULT };
    assert!(parse_with(b"<a>123</a>", &limits).is_ok());
    let error = parse_with(b"<a>1234</a>", &limits).unwrap_err();
    assert_eq!(error.message, "the document has more than 10 bytes");
    let most = vec![0xFF; Limits::DEFAULT.bytes + 1];
    assert_eq!(refusal(&most), "the document has more than 50000000 bytes");
}

#[test]
fn a_document_has_so_many_elements() {
    let limits = Limits { elements: 3, ..Limits::DEFAULT };
    assert!(parse_with(b"<a><b/><b/></a>", &limits).is_ok());
    let error = parse_with(b"<a><b/><b/><b/></a>", &limits).unwrap_err();
    assert_eq!(error.message, "more than 3 elements");
}

#[test]
fn a_name_has_a_thousand_bytes_and_a_text_as_many_as_it_likes() {
    let long = |length: usize| format!("<{0} {0}=''></{0}>", "n".repeat(length));
    assert!(parse(long(1_000).as_bytes()).is_ok());
    assert_eq!(refusal(long(1_001).as_bytes()), "a name has more than 1000 bytes");
    assert_eq!(refusal(long(70_000).as_bytes()), "a name has more than 1000 bytes");
    let digits = "9".repeat(1_000_000);
    let document = owned(format!("<a b='{digits}'>{digits}</a>"));
    assert_eq!(document.root().text().len(), 1_000_000);
    let zeros = "0".repeat(1_000_000);
    let document = owned(format!("<a>&#{zeros}65;</a>"));
    assert_eq!(document.root().text(), "A");
    let refused = refusal(format!("<a>&#{digits};</a>").as_bytes());
    assert!(refused.contains("is not an XML character") && refused.len() < 300, "{refused}");
}

#[test]
fn a_text_of_many_pieces_grows_once() {
    let pieces = "&lt;x<![CDATA[&]]>".repeat(200_000);
    let document = owned(format!("<a>{pieces}</a>"));
    assert_eq!(document.root().text_nodes(), 1);
    assert_eq!(document.root().text(), "<x&".repeat(200_000));
}

#[test]
fn what_is_never_closed_is_searched_for_once() {
    let many = |piece: &str| format!("<a>{}", piece.repeat(1_000_000));
    for piece in ["<!--", "<![CDATA[", "<?a ", "&", "<b c='", "<b ", "</", "<!", "]]", "<"] {
        assert!(parse(many(piece).as_bytes()).is_err(), "{piece}");
    }
}

#[test]
fn an_encoding_that_is_not_read_is_named() {
    let declared =
        |name: &str| refusal(format!("<?xml version='1.0' encoding='{name}'?><a/>").as_bytes());
    for name in ["ISO-8859-1", "windows-1256", "US-ASCII", "UTF-7", "UTF-32", "x"] {
        let message = format!("the encoding {name} is not read; only UTF-8 and UTF-16 are");
        assert_eq!(declared(name), message);
    }
    let contradiction = "the document says that it is UTF-16, but its bytes are UTF-8";
    assert_eq!(declared("UTF-16"), contradiction);
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let contradiction = "the document says that it is utf-8, but its bytes are UTF-16";
    assert_eq!(refusal(&utf16("<?xml version='1.0' encoding='utf-8'?><a/>")), contradiction);
    let utf32: Vec<u8> = "<a/>".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    assert!(refusal(&utf32).contains("UTF-32"));
    assert!(refusal(b"\0\0\xFE\xFF\0\0\0<").contains("UTF-32"));
    assert!(refusal(b"\x4C\x6F\xA7\x94").contains("EBCDIC"));
}

#[test]
fn bytes_that_are_not_what_they_say_are_refused_where_they_stand() {
    for (bytes, column) in [
        (&b"<a>\xFF</a>"[..], 4),
        (b"<a>\xC0\x80</a>", 4),         // an overlong zero
        (b"<a>\xE0\x80\xBC</a>", 4),     // an overlong <
        (b"<a>\xED\xA0\x80</a>", 4),     // half of a surrogate pair
        (b"<a>\xF4\x90\x80\x80</a>", 4), // beyond U+10FFFF
        (b"<a>\xC3\xA9\xC3</a>", 5),     // cut short
        (b"\xEF\xBB\xBF<a>\x80</a>", 4),
    ] {
        let error = parse(bytes).unwrap_err();
        assert_eq!(
            (error.message.as_str(), error.column),
            ("here the bytes are not UTF-8", column)
        );
    }
    assert!(refusal(b"\xFF\xFE<\0a\0/\0>").contains("odd"));
    assert!(refusal(b"\xFF\xFE<\0a\0>\0\x00\xD8<\0/\0a\0>\0").contains("half of a pair"));
}
