//! Tax reports: reports about documents to the tax authority. The transaction that fixes a document's first message
//! also creates its first report and names it in the document. A worker leases it, and the authority's verdict ends it,
//! once. Tax reports exist in Live only, so no function here takes a mode.

use jiff::{SignedDuration, Timestamp};

use super::{
    CountedExchange, DocumentRecord, Due, EventRecord, JobVersion, Lease, Parked, Payload,
    Recorded, Reporting, Store, StoreError, TaxReportKind, TaxReportRecord, TaxReportRole,
    TaxReportStatus, TaxReportVerdict, TransmissionRecord, Transmitted,
    dynamo::{Expression, Update, Write, Written, absent, expiring, from_item, packed, to_item},
    events, exchange_counts,
    jobs::{as_seen, due_update, expiry, mark, park_update},
    keys::{self, Key, TaxReportList},
    leases::{leasable, leased, leased_by},
    pointers,
    text::instant,
};
use crate::{
    error::Finding,
    types::{Mode, ReportId, TaxpayerId},
};

/// A new tax report, and when it is due.
#[derive(Debug, Clone)]
pub struct NewTaxReport {
    /// The tax report.
    pub tax_report: TaxReportRecord,
    /// When it is due.
    pub due: Due,
}

/// The outcome of an attempt to send a tax report.
#[derive(Debug)]
pub enum Filed {
    /// Another attempt is due.
    Later(Due),
    /// The authority has it, or may have it. It stays due as it was: most have their verdict by then.
    Submitted,
    /// It still has no verdict.
    Overdue {
        /// When a worker checks again.
        look_again: Timestamp,
    },
    /// It did not arrive, and there are no more attempts.
    Failed(Box<SettledTaxReport>),
}

/// The end of a tax report, and its effects.
#[derive(Debug, Clone)]
pub struct SettledTaxReport {
    /// The tax report, as it was read.
    pub tax_report: TaxReportRecord,
    /// The new status.
    pub status: TaxReportStatus,
    /// The verdict of the authority, if there is one.
    pub verdict: Option<TaxReportVerdict>,
    /// The findings of the authority, or why the report failed.
    pub reasons: Vec<Finding>,
    /// Its document, as it was read.
    pub document: DocumentRecord,
    /// The event about it.
    pub event: EventRecord,
    /// When.
    pub at: Timestamp,
}

/// The attributes of a new tax report that are packed. Nothing changes them.
const PACKED: [&str; 10] = [
    "report_id",
    "taxpayer_id",
    "document_id",
    "kind",
    "role",
    "instance_id",
    "document_type_code",
    "supersedes_id",
    "transport_header_id",
    "created_at",
];

/// The writes that create a tax report and add it to its lists. They are in the transaction of the document that it
/// reports. The first report about a sent document is found by its document ([`Store::list_tax_reports`]).
pub(super) fn make(new: &NewTaxReport) -> Result<Vec<Write>, StoreError> {
    let key = Key::tax_report(&new.tax_report.taxpayer_id, &new.tax_report.report_id);
    let mut item = packed(to_item(key.clone(), &new.tax_report)?, &PACKED)?;
    mark(&mut item, Mode::Live, &key, new.due);
    let mut writes = vec![Write::Put { item, condition: absent() }];
    let TaxReportRecord { report_id, document_id, role, .. } = &new.tax_report;
    let is_first_of_sent =
        *role == TaxReportRole::Sender && *report_id == ReportId::first_of(document_id);
    if !is_first_of_sent {
        writes.push(put(&new.tax_report, TaxReportList::All)?);
    }
    if is_listed(&new.tax_report, new.tax_report.updated_at) {
        writes.push(put(&new.tax_report, TaxReportList::Open)?);
    }
    Ok(writes)
}

/// Until this age an open tax report is found by its age, and is not in the list of open ones: most have their verdict by
/// then, and the pointer would cost two writes.
const LISTED_AFTER: SignedDuration = SignedDuration::from_mins(5);
/// How long a pointer to an open tax report is kept. The sweeper, which comes to such a report every day, writes it again.
const OPEN_KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Whether an open tax report may be in the list of open ones at an instant.
fn is_listed(tax_report: &TaxReportRecord, at: Timestamp) -> bool {
    at.duration_since(tax_report.created_at) > LISTED_AFTER
}

