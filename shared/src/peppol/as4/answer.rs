//! What the other side answers, whatever its HTTP status: a receipt, an error, or nothing that counts.

use super::{
    dom,
    envelope::Envelope,
    ids::{MessageId, Reference, References},
    mime,
    names::ns,
    receipt::SignedReceipt,
    refusal::{Refusal, shown},
    rejection::{PeerError, Rejection},
    rule::Rule,
    signature::Signed,
};
use crate::peppol::dom::{Dom, El};

/// Bytes of an answer at most: real ones have 5 to 10 KiB.
pub const MOST_ANSWER_BYTES: usize = 1024 * 1024;

/// What came back for a message.
#[derive(Debug)]
pub enum Answer {
    /// A signed receipt, of which nothing is proven yet.
    Receipt(SignedReceipt),
    /// An error, signed or not.
    Rejected(Rejection),
    /// Nothing that says what became of the message: it may be sent again under the same id.
    Nothing(Silence),
}

/// Why an answer counts for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Silence {
    /// No body.
    #[error("HTTP {0} without a body")]
    Empty(u16),
    /// More than [`MOST_ANSWER_BYTES`].
    #[error("HTTP {0} with more than {MOST_ANSWER_BYTES} bytes")]
    TooLong(u16),
    /// HTML, text or something else.
    #[error("HTTP {status} with {content_type}, which is no SOAP message: {start}")]
    NotSoap {
        /// The HTTP status.
        status: u16,
        /// Its Content-Type.
        content_type: String,
        /// How the body starts.
        start: String,
    },
    /// A SOAP Fault without an eb:Error.
    #[error("HTTP {status} with a SOAP Fault: {reason}")]
    Fault {
        /// The HTTP status.
        status: u16,
        /// What it says.
        reason: String,
    },
    /// A message that is cut, malformed or contradicts itself.
    #[error("HTTP {status} with a message that cannot be taken: {refusal}")]
    Unreadable {
        /// The HTTP status.
        status: u16,
        /// What is wrong with it.
        refusal: Refusal,
    },
    /// A receipt that nobody signed.
    #[error("HTTP {0} with a receipt that is not signed")]
    UnsignedReceipt(u16),
}

/// Reads an answer. Its status and Content-Type are for telling about it: some stacks get them wrong.
pub fn read_answer(status: u16, content_type: &str, body: &[u8]) -> Answer {
    if body.len() > MOST_ANSWER_BYTES {
        return Answer::Nothing(Silence::TooLong(status));
    }
    let soap = match soap_of(content_type, body) {
        Ok(soap) => soap,
        Err(refusal) => return Answer::Nothing(Silence::Unreadable { status, refusal }),
    };
    let start = soap.trim_ascii_start();
    if start.is_empty() {
        return Answer::Nothing(Silence::Empty(status));
    }
    if !is_soap(start) {
        let start = shown(&String::from_utf8_lossy(start.get(..400).unwrap_or(start)));
        let content_type = shown(if content_type.is_empty() { "no type" } else { content_type });
        return Answer::Nothing(Silence::NotSoap { status, content_type, start });
    }
    let read = dom::parse(start).and_then(|dom| read_signal(&dom, status));
    read.unwrap_or_else(|refusal| Answer::Nothing(Silence::Unreadable { status, refusal }))
}

/// The SOAP part. Receipts are no multipart messages, but Oxalis takes them as such, so that some may send them.
fn soap_of(content_type: &str, body: &[u8]) -> Result<Vec<u8>, Refusal> {
    let is_multipart =
        content_type.trim_start().get(..10).is_some_and(|s| s.eq_ignore_ascii_case("multipart/"));
    if !is_multipart {
        return Ok(body.to_vec());
    }
    let parts = mime::split(content_type, body)?;
    parts.check_count()?;
    parts.soap.bytes(body).map(std::borrow::Cow::into_owned)
}

/// Whether it could be an envelope: what names its namespace and is no page.
fn is_soap(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    text.starts_with(b"<") && memchr::memmem::find(text, b"/soap-envelope").is_some()
}

fn read_signal(dom: &Dom<'_>, status: u16) -> Result<Answer, Refusal> {
    if !dom.elements().any(|element| element.is(ns::EB, "Messaging")) {
        return Ok(Answer::Nothing(fault(dom, status)));
    }
    let envelope = Envelope::read(dom)?;
    envelope.check_understood()?;
    let signal = envelope.messaging.require(ns::EB, "SignalMessage", Rule::SignalMessage)?;
    let info = signal.single(ns::EB, "MessageInfo").ok();
    let in_error = || signal.all(ns::EB, "Error").find_map(|e| e.attribute("refToMessageInError"));
    let ref_to = info.and_then(|info| message_id(info, "RefToMessageId"));
    let ref_to = ref_to.or_else(|| in_error()?.parse().ok());
    let errors: Vec<PeerError> = signal.all(ns::EB, "Error").map(PeerError::read).collect();
    let signed = envelope.security.map(|security| Signed::read(&envelope, security));
    if !errors.is_empty() {
        // A signature that cannot be read makes the error one that nobody signed.
        let signed = signed.and_then(Result::ok);
        return Ok(Answer::Rejected(Rejection::new(errors, ref_to, signed)));
    }
    let receipt = signal.require(ns::EB, "Receipt", Rule::SignalMessage)?;
    let references = repeated(receipt)?;
    Ok(match signed {
        Some(signed) => Answer::Receipt(SignedReceipt::new(signed?, ref_to, references)),
        None => Answer::Nothing(Silence::UnsignedReceipt(status)),
    })
}

fn message_id(info: El<'_, '_>, name: &str) -> Option<MessageId> {
    info.single(ns::EB, name).ok()?.text_alone()?.parse().ok()
}

/// The references that a receipt repeats. Transforms are left out by some, and others add elements: URI and digest
/// are what counts.
fn repeated(receipt: El<'_, '_>) -> Result<References, Refusal> {
    let rule = Rule::SignalMessage;
    let information = receipt.require(ns::EBBP, "NonRepudiationInformation", rule)?;
    let mut references = Vec::new();
    for part in information.all(ns::EBBP, "MessagePartNRInformation") {
        let reference = part.require(ns::DS, "Reference", rule)?;
        let digest = reference.require(ns::DS, "DigestValue", rule)?.text_alone();
        let digest = digest.and_then(|digest| digest.parse().ok());
        let digest = digest.ok_or_else(|| Refusal::new(rule, "a digest that is no SHA-256"))?;
        let uri = reference.attribute("URI").unwrap_or_default().to_owned();
        references.push(Reference { uri, digest });
    }
    Ok(References(references))
}

/// SOAP 1.2, part 1, 5.4, or what else an envelope without eb:Messaging holds.
fn fault(dom: &Dom<'_>, status: u16) -> Silence {
    let texts = dom.elements().filter(|element| element.name() == "Text");
    let reason = texts.filter_map(El::text_alone).find(|text| !text.is_empty());
    let reason = shown(reason.as_deref().unwrap_or("without a reason"));
    Silence::Fault { status, reason }
}
