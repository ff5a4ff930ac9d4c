//! What lookups found, kept in the table for all functions: a batch to one buyer asks the network once.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::Missed;
use crate::{
    peppol::lookup::{Found, Query, Remembered},
    service::{Context, later},
    types::Mode,
};

/// How long what was found is not asked for again.
const FOUND: SignedDuration = SignedDuration::from_mins(15);
/// How long that there is nothing is not asked for again.
const ABSENT: SignedDuration = SignedDuration::from_mins(1);
/// How long what was found serves while the network does not answer.
const STALE: SignedDuration = SignedDuration::from_hours(24);

/// What is known about a query.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Known {
    at: Timestamp,
    outcome: Outcome,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Found(Remembered),
    Missed(Missed),
}

impl Known {
    /// What was found or missed so lately that the network need not be asked.
    pub(super) fn fresh(&self, now: Timestamp) -> Option<Result<&Remembered, &Missed>> {
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
}

/// What is known; nothing when that cannot be found out, since the network can be asked.
pub(super) async fn read(ctx: &Context, mode: Mode, query: &Query) -> Option<Known> {
    match ctx.store.get_lookup(mode, &question(query)).await {
        Ok(known) => known,
        Err(error) => {
            tracing::warn!(%error, "what earlier lookups found cannot be read");
            None
        }
    }
}

/// Keeps what a lookup came to. What cannot be kept is asked for again.
pub(super) async fn write(ctx: &Context, mode: Mode, query: &Query, came: Result<&Found, &Missed>) {
    let (at, outcome) = match came {
        Ok(found) => (ctx.now(), Outcome::Found(found.into())),
        Err(missed) => (ctx.now(), Outcome::Missed(missed.clone())),
    };
    let (known, until) = (Known { at, outcome }, later(at, STALE));
    if let Err(error) = ctx.store.put_lookup(mode, &question(query), &known, until).await {
        tracing::warn!(%error, "what a lookup found cannot be kept");
    }
}

fn question(query: &Query) -> String {
    let Query { participant, document_type, process } = query;
    format!("{participant} {document_type} {process}")
}