/// The writes that end a tax report under `condition`: its new attributes, the list of its outcome, its document, and
/// its event. The second value is the key of its pointer in the list that it has left.
fn settle_when(
    condition: Expression,
    settled: &SettledTaxReport,
    parked: Option<(&JobVersion, &Parked)>,
) -> Result<(Vec<Write>, Option<Key>), StoreError> {
    let SettledTaxReport { tax_report, status, verdict, reasons, document, event, at } = settled;
    let key = Key::tax_report(&tax_report.taxpayer_id, &tax_report.report_id);
    let (status, at) = (*status, *at);
    let update = Update::new()
        .set("status", &status)?
        .set("updated_at", &instant(at))?
        .set("reasons", &Finding::fitting(reasons, TaxReportRecord::REASON_BYTES))?
        .remove("lease")
        .remove("tries");
    let update = match verdict {
        Some(verdict) => update.set("verdict", verdict)?,
        None => update,
    };
    let update = match parked {
        Some((version, parked)) => park_update(update, &version.job_id, parked)?,
        None => due_update(update, Mode::Live, &key, None)?,
    };
    let update = update.build();
    let mut writes = vec![Write::Update { key, update, condition }];
    let (from, to) =
        (TaxReportList::of_status(tax_report.status), TaxReportList::of_status(status));
    writes.extend(to.map(|list| put(tax_report, list)).transpose()?);
    let current = TaxReportRecord { status, updated_at: at, ..tax_report.clone() };
    writes.extend(shown(document, &current)?);
    writes.push(events::write(event)?);
    let left = from.filter(|_| from != to && is_listed(tax_report, at));
    Ok((writes, left.map(|list| pointer_key(tax_report, list))))
}

/// The writes by which the authority's verdict ends a tax report, and the key of its pointer in the list that it has
/// left. They require that the report still has the status that was read.
pub(super) fn settle(settled: &SettledTaxReport) -> Result<(Vec<Write>, Option<Key>), StoreError> {
    let was = settled.tax_report.status.as_str();
    let condition = Expression::new("#status = :was").name("#status", "status").text(":was", was);
    settle_when(condition, settled, None)
}

/// The key of a tax report's pointer in a list.
pub(super) fn pointer_key(tax_report: &TaxReportRecord, list: TaxReportList) -> Key {
    Key::in_tax_reports(&tax_report.taxpayer_id, list, &tax_report.report_id)
}

/// The write that adds a tax report to a list.
fn put(tax_report: &TaxReportRecord, list: TaxReportList) -> Result<Write, StoreError> {
    let pointer = TaxReportPointer { kind: tax_report.kind, role: tax_report.role };
    let item = to_item(pointer_key(tax_report, list), &pointer)?;
    let item = match list {
        TaxReportList::Open => expiring(item, expiry(tax_report.updated_at, OPEN_KEPT)),
        _ => item,
    };
    Ok(Write::Point { item })
}

/// The fields of a pointer, by which a list filters. They never change.
#[derive(serde::Serialize)]
struct TaxReportPointer {
    kind: TaxReportKind,
    role: TaxReportRole,
}

/// The write that updates the report status in a document, if the document shows this report. It shows the latest one
/// that is not a withdrawal. The outcome of an earlier report says nothing about a later one.
fn shown(
    document: &DocumentRecord,
    tax_report: &TaxReportRecord,
) -> Result<Option<Write>, StoreError> {
    let shows = document.reporting.as_ref().map(|reporting| &reporting.report_id);
    if tax_report.kind == TaxReportKind::Withdraw
        || shows.is_some_and(|it| *it != tax_report.report_id)
    {
        return Ok(None);
    }
    let key = Key::document(Mode::Live, &document.taxpayer_id, &document.document_id);
    let update = Update::new().set("reporting", &Reporting::of(tax_report))?.build();
    let condition = Expression::new(
        "attribute_exists(pk) AND (attribute_not_exists(#shown) OR #shown.#report = :report)",
    )
    .name("#shown", "reporting")
    .name("#report", "report_id")
    .text(":report", tax_report.report_id.as_str());
    Ok(Some(Write::Update { key, update, condition }))
}

