//! What becomes of an item that could not be worked off, whatever it is: it is put off, longer each
//! time, and given up when it can never succeed or was tried too often. What is given up is parked:
//! it stands in the table with the reason, is counted by the sweeper, for which there is an alarm,
//! and goes on its way again when somebody who has mended the cause says so. What a caller waits for
//! ends (`give_up`).

use std::error::Error;

use jiff::SignedDuration;

use tracing::Span;

use super::{Context, give_up, later};
use crate::{
    error::{Code, Failure},
    log::{self, Field},
    store::{
        Parked, Seen, StoreError,
        keys::{Place, Proves},
    },
};

/// How often an item is taken up without coming on before it is parked: with the pauses between,
/// about nine hours.
pub const MAX_TRIES: u32 = 15;
/// The longest pause.
const MAX_PAUSE: SignedDuration = SignedDuration::from_mins(60);
/// How many characters of a reason are kept.
const REASON_LIMIT: usize = 300;

/// How long an item waits after so many tries in vain: 1, 2, 4 … 60 minutes.
fn pause(tries: u32) -> SignedDuration {
    let doubled = 1_i64.checked_shl(tries.saturating_sub(1)).unwrap_or(i64::MAX);
    SignedDuration::from_mins(doubled.clamp(1, MAX_PAUSE.as_mins()))
}

/// The span of work on an item: each line that is logged within says on which.
pub(super) fn span(operation: &'static str, place: &Place) -> Span {
    match place {
        Place::Document(_, taxpayer, document) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::DocumentId, document)])
        }
        Place::Event(_, taxpayer, event) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::EventId, event)])
        }
        Place::Delivery(_, organization, event, endpoint) => log::work(
            operation,
            &[
                (Field::OrganizationId, organization),
                (Field::EventId, event),
                (Field::EndpointId, endpoint),
            ],
        ),
        Place::Message(_, envelope) => log::work(operation, &[(Field::Envelope, envelope)]),
        Place::Answer(_, document) => log::work(operation, &[(Field::DocumentId, document)]),
        Place::Registration(_, taxpayer, register) => log::work(
            operation,
            &[(Field::TaxpayerId, taxpayer), (Field::Register, &register.as_str())],
        ),
        Place::Filing(taxpayer, report) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::ReportId, report)])
        }
        Place::Monthly(id) => log::work(operation, &[(Field::ReportId, id)]),
        Place::Archive(_, taxpayer, archive) => {
            log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::ArchiveId, archive)])
        }
        Place::Import(_, organization, taxpayer, import) => log::work(
            operation,
            &[
                (Field::OrganizationId, organization),
                (Field::TaxpayerId, taxpayer),
                (Field::ImportId, import),
            ],
        ),
        Place::Receipt(_, of) => match of {
            Proves::Document(taxpayer, document) => log::work(
                operation,
                &[(Field::TaxpayerId, taxpayer), (Field::DocumentId, document)],
            ),
            Proves::Answer(document) => log::work(operation, &[(Field::DocumentId, document)]),
            Proves::Filing(taxpayer, report) => {
                log::work(operation, &[(Field::TaxpayerId, taxpayer), (Field::ReportId, report)])
            }
            Proves::Monthly(id) => log::work(operation, &[(Field::ReportId, id)]),
        },
        Place::Mail(_, id) => log::work(operation, &[(Field::MailId, id)]),
        Place::Application(_, id) => log::work(operation, &[(Field::ApplicationId, id)]),
    }
}

/// Puts an item off after `tries` in vain, the failed one included, or parks it. An error means
/// that not even this could be noted.
pub(super) async fn put_off(
    ctx: &Context,
    seen: &Seen,
    tries: u32,
    failure: Failure,
) -> Result<(), Failure> {
    let now = ctx.now();
    let noted = if is_hopeless(&failure) || tries >= MAX_TRIES {
        let parked = Parked { reason: reason(&failure), at: now };
        tracing::error!(item = %seen.place, tries, reason = parked.reason, "an item was parked");
        give_up::park(ctx, seen, &parked).await
    } else {
        let until = later(now, pause(tries));
        tracing::warn!(item = %seen.place, tries, %until, reason = reason(&failure), "an item was put off");
        ctx.store.put_off(seen, tries, until).await
    };
    noted.map(drop).map_err(|_| failure)
}

/// The same for an item that was not taken up yet, or could not even be read.
pub(super) async fn failed(ctx: &Context, place: &Place, failure: Failure) -> Result<(), Failure> {
    let now = ctx.now();
    match ctx.store.get_waiting(place).await {
        Ok(None) => Ok(()),
        // Whoever has it may have come further than this failure tells; his lease decides.
        Ok(Some(waiting)) if waiting.lease.as_ref().is_some_and(|lease| now < lease.until) => {
            Err(failure)
        }
        Ok(Some(waiting)) => put_off(ctx, &waiting.seen, waiting.seen.tries + 1, failure).await,
        Err(StoreError::Corrupt(error)) => {
            let parked = Parked { reason: bounded(error.to_string()), at: now };
            tracing::error!(item = %place, reason = parked.reason, "an item was parked");
            ctx.store.park_unread(place, &parked).await.map(drop).map_err(|_| failure)
        }
        Err(_) => Err(failure),
    }
}

/// What is wrong with the item itself, or with what the deployment was given, does not go away by
/// trying again.
fn is_hopeless(failure: &Failure) -> bool {
    failure.code == Code::InternalError
}

/// What really happened: the failure's causes in one line.
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
    use crate::{log::testing::Log, store::Register, types::Mode::Live};

    #[test]
    fn a_line_about_an_item_says_all_that_names_it() {
        let log = Log::start(Level::INFO);
        let owner = || "txpay_1".parse().unwrap();
        for place in [
            Place::Document(Live, owner(), "doc_1".parse().unwrap()),
            Place::Registration(Live, owner(), Register::Directory),
            Place::Archive(Live, owner(), "arc_1".parse().unwrap()),
            Place::Import(Live, "org_1".parse().unwrap(), owner(), "imp_1".parse().unwrap()),
            Place::Mail(Live, "mail_1".parse().unwrap()),
            Place::Application(Live, "apl_1".parse().unwrap()),
        ] {
            span("sweep", &place).in_scope(|| tracing::info!(item = %place, "taken up"));
        }
        let lines = log.lines();
        assert_eq!(lines.len(), 6);
        for line in lines {
            assert_eq!(line["operation"], "sweep", "{line}");
            // Behind the mode and the kind.
            for name in line["item"].as_str().unwrap().split(' ').skip(2) {
                let fields = line.as_object().unwrap();
                assert!(fields.iter().any(|(field, it)| field != "item" && it == name), "{line}");
            }
        }
    }

    #[test]
    fn the_pauses_grow_to_an_hour_and_last_about_nine_hours() {
        let minutes: Vec<_> = (1..MAX_TRIES).map(|tries| pause(tries).as_mins()).collect();
        assert_eq!(minutes[..8], [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(minutes.iter().sum::<i64>(), 9 * 60 + 3);
        assert_eq!(pause(u32::MAX), MAX_PAUSE);
    }
}
