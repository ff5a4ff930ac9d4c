//! What an organization's overview is made of without going through its documents: how many documents of each day came to
//! what, which of them failed of late, and which still await a word of others.
//!
//! It is kept where an event is told to an organization, in the transaction that keeps the event with its document: an event
//! counts once, however often it is relayed. Counters are added to and never moved, so that the order of events is no
//! matter: a document that was sent and then delivered counts as both. What is awaited is taken away by the event that
//! brings it; where that comes first, or is not told any more, an item stays until it expires, and who shows it looks at
//! the document.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use super::{
    Awaited, DocumentRecord, EVENT_SHOWN, EventOfDocument, EventPointer, EventRecord, Reached,
    Store, StoreError,
    dynamo::{Expression, Update, Write, absent, from_item, to_item},
    feed::{expiring, pointer_item},
    keys::{self, AWAITED_SHARDS, Key, TALLY_SHARDS, TALLY_SLOTS},
    relaying::expiry,
    tenants::grants_of,
    text,
};
use crate::access::Grant;
use crate::types::{DocumentId, EventId, Mode, OrganizationId, TaxpayerId, uae_date};

/// How long a tally stays: as long as the events that it counts, and a day more.
const TALLY_KEPT: SignedDuration = SignedDuration::from_hours(31 * 24);
/// How long it is shown that something is awaited, after it should have come.
pub const AWAITED_KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);
/// By when a status has come: "received within 25 minutes of the AS4 timestamp" (Peppol Network Policy, MLS-2).
const STATUS_WITHIN: SignedDuration = SignedDuration::from_mins(25);
/// By when the tax authority has said what it makes of a report: who operates the service hears of it then
/// ([`OVERDUE`](crate::service::report::OVERDUE)).
const VERDICT_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// How many documents of a day came to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// On which they were accepted or received, in the UAE.
    pub day: Date,
    #[serde(default)]
    failed: u32,
    #[serde(default)]
    unconfirmed: u32,
    #[serde(default)]
    rejected: u32,
    #[serde(default)]
    not_compliant: u32,
    #[serde(default)]
    unreported: u32,
    #[serde(default)]
    sent: u32,
    #[serde(default)]
    forwarded: u32,
    #[serde(default)]
    delivered: u32,
    #[serde(default)]
    received: u32,
    #[serde(default)]
    reported: u32,
}

impl Tally {
    /// How many came to this.
    pub fn of(&self, reached: Reached) -> u32 {
        match reached {
            Reached::Failed => self.failed,
            Reached::Unconfirmed => self.unconfirmed,
            Reached::Rejected => self.rejected,
            Reached::NotCompliant => self.not_compliant,
            Reached::Unreported => self.unreported,
            Reached::Sent => self.sent,
            Reached::Forwarded => self.forwarded,
            Reached::Delivered => self.delivered,
            Reached::Received => self.received,
            Reached::Reported => self.reported,
            Reached::Unknown => 0,
        }
    }

    /// Those of both.
    fn and(self, other: Tally) -> Tally {
        Tally {
            day: self.day,
            failed: self.failed + other.failed,
            unconfirmed: self.unconfirmed + other.unconfirmed,
            rejected: self.rejected + other.rejected,
            not_compliant: self.not_compliant + other.not_compliant,
            unreported: self.unreported + other.unreported,
            sent: self.sent + other.sent,
            forwarded: self.forwarded + other.forwarded,
            delivered: self.delivered + other.delivered,
            received: self.received + other.received,
            reported: self.reported + other.reported,
        }
    }
}

/// A document that failed, as an event told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedDocument {
    /// The document.
    pub document_id: DocumentId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// What it came to.
    pub reached: Reached,
    /// When.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// The event that told of it.
    pub event_id: EventId,
}

/// What is awaited of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwaitedOf {
    /// The document.
    pub document_id: DocumentId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// What.
    pub what: Awaited,
    /// By when it should have come.
    #[serde(with = "text::instant")]
    pub by: Timestamp,
}

impl Awaited {
    /// How long after a document was sent or received it should have come.
    fn within(self) -> SignedDuration {
        match self {
            Awaited::Status => STATUS_WITHIN,
            Awaited::Verdict | Awaited::Unknown => VERDICT_WITHIN,
        }
    }
}

/// The writes that have an organization see on its overview what an event told it.
fn writes(
    organization_id: &OrganizationId,
    event: &EventRecord,
    document_id: &DocumentId,
    reached: Reached,
) -> Result<Vec<Write>, StoreError> {
    let EventRecord { event_id, mode, taxpayer_id, created_at, awaits, .. } = event;
    // The document's own name tells when it was made, to whoever comes first and whoever comes last.
    let made_at = document_id.made_at().unwrap_or(*created_at);
    let day = uae_date(made_at);
    let update = Update::new().add(reached.as_str(), 1).set("day", &day)?;
    let update = update.set(keys::TTL, &expiry(made_at, TALLY_KEPT))?.build();
    let key = Key::tally(*mode, organization_id, day, event_id);
    let mut writes = vec![Write::Update { key, update, condition: Expression::default() }];
    if reached.is_failure() {
        let failed = FailedDocument {
            document_id: document_id.clone(),
            taxpayer_id: taxpayer_id.clone(),
            reached,
            at: *created_at,
            event_id: event_id.clone(),
        };
        let item = to_item(Key::failure(*mode, organization_id, event_id), &failed)?;
        let item = expiring(item, expiry(*created_at, EVENT_SHOWN));
        writes.push(Write::Put { item, condition: Expression::default() });
    }
    let awaited = |what: Awaited| {
        let by = made_at.saturating_add(what.within()).unwrap_or(Timestamp::MAX);
        Key::awaited(*mode, organization_id, what, by, document_id)
    };
    for what in awaits {
        let by = created_at.saturating_add(what.within()).unwrap_or(Timestamp::MAX);
        let (document_id, taxpayer_id) = (document_id.clone(), taxpayer_id.clone());
        let item = AwaitedOf { document_id, taxpayer_id, what: *what, by };
        let item = expiring(to_item(awaited(*what), &item)?, expiry(by, AWAITED_KEPT));
        writes.push(Write::Put { item, condition: Expression::default() });
    }
    // In Sandbox nothing is awaited.
    if let Some(what) = reached.settles().filter(|_| *mode == Mode::Live) {
        writes.push(Write::Delete { key: awaited(what), condition: Expression::default() });
    }
    Ok(writes)
}