/// The write that adds an open tax report to the list of open ones, or keeps it there.
fn put_open(tax_report: &TaxReportRecord, at: Timestamp) -> Result<Write, StoreError> {
    put(&TaxReportRecord { updated_at: at, ..tax_report.clone() }, TaxReportList::Open)
}

impl Store {
    /// Adds those of several tax reports that are open to the list of open ones. The sweeper does this when it comes to them.
    pub async fn list_open_tax_reports(
        &self,
        tax_reports: &[TaxReportRecord],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let is_open = |it: &&TaxReportRecord| {
            TaxReportList::of_status(it.status) == Some(TaxReportList::Open)
        };
        let pointers = tax_reports.iter().filter(is_open).map(|it| put_open(it, now));
        self.transact(pointers.collect::<Result<_, _>>()?).await.map(drop)
    }

    /// A tax report.
    pub async fn get_tax_report(
        &self,
        taxpayer_id: &TaxpayerId,
        report_id: &ReportId,
    ) -> Result<Option<TaxReportRecord>, StoreError> {
        let key = Key::tax_report(taxpayer_id, report_id);
        self.get_or_retired(key, taxpayer_id, &report_id.as_first_of()).await
    }

    /// Every tax report about a document, the first one first, in one read.
    pub async fn list_tax_reports_about(
        &self,
        document: &DocumentRecord,
    ) -> Result<Vec<TaxReportRecord>, StoreError> {
        let taxpayer_id = &document.taxpayer_id;
        let ids: Vec<_> = std::iter::once(ReportId::first_of(&document.document_id))
            .chain(document.later_reports.iter().cloned())
            .collect();
        let wanted = ids.iter().map(|id| (Key::tax_report(taxpayer_id, id), id.as_first_of()));
        let wanted: Vec<_> = wanted.collect();
        let mut found = self.get_many_or_retired(taxpayer_id, &wanted).await?;
        wanted.iter().filter_map(|(key, _)| found.remove(key)).map(from_item).collect()
    }

