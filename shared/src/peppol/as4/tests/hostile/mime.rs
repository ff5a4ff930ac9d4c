//! Bodies that are truncated, ambiguous, or of another type than declared.

use super::{Case, forge::Forge};
use crate::peppol::as4::Rule::{
    self, AttachmentId, Boundary, ContentType, PartCount, PartHeaders, PartInfo, RootPart,
    TransferEncoding, WellFormed,
};

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = content_types(forge);
    cases.extend(cut(forge));
    cases.extend(parts(forge));
    cases
}

fn content_types(forge: &Forge<'_>) -> Vec<Case> {
    let boundary = forge.boundary();
    let table = [
        (ContentType, String::new()),
        (ContentType, "text/xml".to_owned()),
        (ContentType, "multipart/form-data; boundary=x".to_owned()),
        (ContentType, format!("multipart/mixed; boundary={boundary}")),
        (ContentType, format!("multipart/related boundary={boundary}")),
        (ContentType, "multipart/related; boundary".to_owned()),
        (ContentType, format!("multipart/related; boundary={boundary}; boundary=x")),
        (ContentType, format!("multipart/related; boundary=x; BOUNDARY={boundary}")),
        (ContentType, format!("multipart/related; boundary=\"{boundary}")),
        (ContentType, format!("multipart/related; boundary=\"{}\"", "x".repeat(71))),
        (ContentType, "multipart/related; boundary=\"\"".to_owned()),
        (ContentType, "multipart/related; boundary=\"a\0b\"".to_owned()),
        (ContentType, "multipart/related; boundary=\"a\r\nb\"".to_owned()),
        (ContentType, format!("multipart; boundary={boundary}")),
        (ContentType, format!("/related; boundary={boundary}")),
        (ContentType, format!("multipart/related/x; boundary={boundary}")),
        (ContentType, format!("multipart/related; {}boundary={boundary}", "x; ".repeat(1000))),
        (Boundary, "multipart/related; boundary=other".to_owned()),
        (Boundary, format!("multipart/related; boundary={}", &boundary[..boundary.len() - 1])),
        (RootPart, format!("multipart/related; boundary={boundary}; start=\"<other>\"")),
        (WellFormed, "application/soap+xml".to_owned()),
    ];
    let mut body = forge.assemble(&forge.soap, &forge.attachment);
    let named = "application/soap+xml\r\nContent-ID: <root>";
    body = replaced(&body, "application/soap+xml", named);
    let case = |(rule, content_type): (Rule, String)| {
        let name = format!("Content-Type {}", content_type.chars().take(80).collect::<String>());
        Case { name, rule, content_type, body: body.clone() }
    };
    table.into_iter().map(case).collect()
}

/// A body truncated at every position.
fn cut(forge: &Forge<'_>) -> Vec<Case> {
    let body = &forge.body;
    let closing = forge.boundary().len() + "\r\n----\r\n".len();
    let case = |part: usize| {
        let length = (body.len() - closing) * part / 40;
        forge.body_case(format!("cut at {length}"), Boundary, body[..length].to_vec())
    };
    let mut cases: Vec<Case> = (0..=40).map(case).collect();
    // Truncated within the closing boundary.
    cases.extend((4..closing).step_by(6).map(|missing| {
        let cut = body[..body.len() - missing].to_vec();
        forge.body_case(format!("{missing} bytes missing"), Boundary, cut)
    }));
    cases
}

