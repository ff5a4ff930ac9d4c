//! Resubmission in every state of the latest report, and by two concurrent requests.

use jiff::SignedDuration;

use super::{MOST_REPORTS, Repair, operate, repair};
use crate::{
    access::Caller,
    service::reports::KnownTaxReport,
    store::{
        AttemptOutcome, Direction, DocumentRecord, Recorded, Status, TaxReportKind,
        TaxReportOutcome, TaxReportRecord, TaxReportStatus, TransmissionRecord,
    },
    testing::World,
};

use TaxReportKind::{Failed as F, Resubmit as R, Submit as S, Withdraw as W};
use TaxReportStatus::{Due, Failed, Filing, NotCompliant, Reported, Submitted};

async fn reported(
    world: &World,
    caller: &Caller,
    status: TaxReportStatus,
) -> (DocumentRecord, TaxReportRecord) {
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    world.reported(taxpayer_id, &caller.organization_id, Direction::Outbound, status).await
}

/// A transmission whose last attempt ended with `outcome`.
fn transmission(outcome: AttemptOutcome) -> TransmissionRecord {
    let fixture = include_str!("../../store/fixtures/transmission.json");
    let mut transmission: TransmissionRecord = serde_json::from_str(fixture).unwrap();
    transmission.attempts.last_mut().unwrap().outcome = Some(outcome);
    transmission
}

#[tokio::test]
async fn a_report_is_resubmitted_where_that_corrects_something() {
    let world = World::unconnected().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (document, _) = reported(&world, &caller, Due).await;
    let rejected = DocumentRecord { status: Status::Rejected, ..document.clone() };
    let received = DocumentRecord { direction: Direction::Inbound, ..rejected.clone() };
    let now = world.now();
    let day = SignedDuration::from_hours(24);
    for (reports, document, expected) in [
        (&[][..], &document, Err("there is no report")),
        (&[(S, Due)], &document, Err("being sent")),
        (&[(S, Filing)], &document, Err("being sent")),
        (&[(S, Submitted)], &document, Err("awaited")),
        (&[(S, Reported)], &document, Err("REPORTED")),
        (&[(S, NotCompliant)], &document, Ok(R)),
        (&[(S, Failed)], &document, Ok(S)),
        (&[(S, Failed), (S, Failed)], &document, Ok(S)),
        (&[(S, Failed), (S, NotCompliant)], &document, Ok(R)),
        (&[(S, Failed), (S, Due)], &document, Err("being sent")),
        (&[(S, NotCompliant), (R, Due)], &document, Err("being sent")),
        (&[(S, NotCompliant), (R, Failed)], &document, Ok(R)),
        (&[(S, NotCompliant), (R, Reported)], &document, Err("REPORTED")),
        // A verdict that came after the resubmission.
        (&[(S, Reported), (R, NotCompliant)], &document, Err("REPORTED")),
        (&[(F, NotCompliant)], &received, Ok(F)),
        (&[(F, Failed)], &received, Ok(F)),
        (&[(F, Reported)], &received, Err("REPORTED")),
        (&[(S, NotCompliant)], &rejected, Err("corrects_document_id")),
        (&[(S, Reported), (W, Due)], &rejected, Err("being sent")),
        (&[(S, Reported), (W, Submitted)], &rejected, Err("awaited")),
        (&[(S, Reported), (W, Reported)], &rejected, Err("withdrawn")),
        (&[(S, Reported), (W, NotCompliant)], &rejected, Ok(W)),
        (&[(S, Reported), (W, Failed)], &rejected, Ok(W)),
    ] {
        let known = |(kind, status): &(TaxReportKind, TaxReportStatus)| -> KnownTaxReport {
            (world.tax_report_about(document, *kind, *status), None)
        };
        let known: Vec<KnownTaxReport> = reports.iter().map(known).collect();
        match (repair(document, &known, now), expected) {
            (Repair::Again(of, kind), Ok(expected)) => {
                assert_eq!((kind, &of.report_id), (expected, &known.last().unwrap().0.report_id));
            }
            (Repair::Not(why), Err(part)) => assert!(why.contains(part), "{reports:?}: {why}"),
            (found, expected) => panic!("{reports:?}: {found:?} instead of {expected:?}"),
        }
    }
    // Overdue: resubmitted only if no receipt proves that the authority has it.
    for (outcome, is_again) in [
        (AttemptOutcome::Unconfirmed, true),
        (AttemptOutcome::Unreachable, true),
        (AttemptOutcome::Received, false),
        (AttemptOutcome::Duplicate, false),
    ] {
        let submitted = TaxReportRecord {
            submitted_at: Some(now),
            ..world.tax_report_about(&document, S, Submitted)
        };
        let known = [(submitted, Some(transmission(outcome)))];
        assert!(matches!(repair(&document, &known, now), Repair::Not(_)));
        let later = now + day;
        let found = matches!(repair(&document, &known, later), Repair::Again(_, R));
        assert_eq!(found, is_again, "{outcome:?}");
    }
    // Failed: any attempt may have reached the authority.
    for (outcome, kind) in [
        (AttemptOutcome::NotRegistered, S),
        (AttemptOutcome::NotCapable, S),
        (AttemptOutcome::Defective, S),
        (AttemptOutcome::LookupFailed, S),
        (AttemptOutcome::Unreachable, S),
        (AttemptOutcome::Deferred, S),
        (AttemptOutcome::Refused, S),
        (AttemptOutcome::Unconfirmed, R),
        (AttemptOutcome::Duplicate, R),
        (AttemptOutcome::Received, R),
        (AttemptOutcome::Unknown, R),
    ] {
        let mut of_first = transmission(outcome);
        of_first.silent = false;
        let failed = || world.tax_report_about(&document, S, Failed);
        let refused = TransmissionRecord { silent: false, ..transmission(AttemptOutcome::Refused) };
        let known = [(failed(), Some(of_first)), (failed(), Some(refused))];
        match repair(&document, &known, now) {
            Repair::Again(_, found) => assert_eq!(found, kind, "{outcome:?}"),
            Repair::Not(why) => panic!("{outcome:?}: {why}"),
        }
    }
    let many = vec![(world.tax_report_about(&document, R, Failed), None); MOST_REPORTS];
    let Repair::Not(why) = repair(&document, &many, now) else { panic!("no end") };
    assert!(why.contains("operators"), "{why}");
}