    /// Leases a tax report, as it was read, gives it `status`, and counts the attempt. Returns `None` when another
    /// worker has it or has changed it, or when it is parked.
    pub async fn lease_tax_report(
        &self,
        read: &TaxReportRecord,
        status: TaxReportStatus,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<TaxReportRecord>, StoreError> {
        let begun_at = read.begun_at.unwrap_or(now);
        let updated_at = if status == read.status { read.updated_at } else { now };
        // A turn is valid for one attempt.
        let update = Update::new()
            .set("status", &status)?
            .set("updated_at", &instant(updated_at))?
            .set("begun_at", &begun_at)?
            .remove("turn");
        let begun_at = Some(begun_at);
        let changed = TaxReportRecord { status, updated_at, begun_at, turn: None, ..read.clone() };
        self.lease_changed(Mode::Live, read, (update, leasable(read, now)), changed, lease).await
    }

    /// Records, before the first byte is sent, that an attempt began, and its message. The first attempt that gets so far
    /// also has the Tax Data Document, and the name by which a verdict finds the report. Returns the stored transmission;
    /// `None` when another worker was faster.
    pub async fn begin_tax_report(
        &self,
        leased: &TaxReportRecord,
        transmission: TransmissionRecord,
        tax_data: Option<Payload>,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        let Some(tax_data) = tax_data else {
            return self.put_transmission(Mode::Live, transmission).await;
        };
        let subject = Transmitted {
            taxpayer_id: leased.taxpayer_id.clone(),
            document_id: leased.document_id.clone(),
            report_id: Some(leased.report_id.clone()),
        };
        // A report may wait for the authority for years before its first attempt.
        let at = leased.begun_at.unwrap_or(leased.updated_at);
        let named = pointers::name(Mode::Live, &leased.instance_id, &subject, at)?;
        self.write(named).await?;
        let transmission = TransmissionRecord { tax_data: Some(tax_data), ..transmission };
        self.put_transmission(Mode::Live, transmission).await
    }

    /// Ends an attempt that still has its lease, writes its transmission, and counts the exchange. An unknown outcome
    /// is read back.
    pub async fn end_tax_report(
        &self,
        leased: &TaxReportRecord,
        filed: Filed,
        transmission: Option<&TransmissionRecord>,
        exchange: Option<&CountedExchange>,
        at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let key = Key::tax_report(&leased.taxpayer_id, &leased.report_id);
        let goes_on = |status: TaxReportStatus, update: Update, due: Option<Due>| {
            let update = update.set("status", &status)?.remove("lease").remove("tries");
            let update = match &leased.authority {
                Some(authority) => update.set("authority", authority)?,
                None => update,
            };
            let update = match due {
                Some(due) => due_update(update, Mode::Live, &key, Some(due))?,
                None => update.remove(keys::RELAY),
            };
            let (update, condition) = (update.build(), leased_by(leased));
            let write = Write::Update { key: key.clone(), update, condition };
            Ok::<_, StoreError>((status, (vec![write], None)))
        };
        let (status, (mut writes, left)) = match filed {
            Filed::Later(next) => {
                let (status, (mut writes, left)) =
                    goes_on(TaxReportStatus::Filing, Update::new(), Some(next))?;
                writes.push(put_open(leased, at)?);
                (status, (writes, left))
            }
            Filed::Submitted => {
                let update = Update::new().set("submitted_at", &at)?;
                let update = update.set("updated_at", &instant(at))?;
                goes_on(TaxReportStatus::Submitted, update, None)?
            }
            Filed::Overdue { look_again } => {
                let due = Some(Due::watched(look_again));
                goes_on(TaxReportStatus::Submitted, Update::new(), due)?
            }
            Filed::Failed(settled) => {
                (settled.status, settle_when(leased_by(leased), &settled, None)?)
            }
        };
        writes.extend(exchange.map(exchange_counts::count).transpose()?);
        if !self.end_attempt(Mode::Live, transmission).await? {
            return Ok(Recorded::Lost);
        }
        let written = self.transact(writes).await;
        let is_ended =
            |current: &TaxReportRecord| current.lease.is_none() && current.status == status;
        let recorded = self.ended(key, leased, written, is_ended).await?;
        if let (Recorded::Done, Some(left)) = (recorded, left) {
            self.remove_pointer(left).await;
        }
        Ok(recorded)
    }

    /// Ends a tax report and parks it, if its job still has the version that was read. Returns
    /// `false` when the version is outdated.
    pub async fn abandon_tax_report(
        &self,
        settled: &SettledTaxReport,
        (version, parked): (&JobVersion, &Parked),
    ) -> Result<bool, StoreError> {
        let (writes, left) = settle_when(as_seen(version), settled, Some((version, parked)))?;
        let written = self.transact(writes).await?;
        let is_done = matches!(written, Written::Done);
        if let (true, Some(left)) = (is_done, left) {
            self.remove_pointer(left).await;
        }
        Ok(is_done)
    }

    /// Makes a scheduled tax report due now. Does nothing when it was already dispatched.
    pub async fn advance_tax_report(
        &self,
        taxpayer_id: &TaxpayerId,
        report_id: &ReportId,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let key = Key::tax_report(taxpayer_id, report_id);
        let due = Some(Due::relayed(sweep_at));
        let update = due_update(Update::new(), Mode::Live, &key, due)?.build();
        let condition = Expression::new("#status = :due AND due_at > :sweep_at")
            .and("attribute_not_exists(parked)")
            .name("#status", "status")
            .text(":due", TaxReportStatus::Due.as_str())
            .text(":sweep_at", instant(sweep_at));
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Gives a tax report its turn to be sent, or notes that it waits for one. The sweeper claims it at `sweep_at`.
    /// Returns `false` when the version is outdated.
    pub async fn give_turn(
        &self,
        version: &JobVersion,
        turn: Option<Timestamp>,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = match turn {
            Some(turn) => Update::new().set("turn", &turn)?,
            None => Update::new().remove("turn"),
        };
        let due = Some(Due::watched(sweep_at));
        let update = due_update(update, Mode::Live, &version.job_id.key(), due)?;
        self.change(version, update).await
    }
}

leased!(TaxReportRecord, |it, _| Key::tax_report(&it.taxpayer_id, &it.report_id));