impl Store {
    /// Has an organization find an event from now on, among all and with the document that it is about, and see on its overview
    /// what it told.
    pub async fn tell(
        &self,
        organization_id: &OrganizationId,
        event: &EventRecord,
    ) -> Result<(), StoreError> {
        let pointer = EventPointer::to(event, false);
        let item = pointer_item(event.mode, organization_id, &pointer, event.created_at)?;
        // The same however often it is made, it costs half as much by itself, and all of an organization's share two partitions.
        let pointer = self.write(Write::Put { item, condition: Expression::default() });
        let Some(document_id) = event.document_id() else { return pointer.await.map(drop) };
        let (mode, id) = (event.mode, &event.event_id);
        let key = Key::event_of_document(mode, organization_id, document_id, id);
        let item = to_item(key, &EventOfDocument::to(event))?;
        let item = expiring(item, expiry(event.created_at, EVENT_SHOWN));
        let mut told = vec![Write::Put { item, condition: absent() }];
        if let Some(reached) = event.reached {
            told.extend(writes(organization_id, event, document_id, reached)?);
        }
        tokio::try_join!(pointer, self.told(told)).map(drop)
    }

    /// Writes what is told; refused, it was told before.
    async fn told(&self, mut writes: Vec<Write>) -> Result<(), StoreError> {
        match writes.len() {
            1 => self.write(writes.remove(0)).await.map(drop),
            _ => self.transact(writes).await.map(drop),
        }
    }

    /// What the documents of the last days came to, as far as an organization heard: those of at most `days` days on which
    /// any came to anything.
    pub async fn list_tallies(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        days: u8,
    ) -> Result<BTreeMap<Date, Tally>, StoreError> {
        let limit = i32::from(days) * i32::from(TALLY_SLOTS);
        let shard = async |shard| {
            let partition = keys::tallies(mode, organization_id, shard);
            // Boxed: so many queries side by side are large.
            Box::pin(self.latest::<Tally>(&partition, keys::TALLY, limit)).await
        };
        let shards: [Vec<Tally>; TALLY_SHARDS as usize] = tokio::try_join!(
            shard(0),
            shard(1),
            shard(2),
            shard(3),
            shard(4),
            shard(5),
            shard(6),
            shard(7)
        )?
        .into();
        let mut sums: BTreeMap<Date, Tally> = BTreeMap::new();
        for tally in shards.into_iter().flatten() {
            sums.entry(tally.day).and_modify(|sum| *sum = sum.and(tally)).or_insert(tally);
        }
        Ok(sums)
    }

    /// What failed of late for an organization, the latest first.
    pub async fn list_failures(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        limit: i32,
    ) -> Result<Vec<FailedDocument>, StoreError> {
        let partition = keys::failures(mode, organization_id);
        self.latest(&partition, keys::FAILURE, limit).await
    }

    /// What an organization awaits, as much of each shard: what should come first, first.
    pub async fn list_awaited(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        limit: i32,
    ) -> Result<Vec<AwaitedOf>, StoreError> {
        let shard = async |shard| {
            let partition = keys::awaited(mode, organization_id, shard);
            // Boxed: so many queries side by side are large.
            Box::pin(self.earliest(&partition, keys::AWAITED, limit)).await
        };
        let shards: [Vec<AwaitedOf>; AWAITED_SHARDS as usize] =
            tokio::try_join!(shard(0), shard(1), shard(2), shard(3))?.into();
        let mut awaited = shards.concat();
        awaited.sort_by_key(|awaited| awaited.by);
        Ok(awaited)
    }

    /// Documents of several taxpayers, each with the active grants on its taxpayer, all in one read; those that are gone are
    /// left out.
    pub async fn get_documents_of(
        &self,
        mode: Mode,
        documents: &BTreeMap<&DocumentId, &TaxpayerId>,
    ) -> Result<Vec<(DocumentRecord, Vec<Grant>)>, StoreError> {
        let document = |id: &DocumentId, owner: &TaxpayerId| Key::document(mode, owner, id);
        let access = |owner: &TaxpayerId| Key::access(mode, owner);
        let keys = documents.iter().flat_map(|(id, owner)| [document(id, owner), access(owner)]);
        let mut found = self.get_many(keys).await?;
        let mut read = Vec::with_capacity(documents.len());
        for (id, owner) in documents {
            let Some(item) = found.remove(&document(id, owner)) else { continue };
            let grants = found.get(&access(owner)).cloned().map_or(Ok(Vec::new()), grants_of)?;
            read.push((from_item(item)?, grants));
        }
        Ok(read)
    }
}
