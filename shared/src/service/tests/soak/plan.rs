//! The load and the disturbances of a day.

use jiff::SignedDuration;

use super::{
    agenda::{Request, Task, Who},
    chaos::Chaos,
};

/// The load of each hour in parts. The peak is before noon.
const LOAD: [u64; 24] =
    [1, 1, 1, 1, 1, 2, 3, 6, 10, 16, 22, 18, 8, 7, 9, 8, 6, 4, 3, 2, 2, 1, 1, 1];
/// For so many documents, a client sends one that is refused.
const REFUSED: u64 = 20;

/// Where a document goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    /// To a recipient at another access point.
    AccessPoint,
    /// To a recipient who is not subject to e-invoicing. It is only reported.
    Nobody,
}

/// How a client sends a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Waits for the result. The Idempotency-Key allows it to repeat the request.
    Keyed,
    /// Waits for the result. It cannot repeat the request.
    Unkeyed,
    /// Lets the queues send it, with an Idempotency-Key.
    Queued,
}

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sent(To, Way),
    /// A client sends it, and it breaks the rules.
    Refused,
    /// Another access point sends it.
    Received {
        is_valid: bool,
    },
}

/// A document, by its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document {
    pub(super) number: usize,
    pub(super) kind: Kind,
}

impl Document {
    /// The number on the document. The prefix tells who sends it.
    pub(super) fn name(self) -> String {
        let prefix = match self.kind {
            Kind::Sent(..) | Kind::Refused => "S",
            Kind::Received { .. } => "R",
        };
        format!("{prefix}-{}", self.number)
    }

    /// Whether its recipient's access point rejects it.
    pub(super) fn is_rejected(self) -> bool {
        self.number % 10 == 3
    }

    /// Whether the tax authority refuses its report.
    pub(super) fn is_not_compliant(self) -> bool {
        self.number % 20 == 7
    }
}

fn kind(chaos: &Chaos) -> Kind {
    match chaos.below(100) {
        0..40 => Kind::Sent(To::AccessPoint, Way::Keyed),
        40..58 => Kind::Sent(To::AccessPoint, Way::Queued),
        58..64 => Kind::Sent(To::AccessPoint, Way::Unkeyed),
        64..72 => Kind::Sent(To::Nobody, Way::Keyed),
        72..76 => Kind::Sent(To::Nobody, Way::Queued),
        76..95 => Kind::Received { is_valid: true },
        _ => Kind::Received { is_valid: false },
    }
}

/// A moment of the day, as likely as the load of its hour is high.
fn moment(chaos: &Chaos) -> SignedDuration {
    let mut part = chaos.below(LOAD.iter().sum());
    let is_it = |load: &u64| {
        let within = part < *load;
        part = part.saturating_sub(*load);
        within
    };
    let hour = LOAD.iter().position(is_it).unwrap_or_default();
    let hour = SignedDuration::from_hours(hour.try_into().unwrap());
    hour + chaos.within(SignedDuration::from_hours(1))
}

/// The documents of a day, at least so many, and further ones that a client sends in vain.
pub(super) fn documents(chaos: &Chaos, count: usize) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut accepted = 0;
    while accepted < count {
        let kind = if chaos.one_in(REFUSED) { Kind::Refused } else { kind(chaos) };
        // Nobody may know of a document without a key.
        let is_sure = !matches!(kind, Kind::Refused | Kind::Sent(_, Way::Unkeyed));
        accepted += usize::from(is_sure);
        documents.push(Document { number: documents.len(), kind });
    }
    documents
}

/// What is known at the beginning of a day, each with the time since then.
pub(super) fn tasks(
    chaos: &Chaos,
    documents: &[Document],
    endpoints: usize,
) -> Vec<(SignedDuration, Task)> {
    let (hour, minute) = (SignedDuration::from_hours, SignedDuration::from_mins);
    let mut tasks = Vec::new();
    for document in documents.iter().copied() {
        let task = match document.kind {
            Kind::Received { .. } => Task::Document(document),
            _ => Task::Request(Request { document, is_repeat: false }),
        };
        tasks.push((moment(chaos), task));
    }
    let mut is_away = |who, from: SignedDuration, time: SignedDuration| {
        tasks.push((from, Task::Away(who, true)));
        tasks.push((from + time, Task::Away(who, false)));
    };
    is_away(Who::Authority, hour(8) + chaos.within(hour(2)), hour(2));
    is_away(Who::AccessPoint, hour(10) + chaos.within(hour(4)), hour(1));
    for endpoint in 0..endpoints.div_ceil(2) {
        is_away(Who::Endpoint(endpoint), hour(7) + chaos.within(hour(8)), hour(1));
    }
    for by in [minute(5), minute(5), hour(1)] {
        tasks.push((hour(6) + chaos.within(hour(12)), Task::Jump(by)));
    }
    tasks
}
