//! The response of the other access point, of any HTTP status: a receipt, an error, or neither.

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

/// Longest response in bytes. Real ones have 5 to 10 KiB.
pub const MOST_ANSWER_BYTES: usize = 1024 * 1024;

/// The response to a message.
#[derive(Debug)]
pub enum Answer {
    /// A signed receipt; not verified yet.
    Receipt(SignedReceipt),
    /// An error signal, signed or not.
    Rejected(Rejection),
    /// No statement about the message: it may be sent again under the same id.
    Nothing(Silence),
}

/// Why a response is neither a receipt nor an error signal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Silence {
    /// It has no body.
    #[error("HTTP {0} without a body")]
    Empty(u16),
    /// It is longer than [`MOST_ANSWER_BYTES`].
    #[error("HTTP {0} with more than {MOST_ANSWER_BYTES} bytes")]
    TooLong(u16),
    /// It is HTML, text or another format.
    #[error("HTTP {status} with {content_type}, which is not a SOAP message: {start}")]
    NotSoap {
        /// The HTTP status.
        status: u16,
        /// Its Content-Type.
        content_type: String,
        /// The start of the body.
        start: String,
    },
    /// It is a SOAP Fault without an eb:Error.
    #[error("HTTP {status} with a SOAP Fault: {reason}")]
    Fault {
        /// The HTTP status.
        status: u16,
        /// The reason in the fault.
        reason: String,
    },
    /// Its message is truncated, malformed or contradictory.
    #[error("HTTP {status} with a message that cannot be accepted: {refusal}")]
    Unreadable {
        /// The HTTP status.
        status: u16,
        /// The broken rule.
        refusal: Refusal,
    },
    /// It is an unsigned receipt.
    #[error("HTTP {0} with a receipt that is not signed")]
    UnsignedReceipt(u16),
}

/// Reads a response. Status and Content-Type are used in error messages: some AS4 implementations set them wrongly.
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

/// The SOAP part. Receipts are not multipart messages, but Oxalis accepts multipart receipts, so others may send
/// them.
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

/// Whether the text can be an envelope: it names the SOAP namespace and starts like XML.
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
        // An error signal with an unreadable signature counts as unsigned.
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

/// The references in a receipt. Only URI and digest matter: some implementations omit the transforms, others add
/// elements.
fn repeated(receipt: El<'_, '_>) -> Result<References, Refusal> {
    let rule = Rule::SignalMessage;
    let information = receipt.require(ns::EBBP, "NonRepudiationInformation", rule)?;
    let mut references = Vec::new();
    for part in information.all(ns::EBBP, "MessagePartNRInformation") {
        let reference = part.require(ns::DS, "Reference", rule)?;
        let digest = reference.require(ns::DS, "DigestValue", rule)?.text_alone();
        let digest = digest.and_then(|digest| digest.parse().ok());
        let digest = digest.ok_or_else(|| Refusal::new(rule, "a digest that is not SHA-256"))?;
        let uri = reference.attribute("URI").unwrap_or_default().to_owned();
        references.push(Reference { uri, digest });
    }
    Ok(References(references))
}

/// The reason of a SOAP Fault (SOAP 1.2, part 1, 5.4), or of another envelope without eb:Messaging.
fn fault(dom: &Dom<'_>, status: u16) -> Silence {
    let texts = dom.elements().filter(|element| element.name() == "Text");
    let reason = texts.filter_map(El::text_alone).find(|text| !text.is_empty());
    let reason = shown(reason.as_deref().unwrap_or("without a reason"));
    Silence::Fault { status, reason }
}
