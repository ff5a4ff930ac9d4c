//! What lookups found, kept in the table for all functions: a batch to one buyer asks the network once.

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

/// How long what was found is not asked for again.
const FOUND: SignedDuration = SignedDuration::from_mins(15);
/// How long that there is nothing is not asked for again.
const ABSENT: SignedDuration = SignedDuration::from_mins(1);
/// How long what was found serves while the network does not answer.
const STALE: SignedDuration = SignedDuration::from_hours(24);

/// How long what was found serves without another question, once the network did not answer one.
const FAILING: SignedDuration = SignedDuration::from_mins(1);

/// How long one who asks has, beyond the time of its question, to write down what came of it.
const WRITING: Duration = Duration::from_millis(500);
/// How long others with the same question wait before they look again.
const LOOK: Duration = Duration::from_millis(250);

/// What is known about a query.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    at: Timestamp,
    outcome: Outcome,
    /// When the network did not answer the same question since, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed_at: Option<Timestamp>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Found(Remembered),
    Missed(LookupFailure),
}

impl Known {
    /// What was found or missed so lately that the network need not be asked.
    pub(super) fn fresh(&self, now: Timestamp) -> Option<Result<&Remembered, &LookupFailure>> {
        let (outcome, kept) = match &self.outcome {
            Outcome::Found(found) => (Ok(found), FOUND),
            Outcome::Missed(missed) => (Err(missed), ABSENT),
        };
        (now < later(self.at, kept)).then_some(outcome)
    }

    /// What was found not too long ago.
    pub(super) fn stale(&self, now: Timestamp) -> Option<&Remembered> {
        match &self.outcome {
            Outcome::Found(found) if now < later(self.at, STALE) => Some(found),
            _ => None,
        }
    }

    /// The same, where the network did not answer a moment ago.
    pub(super) fn while_failing(&self, now: Timestamp) -> Option<&Remembered> {
        let failed_at = self.failed_at.filter(|at| now < later(*at, FAILING));
        failed_at.and_then(|_| self.stale(now))
    }
}

/// Who asks the network.
pub(super) enum Turn {
    /// Nobody: what is known will do.
    Nobodys,
    /// Who called. Others wait for it until then.
    Ours(Timestamp),
    /// Another one did, and has no answer: why.
    Anothers(LookupFailure),
}

/// What is known; nothing when that cannot be found out, since the network can be asked.
async fn read(ctx: &Context, mode: Mode, query: &Query) -> Option<Known> {
    match ctx.store.get_lookup(mode, &question(query)).await {
        Ok(known) => known,
        Err(error) => {
            tracing::warn!(%error, "what earlier lookups found cannot be read");
            None
        }
    }
}

/// What is known, and whose turn it is to ask the network. While another one asks the same, that is waited for, but no
/// longer than half of the time until `until`: the other half is for what is done then.
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
        if let Some(missed) = asking.as_mut().and_then(|it| it.failed.take()) {
            return (known, Turn::Anothers(missed));
        }
        if asking.is_none_or(|it| it.until <= now) {
            let ours = now.saturating_add(longest(until) + WRITING).unwrap_or(Timestamp::MAX);
            match ctx.store.begin_lookup(mode, &question, now, ours).await {
                Ok(true) => return (known, Turn::Ours(ours)),
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "whether another one asks the network cannot be found out");
                    return (known, Turn::Ours(ours));
                }
            }
        }
        if patience <= Instant::now() {
            let message = format!("{}: who looks it up has no answer yet", query.participant);
            return (known, Turn::Anothers(LookupFailure { why: Why::Failed, message }));
        }
        ctx.clock.sleep(LOOK).await;
        asking = ctx.store.get_asking(mode, &question).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "who asks the network cannot be read");
            None
        });
    }
}

/// How long the network may be asked by one who needs to know until then: half of the time, since what was found before
/// is looked at within the other half.
pub(super) fn longest(until: Instant) -> Duration {
    LOOKUP.min(until.saturating_duration_since(Instant::now()) / 2)
}

/// Whether the network need not be asked.
fn tells(ctx: &Context, known: Option<&Known>) -> bool {
    let now = ctx.now();
    known.is_some_and(|known| known.fresh(now).is_some() || known.while_failing(now).is_some())
}

/// Keeps what a lookup came to. What cannot be kept is asked for again.
pub(super) async fn write(
    ctx: &Context,
    mode: Mode,
    query: &Query,
    came: Result<&Found, &LookupFailure>,
) {
    let (at, outcome) = match came {
        Ok(found) => (ctx.now(), Outcome::Found(found.into())),
        Err(missed) => (ctx.now(), Outcome::Missed(missed.clone())),
    };
    let (known, until) = (Known { at, outcome, failed_at: None }, later(at, STALE));
    if let Err(error) = ctx.store.put_lookup(mode, &question(query), &known, until).await {
        tracing::warn!(%error, "what a lookup found cannot be kept");
    }
}

/// Notes beside what was found that the network does not answer now. What cannot be noted has the next one wait for it, too.
pub(super) async fn note_failure(ctx: &Context, mode: Mode, query: &Query) {
    if let Err(error) = ctx.store.note_lookup_failed(mode, &question(query), ctx.now()).await {
        tracing::warn!(%error, "that a lookup failed cannot be noted");
    }
}

/// Tells those who wait for an answer that none came, and why. Where it cannot be told they wait until their own time, or
/// that of the question, is over.
pub(super) async fn tell_failure(
    ctx: &Context,
    mode: Mode,
    query: &Query,
    turn: Turn,
    cause: &LookupFailure,
) {
    let Turn::Ours(until) = turn else { return };
    if let Err(error) = ctx.store.fail_lookup(mode, &question(query), until, cause).await {
        tracing::warn!(%error, "that a lookup failed cannot be told");
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
