//! Responses: phase4's receipt and its response to a duplicate, as captured, and all other kinds.

use crate::peppol::{
    as4::{
        Answer, Authenticity, BadSignal, Rule, Sent, Silence, Verdict, names::ns, open, read_answer,
    },
    pki::{Anchors, Certificate, RevocationPolicy, Revocations, Role, Trust, Trusted},
};

const REQUEST: &[u8] = include_bytes!("../samples/exchange/request.as4");
const RECEIPT: &[u8] = include_bytes!("../samples/exchange/receipt.as4");
const DUPLICATE: &[u8] = include_bytes!("../samples/exchange/duplicate.as4");
const AUTHORITY: &str = include_str!("../samples/exchange/authority.pem");
const SOAP: &str = "application/soap+xml";

/// Content-Type and body of a sample.
fn sample(bytes: &[u8]) -> (&str, &[u8]) {
    let end = memchr::memmem::find(bytes, b"\r\n\r\n").unwrap();
    let head = str::from_utf8(&bytes[..end]).unwrap();
    (head.strip_prefix("Content-Type: ").unwrap(), &bytes[end + 4..])
}

/// The facts about the captured message of this crate.
fn sent() -> Sent {
    let (content_type, body) = sample(REQUEST);
    let opened = open(content_type, body.to_vec()).unwrap();
    Sent {
        message_id: opened.message_id().clone(),
        receiver: "PAE000002".parse().unwrap(),
        references: opened.references(),
    }
}

fn trusted(certificate: &Certificate) -> Trusted {
    let anchors = Anchors::local(AUTHORITY.as_bytes(), AUTHORITY.as_bytes()).unwrap();
    let trust = Trust::new(anchors).with_revocation(RevocationPolicy::SoftFail);
    let now = "2026-12-01T00:00:00Z".parse().unwrap();
    trust.check(certificate, Role::AccessPoint, now, &Revocations::default()).unwrap()
}

#[test]
fn the_receipt_of_phase4_confirms_what_was_sent() {
    let (content_type, body) = sample(RECEIPT);
    let Answer::Receipt(receipt) = read_answer(200, content_type, body) else { panic!() };
    let confirmed = receipt.verify(&trusted(receipt.signer()), &sent()).unwrap();
    assert_eq!(confirmed.by.as_str(), "PAE000002");
    for (from, to) in [
        ("eb:Timestamp>2026", "eb:Timestamp>2027"),
        ("</eb:RefToMessageId>", "x</eb:RefToMessageId>"),
    ] {
        let changed = String::from_utf8(body.to_vec()).unwrap().replacen(from, to, 1);
        let answer = read_answer(200, content_type, changed.as_bytes());
        let Answer::Nothing(Silence::Unreadable { refusal, .. }) = answer else { panic!("{from}") };
        assert_eq!(refusal.rule(), Rule::Digest, "{from}");
    }
}

#[test]
fn the_answer_of_phase4_to_a_duplicate_is_known_as_one() {
    let (content_type, body) = sample(DUPLICATE);
    let Answer::Rejected(rejection) = read_answer(200, content_type, body) else { panic!() };
    rejection.verify(&trusted(rejection.signer().unwrap()), &sent()).unwrap();
    assert_eq!(rejection.verdict(Authenticity::Proven), Verdict::Duplicate);
    assert_eq!(rejection.verdict(Authenticity::Unproven), Verdict::Unproven);
    let mut other = sent();
    other.message_id = "other@example".parse().unwrap();
    let error = rejection.verify(&trusted(rejection.signer().unwrap()), &other).unwrap_err();
    assert!(matches!(error, BadSignal::RefersTo { .. }), "{error}");
}

/// A signal without a signature.
fn unsigned(content: &str) -> String {
    let (soap, eb) = (ns::SOAP, ns::EB);
    format!(
        "<s:Envelope xmlns:s=\"{soap}\"><s:Header><eb:Messaging xmlns:eb=\"{eb}\"><eb:SignalMessage>{content}</eb:SignalMessage></eb:Messaging></s:Header><s:Body/></s:Envelope>"
    )
}

