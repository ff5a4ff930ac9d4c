//! The results of lookups, cached in the table for all functions. So a batch to one buyer asks the network once.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::{LOOKUP, LookupFailure, Why};
use crate::{
    peppol::lookup::{Found, Query, Remembered},
    service::{Context, later},
    store::Asking,
    types::Mode,
};

/// How long a result is used without another lookup.
const FOUND: SignedDuration = SignedDuration::from_mins(15);
/// How long a negative result is used without another lookup.
const ABSENT: SignedDuration = SignedDuration::from_mins(1);
/// How long a result is used while the network does not answer.
const STALE: SignedDuration = SignedDuration::from_hours(24);

/// How long an old result is used without another lookup, after a lookup got no answer.
const FAILING: SignedDuration = SignedDuration::from_mins(1);

/// How long a worker has to write the result of its lookup, beyond the time of the lookup.
const WRITING: Duration = Duration::from_millis(500);
/// How long other workers with the same query wait before they look again.
const LOOK: Duration = Duration::from_millis(250);

/// The cached result of a query.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    at: Timestamp,
    outcome: Outcome,
    /// When a later lookup of the same query got no answer, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed_at: Option<Timestamp>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Found(Remembered),
    #[serde(rename = "missed")]
    Failed(LookupFailure),
}

impl Known {
    /// The result, if it is fresh enough that no lookup is needed.
    pub(super) fn fresh(&self, now: Timestamp) -> Option<Result<&Remembered, &LookupFailure>> {
        let (outcome, kept) = match &self.outcome {
            Outcome::Found(found) => (Ok(found), FOUND),
            Outcome::Failed(failure) => (Err(failure), ABSENT),
        };
        (now < later(self.at, kept)).then_some(outcome)
    }

    /// An old result that still may be used.
    pub(super) fn stale(&self, now: Timestamp) -> Option<&Remembered> {
        match &self.outcome {
            Outcome::Found(found) if now < later(self.at, STALE) => Some(found),
            _ => None,
        }
    }

    /// An old result, if a lookup got no answer a moment ago.
    pub(super) fn while_failing(&self, now: Timestamp) -> Option<&Remembered> {
        let failed_at = self.failed_at.filter(|at| now < later(*at, FAILING));
        failed_at.and_then(|_| self.stale(now))
    }
}

/// Which worker does the lookup.
pub(super) enum Turn {
    /// No worker: the cached result is enough.
    Nobodys,
    /// This worker. Others wait for it until then.
    Ours(Timestamp),
    /// Another worker did it and got no answer, for this reason.
    Anothers(LookupFailure),
}

/// The cached result. `None` if the read fails, since a lookup is still possible.
async fn read(ctx: &Context, mode: Mode, query: &Query) -> Option<Known> {
    match ctx.store.get_lookup(mode, &question(query)).await {
        Ok(known) => known,
        Err(error) => {
            tracing::warn!(%error, "the cache of lookups cannot be read");
            None
        }
    }
}

/// The cached result, and which worker does the lookup. While another worker does the same lookup, this one waits, but
/// at most half of the time until `until`. The other half is for the work after that.
pub(super) async fn read_or_await(
    ctx: &Context,
    mode: Mode,
    query: &Query,
    until: Instant,
) -> (Option<Known>, Turn) {
    let question = question(query);
    let half = until.saturating_duration_since(Instant::now()) / 2;
    let patience = Instant::now() + half;
    let mut asking: Option<Asking<LookupFailure>> = None;
    loop {
        let known = read(ctx, mode, query).await;
        let now = ctx.now();
        if tells(ctx, known.as_ref()) {
            return (known, Turn::Nobodys);
        }
        if let Some(failure) = asking.as_mut().and_then(|it| it.failed.take()) {
            return (known, Turn::Anothers(failure));
        }
        if asking.is_none_or(|it| it.until <= now) {
            let ours = now.saturating_add(longest(until) + WRITING).unwrap_or(Timestamp::MAX);
            match ctx.store.begin_lookup(mode, &question, now, ours).await {
                Ok(true) => return (known, Turn::Ours(ours)),
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "the lease of a lookup cannot be read");
                    return (known, Turn::Ours(ours));
                }
            }
        }
        if patience <= Instant::now() {
            let message =
                format!("{}: the lookup of another request has no answer yet", query.participant);
            return (known, Turn::Anothers(LookupFailure { why: Why::Failed, message }));
        }
        ctx.clock.sleep(LOOK).await;
        asking = ctx.store.get_asking(mode, &question).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the lease of a lookup cannot be read");
            None
        });
    }
}

