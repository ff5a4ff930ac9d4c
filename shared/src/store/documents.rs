//! Documents. One transaction creates a document with all its effects. Then each stage takes the lease, works, and
//! writes its results: its own attributes and no others. So facts that another writer stored meanwhile stay.

use jiff::Timestamp;

use super::{
    CountedExchange, Departure, DocumentRecord, Due, EarlierUses, EventRecord, JobVersion, Lease,
    Parked, PartySummary, Payload, Reporting, Reservation, Status, Store, StoreError,
    TransmissionRecord,
    dynamo::{Update, Write, Written, absent, from_item, packed, to_item},
    events, exchange_counts, idempotency,
    jobs::{as_seen, mark, park_update},
    keys::Key,
    leases::{leasable, leased},
    pointers::{moved, pointer_writes, taken_over},
    resubmissions::with_reports_as_read,
    text::instant,
    usage::departure_writes,
};
use crate::{
    error::Finding,
    types::{DocumentId, Mode, TaxpayerId},
};

/// A response, saved so that a repeated request gets the same bytes.
#[derive(Debug, Clone, Copy)]
pub struct SavedReply<'a> {
    /// HTTP status.
    pub status: u16,
    /// The body.
    pub body: &'a str,
}

/// Everything that one send writes, all or nothing.
#[derive(Debug)]
pub struct Recording<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The document.
    pub document: &'a DocumentRecord,
    /// When the document is due for its next stage; `None` when it is finished.
    pub due: Option<Due>,
    /// The reservation, and the response to save under it. Without a response the document is recorded as unanswered,
    /// and the stage that ends the send saves the response.
    pub reservation: Option<(&'a Reservation, Option<SavedReply<'a>>)>,
    /// What was read about earlier documents with the same number or UUID. If this has changed, the outcome is
    /// [`Recorded::Lost`].
    pub earlier: &'a EarlierUses,
    /// The transmission, if the document is sent to the network at once.
    pub transmission: Option<&'a TransmissionRecord>,
    /// The tax report and usage record, written when the first message is fixed or none is needed.
    pub departure: Option<&'a Departure>,
    /// The document that it corrects, as it was read. If another document corrects that one, or a report about it was
    /// recorded meanwhile, the outcome is [`Recorded::Lost`].
    pub corrects: Option<&'a DocumentRecord>,
    /// Events and other items that are written with it.
    pub effects: Effects<'a>,
}

/// The results of a stage: exactly the attributes that it writes.
#[derive(Debug)]
pub enum Progress {
    /// The UBL was made from the taxpayer's current profile.
    Converted {
        /// The UBL, in place of the request.
        ubl: Box<Payload>,
        /// IBG-04 Seller.
        supplier: PartySummary,
        /// IBG-07 Buyer.
        customer: PartySummary,
        /// Findings that do not prevent the send.
        warnings: Vec<Finding>,
    },
    /// The document is not sent yet; another attempt follows.
    Dispatching,
    /// The document is sent.
    Sent,
    /// The delivery can no longer be confirmed.
    Unconfirmed {
        /// Why.
        warnings: Vec<Finding>,
    },
    /// The document can never be sent.
    Failed {
        /// Why.
        warnings: Vec<Finding>,
    },
}

impl Progress {
    /// The new status of the document.
    pub fn status(&self) -> Status {
        match self {
            Progress::Converted { .. } => Status::Converted,
            Progress::Dispatching => Status::Dispatching,
            Progress::Sent => Status::Sent,
            Progress::Unconfirmed { .. } => Status::Unconfirmed,
            Progress::Failed { .. } => Status::Failed,
        }
    }
}

/// Everything that the end of a stage writes.
#[derive(Debug)]
pub struct Step<'a> {
    /// The results of the stage.
    pub progress: &'a Progress,
    /// When the stage ended.
    pub at: Timestamp,
    /// When the document is due for its next stage; `None` when it is finished.
    pub due: Option<Due>,
    /// The response to save, if the document is unanswered and the send ends here.
    pub reply: Option<SavedReply<'a>>,
    /// The transmission, if it changed.
    pub transmission: Option<&'a TransmissionRecord>,
    /// The tax report and usage record of a document that needs no message.
    pub departure: Option<&'a Departure>,
    /// The state of its tax report, unless the record already has one.
    pub reporting: Option<&'a Reporting>,
    /// Events and other items that are written with the document.
    pub effects: Option<Effects<'a>>,
}

/// Items that are written together with a change of a document.
#[derive(Debug, Clone, Copy)]
pub struct Effects<'a> {
    /// Events for the sender and for the recipient.
    pub events: &'a [EventRecord],
    /// The inbound document of a recipient who is a taxpayer here.
    pub inbound: Option<&'a DocumentRecord>,
    /// The exchange to count for the OpenPeppol reports.
    pub exchange: Option<&'a CountedExchange>,
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// All of it is written.
    Done,
    /// None of it is written. The reservation or the lease no longer belongs to this attempt, or an earlier document
    /// has the number or the UUID.
    Lost,
}