#[test]
fn each_error_has_its_verdict() {
    use Authenticity::{Proven, Unproven};
    use Verdict::{Duplicate, Final, Retry};
    let table = [
        (vec![("EBMS:0004", "PEPPOL:NOT_SERVICED")], Final),
        (vec![("EBMS:0004", "already handled (this is a duplicate)")], Duplicate),
        (vec![("EBMS:4001", "")], Duplicate),
        (vec![("EBMS:0202", "")], Retry),
        (vec![("EBMS:0005", "")], Retry),
        (vec![("EBMS:0202", ""), ("EBMS:0003", "")], Final),
        (vec![("EBMS:0101", "")], Final),
        (vec![("EBMS:0102", "duplicate key")], Final),
        (vec![("EBMS:0103", "")], Final),
        (vec![("EBMS:0303", "")], Final),
        (vec![("", "")], Final),
    ];
    for (errors, proven) in table {
        let content: String = errors
            .iter()
            .map(|(code, detail)| {
                format!("<eb:Error errorCode=\"{code}\"><eb:ErrorDetail>{detail}</eb:ErrorDetail></eb:Error>")
            })
            .collect();
        let Answer::Rejected(rejection) = read_answer(200, SOAP, unsigned(&content).as_bytes())
        else {
            panic!("{errors:?}")
        };
        assert_eq!(rejection.errors().len(), errors.len());
        assert_eq!(rejection.verdict(Proven), proven, "{errors:?}");
        assert_eq!(rejection.verdict(Unproven), Verdict::Unproven, "{errors:?}");
    }
}

#[test]
fn whatever_else_comes_back_says_nothing() {
    let fault = format!(
        "<e:Envelope xmlns:e=\"{}\"><e:Body><e:Fault><e:Code/><e:Reason><e:Text>no such header</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>",
        ns::SOAP
    );
    let receipt = unsigned(
        "<eb:Receipt><ebbp:NonRepudiationInformation xmlns:ebbp=\"http://docs.oasis-open.org/ebxml-bp/ebbp-signals-2.0\"/></eb:Receipt>",
    );
    let (_, whole) = sample(RECEIPT);
    let neither = unsigned("");
    let huge = vec![b'<'; 3_000_000];
    let table: [(u16, &str, &[u8], &str); 14] = [
        (200, "", b"", "HTTP 200 without a body"),
        (202, SOAP, b" \r\n", "HTTP 202 without a body"),
        (503, "text/plain", b"", "HTTP 503 without a body"),
        (
            200,
            "text/html",
            b"<html><body>hello</body></html>",
            "HTTP 200 with text/html, which is not a SOAP message: <html>",
        ),
        (
            502,
            "",
            b"Bad Gateway",
            "HTTP 502 with no type, which is not a SOAP message: Bad Gateway",
        ),
        (
            200,
            "application/json",
            b"{\"ok\": true}",
            "HTTP 200 with application/json, which is not a SOAP message",
        ),
        (200, SOAP, &[0xff; 100], "which is not a SOAP message"),
        (500, SOAP, fault.as_bytes(), "HTTP 500 with a SOAP Fault: no such header"),
        (200, SOAP, receipt.as_bytes(), "HTTP 200 with a receipt that is not signed"),
        (
            200,
            SOAP,
            &whole[..whole.len() / 2],
            "HTTP 200 with a message that cannot be accepted: soap-xml",
        ),
        (200, "multipart/related; boundary=b", whole, "cannot be accepted: mime-boundary"),
        (200, "multipart/related", whole, "cannot be accepted: mime-content-type"),
        (200, SOAP, neither.as_bytes(), "cannot be accepted: ebms-signal-message"),
        (200, SOAP, &huge, "HTTP 200 with more than 1048576 bytes"),
    ];
    for (status, content_type, body, expected) in table {
        let Answer::Nothing(silence) = read_answer(status, content_type, body) else {
            panic!("{expected}")
        };
        assert!(silence.to_string().contains(expected), "{silence}: {expected}");
    }
}

#[test]
fn a_user_message_is_no_answer() {
    let (content_type, body) = sample(REQUEST);
    let answer = read_answer(200, content_type, body);
    assert!(matches!(answer, Answer::Nothing(Silence::Unreadable { .. })), "{answer:?}");
}
