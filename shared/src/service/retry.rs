//! Handles failed jobs. A failed job is rescheduled with a backoff that doubles. It is parked when it can never
//! succeed, or after too many attempts.
//!
//! A parked job stays in the table with its reason (dead-lettered in the table). The sweeper counts parked jobs, and an
//! alarm watches the count. An operator corrects the cause and redrives the jobs. A job whose caller waits for a result
//! ends instead (`abandon`).

use std::error::Error;

use jiff::SignedDuration;

use tracing::Span;

use super::{Context, abandon, later};
use crate::{
    error::{Code, Failure},
    log::{self, Field},
    store::{
        Due, JobVersion, Parked, StoreError,
        keys::{JobId, Proves},
    },
};

/// Maximum attempts before a job is parked: with the backoff, about nine hours.
pub const MAX_TRIES: u32 = 15;
/// The longest backoff.
const MAX_PAUSE: SignedDuration = SignedDuration::from_mins(60);
/// How many characters of a reason are kept.
const REASON_LIMIT: usize = 300;

/// The backoff after so many failed attempts: 1, 2, 4 … 60 minutes.
fn backoff(tries: u32) -> SignedDuration {
    let doubled = 1_i64.checked_shl(tries.saturating_sub(1)).unwrap_or(i64::MAX);
    SignedDuration::from_mins(doubled.clamp(1, MAX_PAUSE.as_mins()))
}

/// The log span of work on a job, with the job's identifiers.
pub(super) fn span(operation: &'static str, job_id: &JobId) -> Span {
    match job_id {
        JobId::Document(_, taxpayer, document) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::DocumentId, document)])
        }
        JobId::Event(_, taxpayer, event) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::EventId, event)])
        }
        JobId::Delivery(_, organization, event, endpoint) => log::work(
            operation,
            &[
                (Field::OrganizationId, organization),
                (Field::EventId, event),
                (Field::EndpointId, endpoint),
            ],
        ),
        JobId::Message(_, envelope) => log::work(operation, &[(Field::Envelope, envelope)]),
        JobId::MlsOutbound(_, document) => log::work(operation, &[(Field::DocumentId, document)]),
        JobId::Registration(_, taxpayer, register) => log::work(
            operation,
            &[(Field::TaxpayerId, taxpayer), (Field::Register, &register.as_str())],
        ),
        JobId::TaxReport(taxpayer, report) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::ReportId, report)])
        }
        JobId::PeppolReport(id) => log::work(operation, &[(Field::ReportId, id)]),
        JobId::Archive(_, taxpayer, archive) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::ArchiveId, archive)])
        }
        JobId::Import(_, organization, taxpayer, import) => log::work(
            operation,
            &[
                (Field::OrganizationId, organization),
                (Field::TaxpayerId, taxpayer),
                (Field::ImportId, import),
            ],
        ),
        JobId::Receipt(_, of) => match of {
            Proves::Document(taxpayer, document) => log::work(
                operation,
                &[(Field::TaxpayerId, taxpayer), (Field::DocumentId, document)],
            ),
            Proves::MlsOutbound(document) => log::work(operation, &[(Field::DocumentId, document)]),
            Proves::TaxReport(taxpayer, report) => {
                log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::ReportId, report)])
            }
            Proves::PeppolReport(id) => log::work(operation, &[(Field::ReportId, id)]),
        },
        JobId::Mail(_, id) => log::work(operation, &[(Field::MailId, id)]),
        JobId::Application(_, id) => log::work(operation, &[(Field::ApplicationId, id)]),
        JobId::Notice(_, organization, kind) => log::work(
            operation,
            &[(Field::OrganizationId, organization), (Field::Notice, &kind.as_str())],
        ),
    }
}

