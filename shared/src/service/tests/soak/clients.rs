//! The integrators: they send documents, and repeat a request with an Idempotency-Key until they have its answer.

use jiff::SignedDuration;

use super::{
    agenda::{Request, Task},
    day::{Day, RECIPIENT},
    plan::{Document, Kind, To, Way},
};
use crate::{
    document::Operation::Invoice,
    error::Code,
    service::later,
    testing::{invoice, is_temporary, send, send_queued, to_nobody},
};

/// How long a client waits at most before it repeats a request.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);
/// One of so many answers does not reach the client, or does not keep it from a repetition.
const REPEATED: u64 = 15;

fn body(document: Document) -> serde_json::Value {
    match document.kind {
        Kind::Sent(To::Nobody, _) => to_nobody(&document.name()),
        Kind::Refused => {
            let mut body = invoice(&document.name(), RECIPIENT);
            body["currency"] = "XXX".into();
            body
        }
        _ => invoice(&document.name(), RECIPIENT),
    }
}

impl Day {
    /// A client sends a document, for the first time or again.
    pub(super) async fn request(&mut self, request: Request) {
        let Request { document, is_repeat } = request;
        let (way, key) = match document.kind {
            Kind::Sent(_, way @ Way::Unkeyed) => (way, None),
            Kind::Sent(_, way) => (way, Some(format!("key-{}", document.number))),
            _ => (Way::Unkeyed, None),
        };
        let caller = self.senders[document.number % self.senders.len()].clone();
        let body = body(document);
        let sent = self
            .perform(async |it| {
                let (sending, key) = (&it.process.sending, key.as_deref());
                match way {
                    Way::Queued => send_queued(sending, &caller, &body, key).await,
                    Way::Keyed | Way::Unkeyed => send(sending, &caller, Invoice, &body, key).await,
                }
            })
            .await;
        let again = match sent {
            None => true,
            Some(Ok(sent)) => {
                self.books.answered(document, &sent);
                !is_repeat && self.chaos.one_in(REPEATED)
            }
            Some(Err(failure))
                if is_temporary(failure.code) || failure.code == Code::RateLimited =>
            {
                true
            }
            Some(Err(failure)) => {
                if document.kind != Kind::Refused {
                    self.books.strange(format!("{}: refused: {failure:?}", document.name()));
                }
                false
            }
        };
        if again && key.is_some() {
            let at = later(self.now(), self.chaos.within(PATIENCE));
            let is_repeat = self.books.has_answer(document);
            self.agenda.put(at, Task::Request(Request { document, is_repeat }));
        }
    }
}
