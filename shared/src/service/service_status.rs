//! The public status of the service: what works now, from facts that the service keeps anyway. It has no tenant's data.
//!
//! | fact | written by | says |
//! |---|---|---|
//! | the last sweep of a mode | sweeper, each minute | which kinds of jobs wait for longer than they should |
//! | the end of the certificates | trust_refresh | whether the network accepts this service (Live) |
//!
//! Without a fact, the status is unknown. No fact says that another access point or a webhook endpoint works.

use jiff::{SignedDuration, Timestamp};

use super::Context;
use crate::{error::Failure, store::SweepRecord, types::Mode};

/// A sweep that is older says nothing about now. Sweeps take place each minute.
const FRESH: SignedDuration = SignedDuration::from_mins(5);
/// A job that is due for longer than this is late.
const LATE: SignedDuration = SignedDuration::from_mins(10);
/// How long a retried report stands for difficulties in reporting. A report is retried only if an attempt failed.
const RETRIED: SignedDuration = SignedDuration::from_mins(15);

/// A part of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Documents are sent over the network; in Sandbox, to simulated recipients.
    Sending,
    /// Documents are received from the network.
    Receiving,
    /// Documents are reported to the tax authority.
    Reporting,
    /// Events are sent to webhook endpoints.
    Webhooks,
    /// Files of documents are imported.
    Imports,
}

impl Area {
    /// The areas of a mode. Sandbox has neither network nor tax authority.
    fn of(mode: Mode) -> &'static [Area] {
        match mode {
            Mode::Live => {
                &[Area::Sending, Area::Receiving, Area::Reporting, Area::Webhooks, Area::Imports]
            }
            Mode::Sandbox => &[Area::Sending, Area::Webhooks, Area::Imports],
        }
    }

    /// The kinds of its jobs ([`JobId::kind`](crate::store::keys::JobId::kind)).
    fn kinds(self) -> &'static [&'static str] {
        match self {
            Area::Sending => &["document"],
            Area::Receiving => &["message", "answer"],
            Area::Reporting => &["filing"],
            Area::Webhooks => &["event", "delivery"],
            Area::Imports => &["import"],
        }
    }

    fn needs_network(self) -> bool {
        matches!(self, Area::Sending | Area::Receiving | Area::Reporting)
    }
}

/// Whether an area works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// Nothing is late.
    Works,
    /// Jobs are late, or are retried.
    Delayed,
    /// The service cannot do it.
    Down,
    /// No fact says so.
    Unknown,
}

/// The status of a mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceStatus {
    /// The areas of the mode.
    pub areas: Vec<(Area, Health)>,
    /// When the facts were noted, if they are fresh.
    pub checked_at: Option<Timestamp>,
}

/// The status of a mode, by at most two reads.
pub async fn read(ctx: &Context, mode: Mode) -> Result<ServiceStatus, Failure> {
    let certificate = async {
        match mode {
            Mode::Live => ctx.store.get_certificate_end().await,
            Mode::Sandbox => Ok(None),
        }
    };
    let (sweep, certificate) = tokio::try_join!(ctx.store.get_sweep(mode), certificate)?;
    let now = ctx.now();
    let sweep = sweep.filter(|sweep| now.duration_since(sweep.at) < FRESH);
    let health = |area: Area| {
        let needs_certificate = mode == Mode::Live && area.needs_network();
        match (needs_certificate, certificate) {
            (true, None) => return Health::Unknown,
            (true, Some(end)) if end <= now => return Health::Down,
            _ => {}
        }
        sweep.as_ref().map_or(Health::Unknown, |sweep| by_jobs(area, sweep))
    };
    let areas = Area::of(mode).iter().map(|area| (*area, health(*area))).collect();
    Ok(ServiceStatus { areas, checked_at: sweep.map(|sweep| sweep.at) })
}

/// The status of a mode of which nothing is known.
pub fn unknown(mode: Mode) -> ServiceStatus {
    let areas = Area::of(mode).iter().map(|area| (*area, Health::Unknown)).collect();
    ServiceStatus { areas, checked_at: None }
}

fn by_jobs(area: Area, sweep: &SweepRecord) -> Health {
    let since = |at: &Timestamp| sweep.at.duration_since(*at);
    let is_late = |kind: &&str| sweep.due_since.get(*kind).is_some_and(|at| since(at) > LATE);
    let is_retried = |kind: &&str| sweep.seen_at.get(*kind).is_some_and(|at| since(at) < RETRIED);
    let kinds = area.kinds();
    match kinds.iter().any(is_late) || (area == Area::Reporting && kinds.iter().any(is_retried)) {
        true => Health::Delayed,
        false => Health::Works,
    }
}
