//! Service level figures of the statuses that we send. They are counted from the records of each day, which have
//! partitions of their own.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

use crate::{
    service::{Context, later},
    store::{MlsOutboundRecord, MlsOutboundStatus, StoreError, keys::ANSWER_SHARDS},
    types::Mode,
};

/// The time limit from M1 to the sending of a status (Network Policy 1.0.0, MLS-1).
pub const IN_TIME: SignedDuration = SignedDuration::from_mins(20);
/// How many statuses of a thousand must be in time (MLS-1).
pub const GOAL_PER_MILLE: usize = 995;

/// The counts of the statuses of a period.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Statuses that are owed: one for every invalid document, and one for every valid document whose sender asks for
    /// it.
    pub owed: usize,
    /// Statuses that were sent.
    pub sent: usize,
    /// Statuses that were sent within [`IN_TIME`] of M1.
    pub in_time: usize,
    /// Statuses that were transmitted and may have arrived.
    pub unconfirmed: usize,
    /// Statuses whose receiver is not registered for statuses.
    pub undeliverable: usize,
    /// Statuses that are still to be sent.
    pub open: usize,
    /// Open statuses that have exceeded [`IN_TIME`].
    pub overdue: usize,
    /// M1 of the oldest open status.
    pub oldest: Option<Timestamp>,
}

impl Figures {
    /// How many of a thousand were in time, of all that could be sent and whose time is over. `None` without any.
    pub fn per_mille(&self) -> Option<usize> {
        let due = self.sent + self.unconfirmed + self.overdue;
        (self.in_time * 1_000).checked_div(due)
    }

    fn count(&mut self, answer: &MlsOutboundRecord, now: Timestamp) {
        let limit = later(answer.measured_from, IN_TIME);
        match answer.status {
            MlsOutboundStatus::NotOwed => return,
            MlsOutboundStatus::Sent => {
                self.sent += 1;
                self.in_time += usize::from(answer.sent_at.is_some_and(|sent| sent <= limit));
            }
            MlsOutboundStatus::Unconfirmed => self.unconfirmed += 1,
            MlsOutboundStatus::Undeliverable => self.undeliverable += 1,
            MlsOutboundStatus::Waiting
            | MlsOutboundStatus::Answering
            | MlsOutboundStatus::Unknown => {
                self.open += 1;
                self.overdue += usize::from(limit < now);
                let oldest = self.oldest.get_or_insert(answer.measured_from);
                *oldest = answer.measured_from.min(*oldest);
            }
        }
        self.owed += 1;
    }
}

/// The figures of the documents that were received from the first to the last day, in UTC.
pub async fn figures(
    ctx: &Context,
    mode: Mode,
    (first, last): (Date, Date),
) -> Result<Figures, StoreError> {
    let (mut figures, now) = (Figures::default(), ctx.now());
    for day in first.series(jiff::Span::new().days(1)).take_while(|day| *day <= last) {
        for shard in 0..ANSWER_SHARDS {
            for answer in ctx.store.list_mls_outbound(mode, day, shard).await? {
                figures.count(&answer, now);
            }
        }
    }
    Ok(figures)
}

/// The UTC day of an instant, which is the key of its partition.
pub fn day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: MlsOutboundStatus, sent_after: Option<i64>) -> MlsOutboundRecord {
        let fixture = include_str!("../../store/fixtures/answer.json");
        let record: MlsOutboundRecord = serde_json::from_str(fixture).unwrap();
        let sent_at =
            sent_after.map(|secs| later(record.measured_from, SignedDuration::from_secs(secs)));
        MlsOutboundRecord { status, sent_at, ..record }
    }

    #[test]
    fn a_status_counts_as_what_became_of_it() {
        let mut figures = Figures::default();
        let first = answer(MlsOutboundStatus::Sent, Some(1)).measured_from;
        let now = later(first, SignedDuration::from_mins(21));
        assert_eq!(figures.per_mille(), None);
        for answer in [
            answer(MlsOutboundStatus::Sent, Some(20 * 60)),
            answer(MlsOutboundStatus::Sent, Some(20 * 60 + 1)),
            answer(MlsOutboundStatus::Unconfirmed, None),
            answer(MlsOutboundStatus::Undeliverable, None),
            answer(MlsOutboundStatus::NotOwed, None),
            answer(MlsOutboundStatus::Answering, None),
            MlsOutboundRecord { measured_from: now, ..answer(MlsOutboundStatus::Waiting, None) },
        ] {
            figures.count(&answer, now);
        }
        let expected = Figures {
            owed: 6,
            sent: 2,
            in_time: 1,
            unconfirmed: 1,
            undeliverable: 1,
            open: 2,
            overdue: 1,
            oldest: Some(first),
        };
        assert_eq!(figures, expected);
        assert_eq!(figures.per_mille(), Some(250));
    }
}
