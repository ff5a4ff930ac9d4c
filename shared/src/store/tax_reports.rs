//! Filings: reports about documents to the tax authority. The first about a document is made in the
//! transaction that fixes the document's way, and its names with it; a worker takes it under a lease, and
//! the authority's verdict ends it, once. All of this is in Live: no function here takes a mode.

use jiff::Timestamp;

use super::{
    CountedExchange, DocumentRecord, Due, EventRecord, FilingVerdict, JobVersion, Lease, Parked,
    Payload, Recorded, Reporting, Store, StoreError, TaxReportKind, TaxReportRecord, TaxReportRole,
    TaxReportStatus, TransmissionRecord, Transmitted,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item},
    events, exchange_counts,
    jobs::{as_seen, due_update, mark, park_update},
    keys::{FilingList, Key},
    leases::{Leased, leased_by, takeable},
    text::instant,
    transmissions,
};
use crate::{
    error::Finding,
    peppol::identifiers::Spid,
    types::{Mode, ReportId, TaxpayerId},
};

/// A filing that is made, and when it must go on its way.
#[derive(Debug, Clone)]
pub struct NewTaxReport {
    /// The tax report.
    pub tax_report: TaxReportRecord,
    /// When it must go on its way.
    pub due: Due,
}

/// What an attempt at a filing has come to.
#[derive(Debug)]
pub enum Filed<'a> {
    /// Another attempt is due then.
    Later(Timestamp),
    /// The authority has it, or may have it. Its verdict is awaited until then; afterwards somebody must look.
    Submitted {
        /// When somebody looks again.
        look_again: Timestamp,
    },
    /// It still has no verdict; somebody looks again then.
    Overdue {
        /// When.
        look_again: Timestamp,
    },
    /// It did not arrive, and nothing more is tried.
    Failed(SettledTaxReport<'a>),
}

/// The end of a filing, and what it brings about.
#[derive(Debug, Clone, Copy)]
pub struct SettledTaxReport<'a> {
    /// The tax report, as it was read.
    pub tax_report: &'a TaxReportRecord,
    /// The status that it has then.
    pub status: TaxReportStatus,
    /// What the authority said, if it said anything.
    pub verdict: Option<&'a FilingVerdict>,
    /// What was found, or why it has failed.
    pub reasons: &'a [Finding],
    /// Its document, as it was read.
    pub document: &'a DocumentRecord,
    /// What is told of it.
    pub event: &'a EventRecord,
    /// When.
    pub at: Timestamp,
    /// When the sweeper takes up an event that the relay has not.
    pub sweep_at: Timestamp,
}

/// The writes that make a filing and put it into its lists. They take part in the transaction of what it reports.
pub(super) fn make(new: &NewTaxReport) -> Result<Vec<Write>, StoreError> {
    let key = Key::tax_report(&new.tax_report.taxpayer_id, &new.tax_report.report_id);
    let mut item = to_item(key.clone(), &new.tax_report)?;
    mark(&mut item, Mode::Live, &key, new.due);
    let mut writes =
        vec![Write::Put { item, condition: absent() }, put(&new.tax_report, FilingList::All)?];
    let list = FilingList::of_status(new.tax_report.status);
    writes.extend(list.map(|list| put(&new.tax_report, list)).transpose()?);
    Ok(writes)
}

/// The writes that end a filing: what stands in it from then on, in the list of its outcome, in its
/// document, and in its event. They hold under `condition`. With them the key of the pointer by which it stays in the list
/// that it has left.
fn settle_when(
    condition: Expression,
    settled: SettledTaxReport<'_>,
    parked: Option<(&JobVersion, &Parked)>,
) -> Result<(Vec<Write>, Option<Key>), StoreError> {
    let SettledTaxReport { tax_report, status, verdict, reasons, document, event, at, sweep_at } =
        settled;
    let key = Key::tax_report(&tax_report.taxpayer_id, &tax_report.report_id);
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
    let (from, to) = (FilingList::of_status(tax_report.status), FilingList::of_status(status));
    writes.extend(to.map(|list| put(tax_report, list)).transpose()?);
    let stands = TaxReportRecord { status, updated_at: at, ..tax_report.clone() };
    writes.extend(shown(document, &stands)?);
    writes.push(events::write(event, sweep_at)?);
    Ok((writes, from.filter(|_| from != to).map(|list| pointer_key(tax_report, list))))
}

