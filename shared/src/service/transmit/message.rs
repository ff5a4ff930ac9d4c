//! One message to an access point, and what came back for it.

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};
use tokio::time::timeout_at;

use super::Exchange;
use crate::{
    egress::{self, EgressError, ErrorKind, Limits},
    peppol::{
        as4::{self, Answer, Authenticity, Freight, Outgoing, Participants, Sent, Verdict},
        identifiers::SeatId,
        lookup::{Found, Query},
        pki::Role,
    },
    service::network::receivers::Sign,
    store::{As4Message, AttemptOutcome},
    webhook::schedule,
};

/// What came back for a message.
pub(super) struct Came {
    pub(super) outcome: AttemptOutcome,
    /// What the access point did with the message.
    pub(super) sign: Sign,
    /// Whether no connection could be made.
    pub(super) unconnected: bool,
    pub(super) ebms_code: Option<String>,
    pub(super) cause: Option<String>,
    pub(super) receipt: Option<Vec<u8>>,
}

impl Came {
    fn of(outcome: AttemptOutcome, sign: Sign, cause: impl ToString) -> Self {
        let cause = Some(cause.to_string());
        Came { outcome, sign, unconnected: false, ebms_code: None, cause, receipt: None }
    }

    /// Nothing left, for a reason of our own.
    fn ours(cause: impl ToString) -> Self {
        Came::of(AttemptOutcome::Unreachable, Sign::Ours, cause)
    }
}

/// Sends a message, and reads the answer.
pub(super) async fn post(
    exchange: Exchange<'_>,
    query: &Query,
    found: &Found,
    message: &As4Message,
    envelope: &[u8],
) -> Came {
    let now = exchange.ctx.now();
    let Some(signer) = exchange.network.keys.signer(now) else {
        return Came::ours("no certificate of this service is valid now");
    };
    let ids = (message.message_id.parse(), found.certificate.common_name().parse::<SeatId>());
    let (Ok(message_id), Ok(receiver)) = ids else {
        return Came::ours("the message's identifiers cannot be used");
    };
    let Query { participant, document_type, process, .. } = query;
    let outgoing = Outgoing {
        message_id: &message_id,
        conversation_id: &message.conversation_id,
        timestamp: message.timestamp,
        receiver: &found.certificate,
        participants: &Participants {
            original_sender: exchange.header.sender.clone(),
            final_recipient: participant.clone(),
        },
        freight: Freight::Document { document_type, process },
    };
    let built = as4::build(&outgoing, envelope, signer, &*exchange.ctx.random).await;
    let built = match built {
        Ok(built) => built,
        Err(error) => return Came::ours(error),
    };
    let sent = Sent { message_id, receiver, references: built.references };
    let Ok(content_type) = HeaderValue::try_from(built.content_type) else {
        return Came::ours("the message's Content-Type cannot be used");
    };
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type)]);
    let deadline = exchange.time.of_message();
    if deadline.is_zero() {
        return Came::ours("there was no time left to send it");
    }
    let limits = Limits { deadline, answer_bytes: as4::MOST_ANSWER_BYTES + 1 };
    let client = &exchange.network.client;
    match client.request(Method::POST, &found.address, headers, built.body, limits).await {
        Ok(answer) => {
            let read = Box::pin(read(exchange, &sent, answer));
            timeout_at(exchange.time.to_end(), read).await.unwrap_or_else(|_| {
                let cause = "the certificate of the responder was not verified in time";
                Came::of(AttemptOutcome::Unconfirmed, Sign::Answers, cause)
            })
        }
        Err(EgressError { kind, message }) => match kind {
            // Nothing of the message has left.
            ErrorKind::Connect => Came {
                unconnected: true,
                ..Came::of(AttemptOutcome::Unreachable, Sign::Fails, message)
            },
            ErrorKind::Blocked | ErrorKind::InvalidUrl => {
                Came::of(AttemptOutcome::Unreachable, Sign::Fails, message)
            }
            ErrorKind::Timeout | ErrorKind::Protocol => {
                Came::of(AttemptOutcome::Unconfirmed, Sign::Fails, message)
            }
        },
    }
}

/// Reads an answer, whatever its status, and proves who gave it.
async fn read(exchange: Exchange<'_>, sent: &Sent, answer: egress::Answer) -> Came {
    let egress::Answer { status, retry_after, content_type, body, complete, .. } = answer;
    let served = match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            let asked = retry_after.as_deref();
            let retry_after =
                asked.and_then(|header| schedule::retry_after(header, exchange.ctx.now()));
            Sign::Overloaded { retry_after }
        }
        // From a proxy before an access point that is gone.
        status if status.is_server_error() => Sign::Fails,
        _ => Sign::Answers,
    };
    match as4::read_answer(status.as_u16(), content_type.as_deref().unwrap_or_default(), &body) {
        Answer::Nothing(_) if !complete && body.len() <= as4::MOST_ANSWER_BYTES => {
            let (code, bytes) = (status.as_u16(), body.len());
            let cause = format!(
                "HTTP {code} with an answer that broke off, or was not complete in time, after {bytes} bytes"
            );
            Came::of(AttemptOutcome::Unconfirmed, served, cause)
        }
        // "Content Too Large": it is not processed (RFC 9110, section 15.5.14), and is no smaller another time.
        Answer::Nothing(silence) if status == StatusCode::PAYLOAD_TOO_LARGE => {
            Came::of(AttemptOutcome::Refused, served, silence)
        }
        Answer::Nothing(silence) => Came::of(AttemptOutcome::Unconfirmed, served, silence),
        Answer::Receipt(receipt) => {
            let trusted =
                exchange.network.trusted(exchange.ctx, receipt.signer(), Role::AccessPoint).await;
            let confirmed = match trusted {
                Ok(signer) => receipt.verify(&signer, sent).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match confirmed {
                Ok(_) => Came {
                    receipt: Some(body),
                    cause: None,
                    ..Came::of(AttemptOutcome::Received, Sign::Answers, "")
                },
                Err(cause) => Came::of(AttemptOutcome::Unconfirmed, Sign::Answers, cause),
            }
        }
        Answer::Rejected(rejection) => {
            let proven = match rejection.signer() {
                None => false,
                Some(signer) => {
                    let trusted =
                        exchange.network.trusted(exchange.ctx, signer, Role::AccessPoint).await;
                    trusted.is_ok_and(|signer| rejection.verify(&signer, sent).is_ok())
                }
            };
            let authenticity = if proven { Authenticity::Proven } else { Authenticity::Unproven };
            let error = rejection.errors().first();
            let outcome = match rejection.verdict(authenticity) {
                Verdict::Final => AttemptOutcome::Refused,
                Verdict::Duplicate => AttemptOutcome::Duplicate,
                Verdict::Retry => AttemptOutcome::Deferred,
                Verdict::Unproven => AttemptOutcome::Unconfirmed,
            };
            let said = error.map_or(String::new(), |error| {
                let unsigned = if proven { "" } else { ", unsigned" };
                format!("{} {}{unsigned}: {}", error.code, error.short_description, error.detail)
            });
            let ebms_code = error.map(|error| error.code.clone());
            Came { ebms_code, ..Came::of(outcome, Sign::Answers, said) }
        }
    }
}