/// How long a lookup may take before `until`: half of the time. The other half is for rechecking an older result.
pub(super) fn longest(until: Instant) -> Duration {
    LOOKUP.min(until.saturating_duration_since(Instant::now()) / 2)
}

/// Whether no lookup is needed.
fn tells(ctx: &Context, known: Option<&Known>) -> bool {
    let now = ctx.now();
    known.is_some_and(|known| known.fresh(now).is_some() || known.while_failing(now).is_some())
}

/// Caches the result of a lookup. If the write fails, the next query does the lookup again.
pub(super) async fn write(
    ctx: &Context,
    mode: Mode,
    query: &Query,
    came: Result<&Found, &LookupFailure>,
) {
    let (at, outcome) = match came {
        Ok(found) => (ctx.now(), Outcome::Found(found.into())),
        Err(failure) => (ctx.now(), Outcome::Failed(failure.clone())),
    };
    let (known, until) = (Known { at, outcome, failed_at: None }, later(at, STALE));
    if let Err(error) = ctx.store.put_lookup(mode, &question(query), &known, until).await {
        tracing::warn!(%error, "the result of a lookup cannot be cached");
    }
}

/// Records in the cached result that the network does not answer now. If the write fails, the next query waits for the
/// network too.
pub(super) async fn note_failure(ctx: &Context, mode: Mode, query: &Query) {
    if let Err(error) = ctx.store.note_lookup_failed(mode, &question(query), ctx.now()).await {
        tracing::warn!(%error, "the failure of a lookup cannot be recorded");
    }
}

/// Notifies waiting workers that the lookup failed, and why. If the write fails, they wait until their own time or the
/// lookup's time is over.
pub(super) async fn tell_failure(
    ctx: &Context,
    mode: Mode,
    query: &Query,
    turn: Turn,
    cause: &LookupFailure,
) {
    let Turn::Ours(until) = turn else { return };
    if let Err(error) = ctx.store.fail_lookup(mode, &question(query), until, cause).await {
        tracing::warn!(%error, "a failed lookup could not be stored");
    }
}

fn question(query: &Query) -> String {
    let Query { participant, document_type, process, sought } = query;
    match sought {
        None => format!("{participant} {document_type} {process}"),
        Some(sought) => format!("{participant} {document_type} {process} from {sought}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_another_version_kept_is_read() {
        let at: Timestamp = "2026-11-20T08:00:00Z".parse().unwrap();
        let found = json!({"found": {
            "address": "https://ap.example/as4",
            "certificate": "MIIB",
            "registration": "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:peppol:pint:billing-1@ae-1::2.1",
            "expiration": "2027-11-20T08:00:00Z",
            "publisher": "smp.example",
            "steps": [{"asked": "participant.example", "learned": "smp.example"}],
        }});
        let missed = json!({"missed": {"why": "not_registered", "message": "Nobody is."}});
        for (kind, outcome) in [("found", found), ("missed", missed)] {
            let mut kept = json!({"at": at, "outcome": outcome});
            let read = |kept: &Value| serde_json::from_value::<Known>(kept.clone()).unwrap();
            assert_eq!(serde_json::to_value(read(&kept)).unwrap(), kept, "written as it was");
            kept["later"] = json!(1);
            kept["outcome"][kind]["later"] = json!({"of": ["a"]});
            assert_eq!(read(&kept).fresh(at).unwrap().is_ok(), kind == "found");
            kept["outcome"][kind].as_object_mut().unwrap().remove("expiration");
            assert_eq!(read(&kept).stale(at).is_some(), kind == "found");
        }
    }
}
