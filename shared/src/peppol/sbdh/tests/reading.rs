use super::*;

fn reread(message: &str) -> Header {
    read(message.as_bytes()).unwrap().header
}

#[test]
fn what_oxalis_writes_is_read() {
    let message = written()
        .replace(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<?xml version='1.0' encoding='utf-8' ?>",
        )
        .replace("2026-03-02T09:15:00.000Z", "2026-03-02T13:15:00.000+04:00")
        .replace("        <Identifier>cenbii-procid-ubl</Identifier>\n", "");
    assert_eq!(reread(&message), header());
    let empty = written().replace("<Identifier>cenbii-procid-ubl</Identifier>", "<Identifier/>");
    assert_eq!(reread(&empty), header());
}

#[test]
fn a_scheme_that_is_left_out_is_the_default() {
    let status = DocumentType::MESSAGE_LEVEL_STATUS;
    let expected = Header { document: DocumentIdentification::new(status).unwrap(), ..header() };
    let document = "<ApplicationResponse xmlns='urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2'/>";
    let message = String::from_utf8(write(&expected, document.as_bytes())).unwrap();
    let bare = message.replace("        <Identifier>busdox-docid-qns</Identifier>\n", "");
    assert_ne!(bare, message);
    assert_eq!(reread(&bare), expected);
}

#[test]
fn prefixes_white_space_comments_and_references_make_no_difference() {
    let message = written()
        .replace("xmlns=\"http://www.unece", "xmlns:s=\"http://www.unece")
        .replace("HeaderVersion>1.0<", "HeaderVersion> 1.0\n<")
        .replace("0235:1345678901", "<![CDATA[0235:]]>134567<!-- - -->89&#48;1")
        .replace("DOCUMENTID", "\n\tDOCUMENT&#x49;D\n");
    let (envelope, rest) = message.split_once("<Invoice").unwrap();
    let prefixed = envelope.replace("</", "<|").replace("<|", "</s:");
    let mut text = String::new();
    for (at, part) in prefixed.split('<').enumerate() {
        let named = part.starts_with(|c: char| c.is_ascii_alphabetic()) && !part.starts_with("s:");
        text.push_str(if at == 0 {
            ""
        } else if named {
            "<s:"
        } else {
            "<"
        });
        text.push_str(part);
    }
    let rest = rest.replace("</StandardBusinessDocument>", "</s:StandardBusinessDocument>");
    let message = format!("\u{feff}{text}<Invoice{rest}<!-- the end --><?and so?> ");
    let envelope = read(message.as_bytes()).unwrap();
    assert_eq!(envelope.header, header());
    assert_eq!(envelope.payload.element(), DOCUMENT.as_bytes());
    assert_eq!(&message.as_bytes()[envelope.payload.range()], DOCUMENT.as_bytes());
}

#[test]
fn what_is_wrong_with_a_header_is_named() {
    use SbdhError::{
        CountryC1, CreatedAt, Missing, Process, RepeatedScope, Root, WildcardDocumentType,
    };
    let repeated = "<Scope><Type>COUNTRY_C1</Type><InstanceIdentifier>AE</InstanceIdentifier></Scope></BusinessScope>";
    let missing = [
        ("HeaderVersion>1.0</HeaderVersion", "A>1.0</A", "HeaderVersion"),
        ("<TypeVersion>2.1</TypeVersion>", "", "TypeVersion"),
        ("<Type>Invoice</Type>", "", "Type"),
        ("<Type>COUNTRY_C1</Type>", "", "Scope/Type"),
    ];
    for (this, that, name) in missing {
        assert_eq!(error_with(this, that), Missing(name));
    }
    assert_eq!(
        error_with("09:15:00.000Z", "09:15:00.000"),
        CreatedAt { found: "2026-03-02T09:15:00.000".to_owned(), reason: TimeError::NoZone }
    );
    assert_eq!(error_with("</BusinessScope>", repeated), RepeatedScope("COUNTRY_C1".to_owned()));
    assert_eq!(error_with("@ae-1::2.1<", "@ae-1*::2.1<"), WildcardDocumentType);
    assert!(matches!(error_with(">AE<", ">ae<"), CountryC1(_)));
    assert!(matches!(error_with("urn:peppol:bis:billing", "urn: billing"), Process(_)));
    assert_eq!(
        error_with("<StandardBusinessDocument xmlns", "<StandardBusinessDocument nmlns"),
        Root("{}StandardBusinessDocument".to_owned())
    );
}

#[test]
fn scopes_without_meaning_are_kept_and_the_networks_own_are_not() {
    let scope = |kind: &str, value: &str| {
        format!(
            "<Scope><Type>{kind}</Type><InstanceIdentifier>{value}</InstanceIdentifier><Identifier>s</Identifier></Scope></BusinessScope>"
        )
    };
    let message = written().replace("</BusinessScope>", &scope("BATCH", "a  &lt; b"));
    let others = reread(&message).others;
    let value = ScopeValue::new("a < b", Some("s")).unwrap();
    assert_eq!(others.into_iter().collect::<Vec<_>>(), [(ScopeType::new("BATCH").unwrap(), value)]);

    let reserved =
        SbdhError::Scope { found: "COUNTRY_C4".to_owned(), reason: ScopeError::Reserved };
    let message = written().replace("</BusinessScope>", &scope("COUNTRY_C4", "AE"));
    assert_eq!(read(message.as_bytes()), Err(reserved.clone()));
    let envelope = receive(message.as_bytes()).unwrap();
    assert_eq!((envelope.header, envelope.ignored), (header(), vec![reserved]));
}

