use proptest::prelude::*;

use super::*;

#[test]
fn a_document_type_declaration_is_refused_wherever_it_is() {
    let declaration = "<!DOCTYPE x [<!ENTITY e \"e\">]>";
    for place in ["<StandardBusinessDocument ", "<HeaderVersion>", "<Invoice", "&#65;"] {
        assert_eq!(error_with(place, &format!("{declaration}{place}")), SbdhError::Doctype);
    }
}

#[test]
fn an_entity_of_nobody_is_refused() {
    assert!(matches!(error_with(">1.0<", ">&e;<"), SbdhError::Malformed { .. }));
    assert!(matches!(error_with(">1.0<", ">&#0;<"), SbdhError::Malformed { .. }));
    for character in ['\u{1}', '\u{c}', '\u{ffff}'] {
        let spoilt = format!(">1.0{character}<");
        assert!(matches!(error_with(">1.0<", &spoilt), SbdhError::Malformed { .. }));
    }
}

#[test]
fn other_encodings_are_refused() {
    let error = error_with("encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"");
    assert_eq!(error, SbdhError::Encoding("ISO-8859-1".to_owned()));
    assert_eq!(read(b"<a>\xe9</a>"), Err(SbdhError::NotUtf8 { at: 3 }));
    let utf16: Vec<u8> = written().encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(read(&[&b"\xff\xfe"[..], &utf16].concat()).is_err());
}

#[test]
fn a_header_has_its_limits() {
    let scopes = "<Scope><Type>X</Type></Scope>".repeat(65);
    let cases = [
        (Limit::Scopes, "<BusinessScope>", format!("<BusinessScope>{scopes}")),
        (
            Limit::HeaderBytes,
            "<HeaderVersion>",
            format!("<!--{}--><HeaderVersion>", "x".repeat(70_000)),
        ),
        (Limit::HeaderBytes, "<HeaderVersion>", format!("{}<HeaderVersion>", " ".repeat(70_000))),
        (Limit::HeaderDepth, "<HeaderVersion>", format!("{}<HeaderVersion>", "<x>".repeat(20))),
        (
            Limit::Attributes,
            "<HeaderVersion>",
            format!(
                "<HeaderVersion{}>",
                (0..129).fold(String::new(), |all, n| format!("{all} a{n}=''"))
            ),
        ),
        (
            Limit::Declarations,
            "<StandardBusinessDocument",
            format!(
                "<StandardBusinessDocument{}",
                (0..32).fold(String::new(), |all, n| format!("{all} xmlns:n{n}='n'"))
            ),
        ),
        (Limit::PayloadDepth, "&#65;", "<x>".repeat(1_000)),
    ];
    for (limit, this, that) in cases {
        assert_eq!(error_with(this, &that), SbdhError::Limit(limit));
    }
}

#[test]
fn no_attribute_is_repeated() {
    let error = error_with("Authority=", "Authority='x' Authority=");
    assert!(matches!(error, SbdhError::Malformed { .. }), "{error}");
}

#[test]
fn a_namespace_does_not_break_out_of_its_quotation_marks() {
    let around = "<StandardBusinessDocument xmlns:b='\"/><b:x y=\"' ";
    let message =
        written().replace("<StandardBusinessDocument ", around).replace("&#65;", "<b:y/>");
    let document = read(message.as_bytes()).unwrap().payload.document().into_owned();
    let document = String::from_utf8(document).unwrap();
    assert!(
        document.starts_with("<Invoice xmlns:b=\"&quot;/><b:x y=&quot;\" xmlns="),
        "{document}"
    );
}

#[test]
fn what_is_cut_off_is_refused_wherever_that_happens() {
    let message = written();
    let end = message.trim_end().len();
    for at in 0..end {
        assert!(read(&message.as_bytes()[..at]).is_err(), "{at}");
    }
}

#[test]
fn an_error_repeats_no_more_than_can_be_read() {
    let long = "x".repeat(60_000);
    for (this, that) in [
        (">1.0<", format!(">{long}<")),
        (">0235:1345678901<", format!(">{long}<")),
        (">AE<", format!(">{long}<")),
        ("<Invoice ", format!("<{long} ")),
        ("<Invoice ", format!("{long}<Invoice ")),
        ("</Invoice>", format!("</{long}>")),
    ] {
        assert!(error_with(this, &that).to_string().len() < 500);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn whatever_the_bytes_they_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
    }

    #[test]
    fn whatever_is_put_into_an_envelope_it_is_read_or_refused(
        at in 0..1_800_usize,
        cut in 0..40_usize,
        put in "(<[!?/a-z]{0,5}|[>&;\"'=:\\]\\-]{1,4}|<!\\[CDATA\\[|xmlns:?[a-z]?=|\\PC{0,3}){0,4}",
    ) {
        let mut message = written().into_bytes();
        let at = at.min(message.len());
        let end = (at + cut).min(message.len());
        message.splice(at..end, put.into_bytes());
        if let Ok(envelope) = read(&message) {
            let payload = &envelope.payload;
            prop_assert_eq!(&message[payload.range()], payload.element());
        }
    }
}
