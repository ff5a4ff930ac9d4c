//! Answers of the SML.

use super::{LOCATOR, SOAP};
use crate::peppol::{
    dom::El,
    identifiers::cut,
    smp::{SmpError, dom},
};

/// Longest accepted answer of the SML.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Longest quotation of an SML message, in characters.
const LONGEST_MESSAGE: usize = 200;

/// An answer of the SML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The SML carried out the request.
    Done,
    /// The SML refused the request.
    Fault(Fault),
    /// The answer is not from the SML: for example a proxy's page, or a broken envelope.
    Nothing(String),
}

/// Why the SML refused a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The message of the SML.
    pub message: String,
}

/// The four faults of BDMSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// The request is invalid, or the participant exists already.
    #[error("bad request")]
    BadRequest,
    /// The participant, SMP or migration is unknown.
    #[error("not found")]
    NotFound,
    /// Our certificate is not authorized, or not for this participant.
    #[error("unauthorized")]
    Unauthorized,
    /// The SML failed.
    #[error("internal error")]
    Internal,
}

/// Reads an answer.
pub fn read(status: u16, body: &[u8]) -> Answer {
    let is_success = (200..300).contains(&status);
    // SOAP 1.1 over HTTP: a successful response may have no body.
    if is_success && body.trim_ascii().is_empty() {
        return Answer::Done;
    }
    match (envelope(body), status) {
        (Ok(Some(fault)), _) => Answer::Fault(fault),
        (Ok(None), _) if is_success => Answer::Done,
        // The TLS terminator of the SML refuses our certificate without SOAP.
        (_, 401 | 403) => Answer::Fault(Fault {
            kind: FaultKind::Unauthorized,
            message: format!("HTTP status {status}: our certificate is not accepted"),
        }),
        (Ok(None), _) => Answer::Nothing(format!("HTTP status {status} without a fault")),
        (Err(error), _) => Answer::Nothing(format!("HTTP status {status}, {error}")),
    }
}

/// The fault in an envelope, if there is one.
fn envelope(body: &[u8]) -> Result<Option<Fault>, SmpError> {
    let dom = dom::parse(body, SOAP, "Envelope")?;
    let body = dom.root().only(SOAP, "Body")?;
    let Some(fault) = body.optional(SOAP, "Fault")? else { return Ok(None) };
    Ok(Some(read_fault(fault)))
}

/// Reads a fault (SOAP 1.1, section 4.4). Its children have no namespace; some servers add one.
fn read_fault(fault: El<'_, '_>) -> Fault {
    let named = |name: &'static str| fault.children().find(move |child| child.name() == name);
    let detail = named("detail").and_then(|detail| detail.children().next());
    let kind = match detail.map_or("", El::name) {
        "BadRequestFault" => FaultKind::BadRequest,
        "NotFoundFault" => FaultKind::NotFound,
        "UnauthorizedFault" => FaultKind::Unauthorized,
        _ => FaultKind::Internal,
    };
    let said = detail.and_then(|detail| detail.all(LOCATOR, "FaultMessage").next());
    let message = said.or(named("faultstring")).map(El::text).unwrap_or_default();
    Fault { kind, message: cut(&message, LONGEST_MESSAGE) }
}