fn parts(forge: &Forge<'_>) -> Vec<Case> {
    let boundary = forge.boundary();
    let good = forge.assemble(&forge.soap, &forge.attachment);
    let id = format!("Content-ID: <{}>", forge.content_id);
    let line = format!("--{boundary}\r\n");
    let third = format!("\r\n--{boundary}\r\nContent-ID: <x>\r\n\r\nx\r\n--{boundary}--\r\n");
    let closing = format!("\r\n--{boundary}--\r\n");
    let (empty, soap_type) = (format!("{line}\r\n\r\n"), "Content-Type: application/soap+xml");
    let many = format!("{id}\r\n{}", "X: y\r\n".repeat(100));
    let long = format!("{id}\r\nX: {}", "y".repeat(10_000));
    let table: &[(Rule, &str, &str)] = &[
        (Boundary, &line, &format!("--{boundary}\n")),
        (Boundary, &line, &format!("--{boundary}x\r\n")),
        (Boundary, &line, &format!("--{boundary}-\r\n")),
        (Boundary, &closing, &format!("\n--{boundary}--\n")),
        (PartCount, &closing, &third),
        (PartCount, &closing, &format!("\r\n{}{}", empty.repeat(2000), &closing[2..])),
        (AttachmentId, &id, ""),
        (AttachmentId, &id, "X: y"),
        (AttachmentId, &id, "Content-ID: <other>"),
        (AttachmentId, &id, "Content-ID:"),
        (AttachmentId, &id, &format!("Content-ID: <{}", forge.content_id)),
        (PartHeaders, &id, &format!("{id}\r\n{id}")),
        (PartHeaders, &id, &format!("{id}\r\nCONTENT-ID: <other>")),
        (PartHeaders, &id, &format!("{id}\r\nContent-Type: a/b\r\nContent-Type: a/b")),
        (
            PartHeaders,
            &id,
            &format!(
                "{id}\r\nContent-Transfer-Encoding: binary\r\nContent-Transfer-Encoding: base64"
            ),
        ),
        (PartHeaders, &id, &format!("{id}\r\nnonsense")),
        (PartHeaders, &id, &format!("{id}\r\n: empty")),
        (PartHeaders, &id, &format!("{id}\r\nA B: c")),
        (PartHeaders, &id, &format!("{id}\nX: y")),
        (PartHeaders, &id, &format!("{id}\rX: y")),
        (PartHeaders, &id, &many),
        (PartHeaders, &id, &long),
        (TransferEncoding, &id, &format!("{id}\r\nContent-Transfer-Encoding: base64")),
        (TransferEncoding, &id, &format!("{id}\r\nContent-Transfer-Encoding: quoted-printable")),
        (TransferEncoding, &id, &format!("{id}\r\nContent-Transfer-Encoding: gzip")),
        (TransferEncoding, &id, &format!("{id}\r\nContent-Transfer-Encoding:")),
        (ContentType, &id, &format!("{id}\r\nContent-Type: nonsense")),
        (RootPart, soap_type, "Content-Type: text/xml"),
        (RootPart, soap_type, "Content-Type: text/html"),
        (RootPart, soap_type, "Content-Type: multipart/related; boundary=x"),
        (TransferEncoding, soap_type, "Content-Transfer-Encoding: base64"),
        (TransferEncoding, soap_type, "Content-Transfer-Encoding: x-uuencode"),
    ];
    let case = |(rule, from, to): &(Rule, &str, &str)| {
        let name = format!("{from:?} as {:?}", to.chars().take(80).collect::<String>());
        forge.body_case(name, *rule, replaced(&good, from, to))
    };
    let mut cases: Vec<Case> = table.iter().map(case).collect();
    let end = memchr::memmem::rfind(&good, format!("\r\n{line}").as_bytes()).unwrap();
    let alone = [&good[..end], closing.as_bytes()].concat();
    cases.push(forge.body_case("no attachment", PartCount, alone));
    let soap = forge.soap.clone().into_bytes();
    let content_type = "application/soap+xml".to_owned();
    cases.push(Case { name: "plain SOAP".into(), rule: PartCount, content_type, body: soap });
    let swapped =
        [&line.as_bytes()[..line.len() - 2], &good[end + line.len()..end + line.len()]].concat();
    cases.push(forge.body_case("a boundary alone", Boundary, swapped));
    cases.push(forge.body_case("a closing boundary alone", RootPart, closing.clone().into_bytes()));
    cases.push(forge.body_case("no byte", Boundary, Vec::new()));
    let ping = forge.edit(
        ">urn:peppol:bis:billing<",
        ">http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/service<",
    );
    let action = forge.piece("<eb:Action>", "</eb:Action>");
    let ping = ping.replace(
        action,
        "<eb:Action>http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/test</eb:Action>",
    );
    let ping = ping.replace(forge.piece("<eb:PayloadInfo>", "</eb:PayloadInfo>"), "");
    cases.push(forge.case(
        "a ping with a payload that it does not name",
        PartInfo,
        forge.resign(&ping),
    ));
    cases
}

/// The bytes with the first `from` replaced.
fn replaced(body: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = memchr::memmem::find(body, from.as_bytes()).unwrap();
    [&body[..at], to.as_bytes(), &body[at + from.len()..]].concat()
}