/// The writes by which the authority's verdict ends a filing, and the pointer by which it stays in a list that it has
/// left. They hold only while the filing has the status that it was read with.
pub(super) fn settle(
    settled: SettledTaxReport<'_>,
) -> Result<(Vec<Write>, Option<Key>), StoreError> {
    let was = settled.tax_report.status.as_str();
    let condition = Expression::new("#status = :was").name("#status", "status").text(":was", was);
    settle_when(condition, settled, None)
}

/// The key of a filing's pointer in a list.
pub(super) fn pointer_key(tax_report: &TaxReportRecord, list: FilingList) -> Key {
    Key::in_filings(&tax_report.taxpayer_id, list, &tax_report.report_id)
}

/// The write that puts a filing into a list.
fn put(tax_report: &TaxReportRecord, list: FilingList) -> Result<Write, StoreError> {
    let pointer = TaxReportPointer { kind: tax_report.kind, role: tax_report.role };
    let item = to_item(pointer_key(tax_report, list), &pointer)?;
    Ok(Write::Put { item, condition: Expression::default() })
}

/// What a pointer says of its tax report, so that a list can pass over it. None of it changes.
#[derive(serde::Serialize)]
struct TaxReportPointer {
    kind: TaxReportKind,
    role: TaxReportRole,
}

/// The write by which a document shows its report, if this is the one that it shows: the latest that is
/// no withdrawal. Of a later one an earlier one's outcome says nothing.
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

impl Store {
    /// A tax report.
    pub async fn get_tax_report(
        &self,
        taxpayer_id: &TaxpayerId,
        report_id: &ReportId,
    ) -> Result<Option<TaxReportRecord>, StoreError> {
        self.get(Key::tax_report(taxpayer_id, report_id)).await
    }

    /// Every filing about a document, the first one first, in one read.
    pub async fn list_filings_about(
        &self,
        document: &DocumentRecord,
    ) -> Result<Vec<TaxReportRecord>, StoreError> {
        let taxpayer_id = &document.taxpayer_id;
        let ids: Vec<_> = std::iter::once(ReportId::first_of(&document.document_id))
            .chain(document.later_reports.iter().cloned())
            .collect();
        let keys: Vec<_> = ids.iter().map(|id| Key::tax_report(taxpayer_id, id)).collect();
        let mut found = self.get_many(keys.clone()).await?;
        keys.iter().filter_map(|key| found.remove(key)).map(from_item).collect()
    }