#[test]
fn the_document_must_be_the_one_that_the_header_says() {
    for (this, that) in
        [("<Invoice xmlns", "<CreditNote xmlns"), ("Invoice-2\">&", "Invoice-3\">&")]
    {
        let message =
            written().replace(this, that).replace("</Invoice>", &format!("</{}>", &that[1..8]));
        let error = read(message.as_bytes()).unwrap_err();
        assert!(matches!(error, SbdhError::Payload { .. }), "{error}");
    }
    // Without its own namespace, the document is in the envelope's.
    let error = error_with(&DOCUMENT[..DOCUMENT.find('>').unwrap()], "<Invoice");
    assert!(matches!(error, SbdhError::Payload { .. }), "{error}");
}

#[test]
fn what_surrounds_the_document_says_nothing() {
    let end = "</StandardBusinessDocument>\n";
    for harmless in ["<!-- x -->", "<?x y?>", "\n\t "] {
        for place in [DOCUMENT, end] {
            let message = written().replace(place, &format!("{harmless}{place}{harmless}"));
            assert_eq!(read(message.as_bytes()).unwrap().payload.element(), DOCUMENT.as_bytes());
        }
    }
    let twice = error_with(DOCUMENT, &format!("{DOCUMENT}<x/>"));
    assert!(matches!(twice, SbdhError::SecondPayload(_)), "{twice}");
    for text in ["x", "<![CDATA[]]>", "&#32;"] {
        for spoilt in [format!("{text}{DOCUMENT}"), format!("{DOCUMENT}{text}")] {
            let error = error_with(DOCUMENT, &spoilt);
            assert!(matches!(error, SbdhError::Text(_)), "{error}");
        }
    }
    for garbage in
        ["x", "<x/>", "</x>", "<![CDATA[]]>", "&#32;", "<", "\0", "<?xml version='1.0'?>"]
    {
        let error = error_with(end, &format!("{end}{garbage}"));
        assert!(matches!(error, SbdhError::Malformed { .. }), "{garbage}: {error}");
    }
}

#[test]
fn a_document_takes_along_the_namespaces_that_it_leans_on() {
    let around =
        "xmlns:a=\"urn:a&amp;b\" xmlns:b='urn:b' xmlns:c=\"urn:c\" xmlns=\"http://www.unece";
    let cases = [
        (
            "<u:Invoice xmlns:u='U'><a:x/></u:Invoice>",
            "<u:Invoice xmlns:a=\"urn:a&amp;b\" xmlns:u='U'><a:x/></u:Invoice>",
        ),
        ("<u:Invoice xmlns:u='U' b:y=''/>", "<u:Invoice xmlns:b=\"urn:b\" xmlns:u='U' b:y=''/>"),
        // A qualified name in a value.
        ("<Invoice xmlns='U' t='c:x'/>", "<Invoice xmlns:c=\"urn:c\" xmlns='U' t='c:x'/>"),
        // The envelope's own namespace.
        (
            "<u:Invoice xmlns:u='U'><x/></u:Invoice>",
            "<u:Invoice xmlns=\"http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader\" xmlns:u='U'><x/></u:Invoice>",
        ),
        // The document declares the prefix itself: nothing is added.
        (
            "<u:Invoice\n xmlns:u='U' xmlns:a='urn:A'><a:x/></u:Invoice>",
            "<u:Invoice\n xmlns:u='U' xmlns:a='urn:A'><a:x/></u:Invoice>",
        ),
        ("<Invoice xmlns='U'><x/></Invoice>", "<Invoice xmlns='U'><x/></Invoice>"),
    ];
    for (element, document) in cases {
        let [element, document] = [element, document].map(|text| {
            text.replace("'U'", "'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2'")
        });
        let message =
            written().replace(DOCUMENT, &element).replace("xmlns=\"http://www.unece", around);
        let envelope = read(message.as_bytes()).unwrap();
        let payload = &envelope.payload;
        assert_eq!(payload.element(), element.as_bytes());
        assert_eq!(str::from_utf8(&payload.document()).unwrap(), document);
        crate::xml::parse(&payload.document()).unwrap();
    }
}

#[test]
fn a_status_goes_where_its_sender_wants_it_and_to_no_other_provider() {
    let seat = "POP000306".parse().unwrap();
    for (mls_to, receiver) in [
        (None, "0242:000306"),
        (Some("0242:000306"), "0242:000306"),
        (Some("0242:000306-mls.part-1"), "0242:000306-mls.part-1"),
        // Another provider; not a provider; a main id without six digits.
        (Some("0242:000307-mls"), "0242:000306"),
        (Some("9915:000306"), "0242:000306"),
        (Some("0242:0003061"), "0242:000306"),
    ] {
        let header = Header { mls_to: mls_to.map(|to| to.parse().unwrap()), ..header() };
        assert_eq!(header.mls_receiver(&seat).to_string(), receiver, "{mls_to:?}");
    }
}