impl Store {
    /// Reads several documents of a taxpayer at once. Missing documents are left out.
    pub async fn get_documents(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        ids: &[DocumentId],
    ) -> Result<Vec<DocumentRecord>, StoreError> {
        let keys = ids.iter().map(|id| Key::document(mode, taxpayer_id, id));
        self.get_many(keys).await?.into_values().map(from_item).collect()
    }

    /// A document.
    pub async fn get_document(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Option<DocumentRecord>, StoreError> {
        self.get(Key::document(mode, taxpayer_id, document_id)).await
    }

    /// Records a send: claims its number and UUID, writes its transmission and its pointers, and then writes in one
    /// transaction the document, the saved response, the events and the recipient's inbound document. What is written before
    /// the transaction belongs to nothing without it. An unknown outcome is read back. With a key, the idempotency record
    /// names the attempt that won. Without a key, the document is read, because only this attempt knows its identifier.
    pub async fn record_document(&self, submission: Recording<'_>) -> Result<Recorded, StoreError> {
        let Recording { mode, document, due, reservation, earlier, .. } = submission;
        let Recording { transmission, departure, corrects, effects, .. } = submission;
        let claims_number = earlier.number.is_none();
        let mut writes = match reservation {
            Some((reservation, None)) => {
                let unanswered = Some(reservation.key.clone());
                let document = &DocumentRecord { unanswered, ..document.clone() };
                new_document(mode, document, due, claims_number)?
            }
            _ => new_document(mode, document, due, claims_number)?,
        };
        if let Some((reservation, reply)) = reservation {
            writes.push(reservation.end(reply));
        }
        if let Some(departure) = departure {
            let key = reservation.map(|(reservation, _)| &reservation.key);
            writes.extend(departure_writes(departure, key)?);
        }
        writes.extend(corrects.map(|read| corrected(mode, read, document)).transpose()?);
        writes.extend(effect_writes(mode, effects)?);
        if !self.claim_first_uses(mode, document, earlier).await? {
            return Ok(Recorded::Lost);
        }
        if let Some(transmission) = transmission {
            self.put_first_transmission(mode, transmission).await?;
        }
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let current = match reservation {
            Some((Reservation { taxpayer_id, key, owner, .. }, _)) => self
                .get_idempotency(mode, taxpayer_id, key)
                .await
                .map(|found| found.is_some_and(|found| found.ended_by(*owner))),
            None => self
                .get_document(mode, &document.taxpayer_id, &document.document_id)
                .await
                .map(|found| found.is_some()),
        };
        match (written, current) {
            (_, Ok(true)) => Ok(Recorded::Done),
            (Ok(_), Ok(false)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }

    /// Leases a document, as it was read, for a stage, and counts the attempt. Returns `None` when another worker has a
    /// lease at `now` or has changed the document, or when it is parked.
    pub async fn lease_document(
        &self,
        mode: Mode,
        read: &DocumentRecord,
        status: Status,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<DocumentRecord>, StoreError> {
        if let Some(listed) = taken_over(mode, read)? {
            self.write(listed).await?;
        }
        let updated_at = if status == read.status { read.updated_at } else { now };
        let dispatching_at = match status {
            Status::Dispatching => read.dispatching_at.or(Some(now)),
            _ => read.dispatching_at,
        };
        let update = Update::new()
            .set("status", &status)?
            .set("updated_at", &instant(updated_at))?
            .add("version", 1);
        let update = match dispatching_at {
            Some(at) => update.set("dispatching_at", &at)?,
            None => update,
        };
        let version = read.version + 1;
        let changed =
            DocumentRecord { status, version, dispatching_at, updated_at, ..read.clone() };
        self.lease_changed(mode, read, (update, leasable(read, now)), changed, lease).await
    }

    /// Ends a stage that still has its lease: writes its results together with their effects. An unknown outcome is
    /// read back.
    pub async fn advance_document(
        &self,
        mode: Mode,
        leased: &DocumentRecord,
        step: Step<'_>,
    ) -> Result<Recorded, StoreError> {
        let Step { progress, at, due, reply, transmission, departure, reporting, effects } = step;
        let update = progress_update(progress, at, reply.is_some())?;
        let update = match reporting {
            Some(reporting) => update.set_first("reporting", reporting)?,
            None => update,
        };
        let status = progress.status();
        let (entered, left) = moved(mode, leased, status)?;
        let mut writes = Vec::from_iter(entered);
        if let (Some(hash), Some(reply)) = (&leased.unanswered, reply) {
            let (taxpayer_id, document_id) = (&leased.taxpayer_id, &leased.document_id);
            writes.push(idempotency::answer(mode, taxpayer_id, hash, document_id, reply));
        }
        if let Some(departure) = departure {
            writes.extend(departure_writes(departure, None)?);
        }
        if let Some(effects) = effects {
            writes.extend(effect_writes(mode, effects)?);
        }
        if !self.end_attempt(mode, transmission).await? {
            return Ok(Recorded::Lost);
        }
        let is_ended =
            |current: &DocumentRecord| current.lease.is_none() && current.status == status;
        let recorded = self.write_leased(mode, leased, (update, due), writes, is_ended).await?;
        if let (Recorded::Done, Some(left)) = (recorded, left) {
            self.remove_pointer(left).await;
        }
        Ok(recorded)
    }
}

impl Store {
    /// Ends a document and parks it, if its job still has the version that was read. The same
    /// transaction writes the event, and saves the response if the send is unanswered. Returns `false` when the version is
    /// outdated.
    pub async fn abandon_document(
        &self,
        mode: Mode,
        read: &DocumentRecord,
        (progress, reply, event): (&Progress, SavedReply<'_>, &EventRecord),
        (version, parked): (&JobVersion, &Parked),
    ) -> Result<bool, StoreError> {
        let update = progress_update(progress, parked.at, read.unanswered.is_some())?;
        let update = park_update(update, &version.job_id, parked)?.build();
        let condition = as_seen(version);
        let mut writes = vec![Write::Update { key: version.job_id.key(), update, condition }];
        let (entered, left) = moved(mode, read, progress.status())?;
        writes.extend(entered);
        if let Some(hash) = &read.unanswered {
            let (taxpayer_id, document_id) = (&read.taxpayer_id, &read.document_id);
            writes.push(idempotency::answer(mode, taxpayer_id, hash, document_id, reply));
        }
        writes.push(events::write(event)?);
        let written = self.transact(writes).await?;
        let is_done = matches!(written, Written::Done);
        if let (true, Some(left)) = (is_done, left) {
            self.remove_pointer(left).await;
        }
        Ok(is_done)
    }
}

leased!(DocumentRecord, |it, mode| Key::document(mode, &it.taxpayer_id, &it.document_id));

/// The update that ends a stage. It names only the attributes that the stage owns.
fn progress_update(
    progress: &Progress,
    at: Timestamp,
    answered: bool,
) -> Result<Update, StoreError> {
    let update = Update::new()
        .set("status", &progress.status())?
        .set("updated_at", &instant(at))?
        .add("version", 1)
        .remove("lease")
        .remove("tries");
    let update = match progress {
        Progress::Dispatching | Progress::Sent => update,
        Progress::Unconfirmed { warnings } | Progress::Failed { warnings } => {
            update.set("warnings", warnings)?
        }
        Progress::Converted { ubl, supplier, customer, warnings } => update
            .set("ubl", ubl)?
            .set("supplier", supplier)?
            .set("customer", customer)?
            .set("warnings", warnings)?
            .set("converted_at", &at)?
            .remove("request"),
    };
    Ok(if answered { update.remove("unanswered") } else { update })
}

/// The attributes of a new document that are packed: what was sent. Later results stand beside them.
const PACKED: [&str; 27] = [
    "document_id",
    "taxpayer_id",
    "organization_id",
    "direction",
    "operation",
    "document_type_code",
    "number",
    "uuid",
    "issue_date",
    "due_date",
    "currency",
    "transaction_type_code",
    "profile",
    "mls_type",
    "total_without_vat",
    "total_vat",
    "total_with_vat",
    "amount_due",
    "supplier",
    "customer",
    "source_id",
    "metadata",
    "previous_document_id",
    "corrects_document_id",
    "message_id",
    "ubl",
    "warnings",
];

/// The writes that create a document and its pointers.
pub(super) fn new_document(
    mode: Mode,
    document: &DocumentRecord,
    due: Option<Due>,
    claims_number: bool,
) -> Result<Vec<Write>, StoreError> {
    let key = Key::document(mode, &document.taxpayer_id, &document.document_id);
    let mut item = packed(to_item(key.clone(), document)?, &PACKED)?;
    if let Some(due) = due {
        mark(&mut item, mode, &key, due);
    }
    let mut writes = vec![Write::Put { item, condition: absent() }];
    writes.extend(pointer_writes(mode, document, claims_number)?);
    Ok(writes)
}

/// The write that names a correction in the document that it corrects. It requires that this document is rejected and
/// has the same correction and reports as when it was read.
fn corrected(
    mode: Mode,
    read: &DocumentRecord,
    correction: &DocumentRecord,
) -> Result<Write, StoreError> {
    let key = Key::document(mode, &read.taxpayer_id, &read.document_id);
    let update = Update::new()
        .set("corrected_by", &correction.document_id)?
        .set("updated_at", &instant(correction.updated_at))?
        .add("version", 1)
        .build();
    let condition = with_reports_as_read(read)
        .and("#status = :rejected")
        .name("#status", "status")
        .text(":rejected", Status::Rejected.as_str());
    let condition = match &read.corrected_by {
        None => condition.and("attribute_not_exists(corrected_by)"),
        Some(former) => condition.and("corrected_by = :former").text(":former", former.as_str()),
    };
    Ok(Write::Update { key, update, condition })
}

fn effect_writes(mode: Mode, effects: Effects<'_>) -> Result<Vec<Write>, StoreError> {
    let mut writes = match effects.inbound {
        None => Vec::new(),
        Some(inbound) => new_document(mode, inbound, None, false)?,
    };
    for event in effects.events {
        writes.push(events::write(event)?);
    }
    writes.extend(effects.exchange.map(exchange_counts::count).transpose()?);
    Ok(writes)
}