    /// Takes a filing, as it was read, to work on it, in the status that it has then. Counts the try. `None`
    /// when it has come on, was taken since, or is parked.
    pub async fn lease_tax_report(
        &self,
        read: &TaxReportRecord,
        status: TaxReportStatus,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<TaxReportRecord>, StoreError> {
        let key = Key::tax_report(&read.taxpayer_id, &read.report_id);
        let begun_at = read.begun_at.unwrap_or(now);
        let updated_at = if status == read.status { read.updated_at } else { now };
        // A turn is for one attempt.
        let update = Update::new()
            .set("status", &status)?
            .set("updated_at", &instant(updated_at))?
            .set("begun_at", &begun_at)?
            .set("lease", &lease)?
            .remove("turn")
            .add("tries", 1);
        // When this worker dies the sweeper sends the filing on its way again.
        let due = Some(Due::watched(lease.until));
        let update = due_update(update, Mode::Live, &key, due)?.build();
        let condition = takeable(read.status.as_str(), read.tries, now);
        let taken = TaxReportRecord {
            status,
            updated_at,
            begun_at: Some(begun_at),
            turn: None,
            lease: Some(lease),
            tries: read.tries + 1,
            ..read.clone()
        };
        self.take(key, (update, condition), read, taken).await
    }

    /// Writes down, before its first byte leaves, what the message of a filing is called and carries, and that
    /// an attempt began. Gives the transmission as it stands then; `None` when another worker was faster.
    pub async fn begin_tax_report(
        &self,
        leased: &TaxReportRecord,
        transmission: TransmissionRecord,
        authority: &Spid,
        tax_data: &Payload,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        if leased.tax_data.is_some() {
            return self.put_transmission(Mode::Live, transmission).await;
        }
        let key = Key::tax_report(&leased.taxpayer_id, &leased.report_id);
        let update = Update::new().set("authority", authority)?.set("tax_data", tax_data)?.build();
        let name = Transmitted {
            taxpayer_id: leased.taxpayer_id.clone(),
            document_id: leased.document_id.clone(),
            report_id: Some(leased.report_id.clone()),
        };
        let named = to_item(Key::message(Mode::Live, &leased.instance_id), &name)?;
        let others = vec![
            Write::Update { key, update, condition: leased_by(leased) },
            Write::Put { item: named, condition: absent() },
        ];
        self.put_transmission_with(Mode::Live, transmission, others).await
    }

    /// Ends an attempt, if the lease is still its own, together with what was learned of the way, and
    /// counts the exchange that it was. An unknown outcome is read back.
    pub async fn end_tax_report(
        &self,
        leased: &TaxReportRecord,
        filed: Filed<'_>,
        transmission: Option<&TransmissionRecord>,
        exchange: Option<&CountedExchange>,
        at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let key = Key::tax_report(&leased.taxpayer_id, &leased.report_id);
        let goes_on = |status: TaxReportStatus, update: Update, due: Timestamp| {
            let update = update.set("status", &status)?.remove("lease").remove("tries");
            let due = Some(Due::watched(due));
            let update = due_update(update, Mode::Live, &key, due)?.build();
            let write = Write::Update { key: key.clone(), update, condition: leased_by(leased) };
            Ok::<_, StoreError>((status, (vec![write], None)))
        };
        let (status, (mut writes, left)) = match filed {
            Filed::Later(next) => goes_on(TaxReportStatus::Filing, Update::new(), next)?,
            Filed::Submitted { look_again } => {
                let update = Update::new().set("submitted_at", &at)?;
                let update = update.set("updated_at", &instant(at))?;
                goes_on(TaxReportStatus::Submitted, update, look_again)?
            }
            Filed::Overdue { look_again } => {
                goes_on(TaxReportStatus::Submitted, Update::new(), look_again)?
            }
            Filed::Failed(settled) => {
                (settled.status, settle_when(leased_by(leased), settled, None)?)
            }
        };
        writes.extend(transmission.map(|it| transmissions::put(Mode::Live, it)).transpose()?);
        writes.extend(exchange.map(exchange_counts::count).transpose()?);
        let written = self.transact(writes).await;
        let is_ended = |stands: &TaxReportRecord| stands.lease.is_none() && stands.status == status;
        let recorded = self.ended(key, leased, written, is_ended).await?;
        if let (Recorded::Done, Some(left)) = (recorded, left) {
            self.remove_pointer(left).await;
        }
        Ok(recorded)
    }

    /// Ends a tax report that is given up, and parks it, if its job still has the version that was read. `false` when it has
    /// advanced.
    pub async fn give_up_filing(
        &self,
        settled: SettledTaxReport<'_>,
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

    /// Has a filing that waits for its time go on its way now; nothing when it did already.
    pub async fn bring_filing_forward(
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

    /// Gives a tax report its turn to be sent, at which it is due. `false` when it has advanced since it was read.
    pub async fn give_turn(
        &self,
        version: &JobVersion,
        turn: Timestamp,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Update::new().set("turn", &turn)?;
        let due = Some(Due::watched(sweep_at));
        let update = due_update(update, Mode::Live, &version.job_id.key(), due)?;
        self.change(version, update).await
    }
}

impl Leased for TaxReportRecord {
    fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }
}
