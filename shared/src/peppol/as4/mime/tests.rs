use super::*;
use crate::peppol::as4::rule::Rule;

const TYPE: &str = "multipart/related; boundary=\"b\"; type=\"application/soap+xml\"";

fn parts(content_type: &str, body: &str) -> Result<(String, Option<String>, Vec<u8>), Refusal> {
    let message = split(content_type, body.as_bytes())?;
    message.check_count()?;
    let soap = String::from_utf8(message.soap.bytes(body.as_bytes())?.into_owned()).unwrap();
    let (id, bytes) = match &message.attachment {
        Some(part) => (part.content_id.clone(), part.bytes(body.as_bytes())?.into_owned()),
        None => (None, Vec::new()),
    };
    Ok((soap, id, bytes))
}

#[test]
fn forms_of_the_field_are_taken() {
    let root =
        "Content-Type: application/soap+xml;charset=UTF-8\r\nContent-Transfer-Encoding: binary";
    let table = [
        (TYPE, format!("--b\r\n{root}\r\n\r\nS\r\n--b\r\nContent-ID: <i>\r\n\r\nA\r\n--b--\r\n")),
        (TYPE, format!("\r\n--b\r\n{root}\r\n\r\nS\r\n--b\r\nContent-ID: i\r\n\r\nA\r\n--b--")),
        (TYPE, format!("preamble\r\n--b \t\r\n{root}\r\n\r\nS\r\n--b\r\nContent-ID: <i>\r\n\r\nA\r\n--b--\r\nepilogue --b")),
        ("Multipart/Related;boundary=b", "--b\r\n\r\nS\r\n--b\r\ncontent-id:\r\n <i>\r\nContent-Transfer-Encoding: BASE64\r\n\r\nQ\r\nQ==\r\n--b--".to_owned()),
        ("multipart/related; type=\"application/soap+xml\"; boundary=\"b\";\r\n start=\"<root@x>\"; start-info=\"application/soap+xml\"", "\r\n--b\r\nMIME-Version: 1.0\r\nContent-ID: <root@x>\r\n\r\nS\r\n--b\r\nContent-Disposition: attachment\r\nContent-ID: <i>\r\n\r\nA\r\n--b--".to_owned()),
    ];
    for (content_type, body) in table {
        let found =
            parts(content_type, &body).unwrap_or_else(|refusal| panic!("{refusal}: {body}"));
        assert_eq!(found, ("S".to_owned(), Some("i".to_owned()), b"A".to_vec()), "{body}");
    }
}

#[test]
fn content_with_line_ends_and_almost_boundaries_stays_as_it_is() {
    let body = "--b\r\n\r\nS\r\n--b\r\n\r\n\r\n\n-\r\n-b\r\n--\0\r\n\r\n--b--";
    assert_eq!(parts(TYPE, body).unwrap().2, b"\r\n\n-\r\n-b\r\n--\0\r\n");
}

#[test]
fn a_soap_body_without_parts_is_its_own_part() {
    let found = parts("application/soap+xml; charset=utf-8", "S").unwrap();
    assert_eq!(found, ("S".to_owned(), None, Vec::new()));
}

#[test]
fn tricks_and_breaks_are_refused() {
    let long = format!("--b\r\nX: {}\r\n\r\nS\r\n--b--", "x".repeat(9000));
    let many = format!("--b\r\n{}\r\nS\r\n--b--", "X: y\r\n".repeat(40));
    let flood = "--b\r\n\r\n\r\n".repeat(1000);
    let table: &[(Rule, &str, &str)] = &[
        (Rule::ContentType, "", "--b\r\n\r\nS\r\n--b--"),
        (Rule::ContentType, "text/html", "S"),
        (Rule::ContentType, "multipart/mixed; boundary=b", "--b\r\n\r\nS\r\n--b--"),
        (Rule::ContentType, "multipart/related", "--b\r\n\r\nS\r\n--b--"),
        (Rule::ContentType, "multipart/related; boundary=", "--b\r\n\r\nS\r\n--b--"),
        (Rule::ContentType, "multipart/related; boundary=\"b", "--b\r\n\r\nS\r\n--b--"),
        (Rule::ContentType, "multipart/related; boundary=a; boundary=b", "--b\r\n\r\nS\r\n--b--"),
        (Rule::ContentType, "multipart/related; boundary=\"b\" x", "--b\r\n\r\nS\r\n--b--"),
        (Rule::Boundary, TYPE, ""),
        (Rule::Boundary, TYPE, "--b\n\nS\n--b--"),
        (Rule::Boundary, TYPE, "--b\r\n\r\nS"),
        (Rule::Boundary, TYPE, "--b\r\n\r\nS\r\n--bb\r\n\r\nT\r\n--b--"),
        (Rule::PartHeaders, TYPE, "--b\r\nContent-ID: <i>\r\n--b--"),
        (Rule::PartHeaders, TYPE, "--b\r\nContent-ID: <i>\nX: y\r\n\r\nS\r\n--b--"),
        (Rule::PartHeaders, TYPE, "--b\r\nContent-ID: <i>\r\nContent-Id: <j>\r\n\r\nS\r\n--b--"),
        (Rule::PartHeaders, TYPE, "--b\r\nContent ID: <i>\r\n\r\nS\r\n--b--"),
        (Rule::PartHeaders, TYPE, "--b\r\nnonsense\r\n\r\nS\r\n--b--"),
        (Rule::PartHeaders, TYPE, &long),
        (Rule::PartHeaders, TYPE, &many),
        (
            Rule::TransferEncoding,
            TYPE,
            "--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nS\r\n--b--",
        ),
        (
            Rule::TransferEncoding,
            TYPE,
            "--b\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--b--",
        ),
        (Rule::RootPart, TYPE, "--b--"),
        (Rule::RootPart, TYPE, "--b\r\nContent-Type: text/xml\r\n\r\nS\r\n--b--"),
        (
            Rule::RootPart,
            "multipart/related; boundary=b; start=\"<y>\"",
            "--b\r\nContent-ID: <x>\r\n\r\nS\r\n--b--",
        ),
        (Rule::PartCount, TYPE, "--b\r\n\r\nS\r\n--b\r\n\r\nA\r\n--b\r\n\r\nB\r\n--b--"),
        (Rule::PartCount, TYPE, &flood),
    ];
    for (rule, content_type, body) in table {
        let refusal = parts(content_type, body).expect_err(body);
        assert_eq!(refusal.rule(), *rule, "{refusal}: {body}");
    }
}

#[test]
fn a_cid_url_may_be_percent_encoded() {
    assert_eq!(content_id_of_url("cid:a%40b").as_deref(), Some("a@b"));
    assert_eq!(content_id_of_url("cid:a@b").as_deref(), Some("a@b"));
    assert_eq!(content_id_of_url("cid:a%4"), None);
    assert_eq!(content_id_of_url("#a"), None);
}