/// Reschedules a job after `tries` failed attempts, or parks it. An error means that this could not be written either.
pub(super) async fn reschedule(
    ctx: &Context,
    version: &JobVersion,
    tries: u32,
    failure: Failure,
) -> Result<(), Failure> {
    let now = ctx.now();
    let noted = if is_hopeless(&failure) || tries >= MAX_TRIES {
        let parked = Parked { reason: reason(&failure), at: now };
        tracing::error!(item = %version.job_id, tries, reason = parked.reason, "a job was parked");
        abandon::park(ctx, version, &parked).await
    } else {
        let until = later(now, backoff(tries));
        tracing::warn!(item = %version.job_id, tries, %until, reason = reason(&failure), "a job was rescheduled");
        let due = match version.job_id {
            // The relay does their work itself.
            JobId::Event(..) | JobId::Notice(..) => Due::watched(until),
            _ => Due::begins(until, now),
        };
        ctx.store.reschedule(version, tries, due).await
    };
    noted.map(drop).map_err(|_| failure)
}

/// Reschedules or parks a job that was not claimed yet, or could not be read.
pub(super) async fn failed(ctx: &Context, job_id: &JobId, failure: Failure) -> Result<(), Failure> {
    let now = ctx.now();
    match ctx.store.get_job(job_id).await {
        Ok(None) => Ok(()),
        // The worker that holds the lease may have advanced the job further than this failure shows: its lease decides.
        Ok(Some(job)) if job.lease.as_ref().is_some_and(|lease| now < lease.until) => Err(failure),
        Ok(Some(job)) => reschedule(ctx, &job.version, job.version.tries + 1, failure).await,
        Err(StoreError::Corrupt(error)) => {
            let parked = Parked { reason: bounded(error.to_string()), at: now };
            tracing::error!(item = %job_id, reason = parked.reason, "a job was parked");
            ctx.store.park_unread(job_id, &parked).await.map(drop).map_err(|_| failure)
        }
        Err(_) => Err(failure),
    }
}

/// Whether a retry cannot help, since the item or the deployment's configuration is wrong.
fn is_hopeless(failure: &Failure) -> bool {
    failure.code == Code::InternalError
}

/// The failure's causes in one line.
fn reason(failure: &Failure) -> String {
    let Some(source) = &failure.source else { return bounded(failure.message.clone()) };
    let first: &(dyn Error + 'static) = &**source;
    let causes = std::iter::successors(Some(first), |&cause| cause.source());
    let mut texts: Vec<_> = causes.map(ToString::to_string).collect();
    texts.dedup_by(|next, text| text.contains(next.as_str()));
    bounded(texts.join(": "))
}

fn bounded(reason: String) -> String {
    reason.chars().take(REASON_LIMIT).collect()
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;
    use crate::{access::Notification, log::testing::Log, store::Register, types::Mode::Live};

    #[test]
    fn a_line_about_an_item_says_all_that_names_it() {
        let log = Log::start(Level::INFO);
        let owner = || "txpay_1".parse().unwrap();
        for job_id in [
            JobId::Document(Live, owner(), "doc_1".parse().unwrap()),
            JobId::Registration(Live, owner(), Register::Directory),
            JobId::Archive(Live, owner(), "arc_1".parse().unwrap()),
            JobId::Import(Live, "org_1".parse().unwrap(), owner(), "imp_1".parse().unwrap()),
            JobId::Mail(Live, "mail_1".parse().unwrap()),
            JobId::Application(Live, "apl_1".parse().unwrap()),
            JobId::Notice(Live, "org_1".parse().unwrap(), Notification::Failed),
        ] {
            span("sweep", &job_id).in_scope(|| tracing::info!(item = %job_id, "claimed"));
        }
        let lines = log.lines();
        assert_eq!(lines.len(), 7);
        for line in lines {
            assert_eq!(line["operation"], "sweep", "{line}");
            // The fields after the mode and the kind.
            for name in line["item"].as_str().unwrap().split(' ').skip(2) {
                let fields = line.as_object().unwrap();
                assert!(fields.iter().any(|(field, it)| field != "item" && it == name), "{line}");
            }
        }
    }

    #[test]
    fn the_pauses_grow_to_an_hour_and_last_about_nine_hours() {
        let minutes: Vec<_> = (1..MAX_TRIES).map(|tries| backoff(tries).as_mins()).collect();
        assert_eq!(minutes[..8], [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(minutes.iter().sum::<i64>(), 9 * 60 + 3);
        assert_eq!(backoff(u32::MAX), MAX_PAUSE);
    }
}