#[tokio::test]
async fn of_two_reports_that_are_added_at_once_one_is_there() {
    let world = World::unconnected().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (document, first) = reported(&world, &caller, Failed).await;
    let store = &world.ctx.store;
    let new = || crate::service::report::first::again(&world.ctx, &first, R);
    let (one, other) = (new(), new());
    let (a, b) = tokio::join!(
        store.add_tax_report(&document, &one, None),
        store.add_tax_report(&document, &other, None)
    );
    let mut ended = [a.unwrap(), b.unwrap()];
    ended.sort_by_key(|ended| *ended == Recorded::Lost);
    assert_eq!(ended, [Recorded::Done, Recorded::Lost]);
    let id = &document.document_id;
    let current = store.get_document(world.mode, &document.taxpayer_id, id).await.unwrap().unwrap();
    assert_eq!(current.later_reports.len(), 1);
    let tax_reports = store.list_tax_reports_about(&current).await.unwrap();
    assert_eq!(tax_reports.len(), 2);
    // It is about the same transaction, with identifiers of its own.
    assert_eq!(tax_reports[1].transport_header_id, tax_reports[0].transport_header_id);
    assert_ne!(tax_reports[1].instance_id, tax_reports[0].instance_id);
    assert_eq!(current.reporting.unwrap().report_id, tax_reports[1].report_id);
    // The new report is due.
    let waiting = world.marked().await;
    assert_eq!(waiting.len(), 1, "{waiting:?}");
}

#[tokio::test]
async fn operators_resubmit_what_did_not_hold_and_nothing_twice() {
    let world = World::unconnected().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for status in [NotCompliant, Failed, Reported, Submitted] {
        reported(&world, &caller, status).await;
        world.clock.advance(SignedDuration::from_secs(1));
    }
    let since = "2026-11-20T08:00:00Z".parse().unwrap();
    let outcomes = vec![TaxReportOutcome::NotCompliant, TaxReportOutcome::Failed];
    let wanted = operate::Wanted { since, outcomes, dry_run: true };
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    let run = async |wanted: &operate::Wanted| {
        let mut resubmitted = Vec::new();
        let tell = |found: operate::Found| -> Result<(), ()> {
            resubmitted.push(found.again);
            Ok(())
        };
        operate::resubmit(&world.ctx, taxpayer_id, wanted, tell).await.unwrap().unwrap();
        resubmitted
    };
    let tax_reports = async || world.tax_reports().await.len();
    let before = tax_reports().await;
    assert_eq!(run(&wanted).await, [Ok(R), Ok(S)]);
    assert_eq!(tax_reports().await, before, "a dry run files nothing");
    let done = operate::Wanted { dry_run: false, ..wanted.clone() };
    assert_eq!(run(&done).await, [Ok(R), Ok(S)]);
    assert_eq!(tax_reports().await, before + 2);
    assert!(run(&done).await.iter().all(Result::is_err));
    assert_eq!(tax_reports().await, before + 2);
    let later = operate::Wanted { since: world.now(), ..wanted };
    assert_eq!(run(&later).await, []);
}
