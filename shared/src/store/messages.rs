//! Messages of other access points. A message claims its sender's eb:MessageId, and is then recorded under the
//! InstanceIdentifier of its envelope. So a repeated message is recognized by either of the two, by every worker.
//!
//! The record of a document's message stays. Claims, and the records of status messages, expire after [`MATCHED_FOR`]: what
//! a status message proves is in its [`StatusRecord`]. That of a verdict expires too, if its tax report leads to its proofs.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    CountedExchange, DocumentRecord, Due, EnvelopeHash, EventRecord, MessageRecord, MessageStatus,
    MlsOutboundRecord, NewTaxReport, Recorded, StatusRecord, Store, StoreError,
    documents::new_document,
    dynamo::{Expression, Item, Update, Write, Written, expiring, from_item, packed, to_item},
    events, exchange_counts,
    jobs::{expiry, mark},
    keys::{self, Key},
    leases::leased,
    mls_outbound,
    pointers::MATCHED_FOR,
    statuses::{self, SettledDocument},
    tax_reports,
    text::instant,
};
use crate::types::Mode;

/// The attributes of a message that are packed. Nothing changes them.
const PACKED: [&str; 14] = [
    "instance_id",
    "as4_message_id",
    "sender",
    "originator",
    "recipient",
    "document_type",
    "process",
    "addressee",
    "content_sha256",
    "sent_at",
    "received_at",
    "message",
    "envelope",
    "receipt",
];

/// The attributes of a status message, all of which are packed.
const PACKED_OF_STATUS: [&str; 9] = [
    "instance_id",
    "sender",
    "ref_to",
    "code",
    "issued_at",
    "received_at",
    "envelope",
    "receipt",
    "effect",
];

/// Why a message is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// The message is already stored: the same document in an envelope of the same name, from the same sender.
    Stored,
    /// An execution of an earlier release works on it, and may still finish.
    Held,
    /// The sender used the eb:MessageId for another envelope before.
    MessageIdUsed,
    /// The InstanceIdentifier belongs to an envelope of another sender, or with another document.
    InstanceIdUsed,
}

/// The envelope that an eb:MessageId of a seat belongs to.
#[derive(Debug, Serialize, Deserialize)]
struct MessageId {
    instance_of: EnvelopeHash,
}

/// The result of a message's validation, written in one transaction.
#[derive(Debug)]
pub enum ValidatedMessage<'a> {
    /// A taxpayer's document.
    Document {
        /// The document.
        document: &'a DocumentRecord,
        /// The events about it.
        events: &'a [EventRecord],
        /// The MLS that is owed for it, and when that is due.
        answer: (&'a MlsOutboundRecord, Option<Due>),
        /// The tax report about it.
        tax_report: Option<&'a NewTaxReport>,
    },
    /// A status message with its effect; `None` when the message is not a valid status message.
    Status(Option<&'a ValidatedStatus>),
}

/// A status message and the exchange that it ends, if it ends one.
#[derive(Debug)]
pub struct ValidatedStatus {
    /// The status message.
    pub status: StatusRecord,
    /// What it ends.
    pub settling: Option<Settling>,
}

/// The exchange that a status message ends.
#[derive(Debug)]
pub enum Settling {
    /// The exchange of a document.
    Document(Box<SettledDocument>),
    /// The exchange of a report to the tax authority.
    TaxReport(Box<tax_reports::SettledTaxReport>),
}

/// The validation of a message that is recorded.
#[derive(Debug)]
pub enum MessageValidation {
    /// A job does it then.
    Due(Due),
    /// It is done: the message is a status message, and its effect is recorded with it.
    Done(Option<Box<ValidatedStatus>>),
}

/// How the recording of a message ended.
#[derive(Debug)]
pub enum MessageRecorded {
    /// It is recorded.
    Done,
    /// Something stands in its way, and nothing is recorded.
    Repeated(Repetition),
    /// What its validation is about has changed since it was read, and nothing is recorded.
    Outdated,
}

impl Store {
    /// What stands in the way of a message; `None` when nothing is known to. The write that records the message has the
    /// last word, so this read may be a little old.
    pub async fn find_repetition(
        &self,
        mode: Mode,
        new: &MessageRecord,
        now: Timestamp,
    ) -> Result<Option<Repetition>, StoreError> {
        let (key, id_key) = keys_of(mode, new);
        let keys = [key.clone(), id_key.clone()];
        let standing = standing(self.get_many_lately(keys).await?, &key, &id_key)?;
        Ok(repetition(&standing, new, now))
    }

    /// Claims the message's eb:MessageId for its envelope. A message that is not recorded after that comes again with the
    /// same claim, so the claim needs no transaction, which would cost twice as much. Returns what stands in its way.
    pub async fn claim_message_id(
        &self,
        mode: Mode,
        new: &MessageRecord,
    ) -> Result<Option<Repetition>, StoreError> {
        let (_, id_key) = keys_of(mode, new);
        let claim = MessageId { instance_of: new.hash() };
        let condition = Expression::new("attribute_not_exists(pk) OR instance_of = :hash")
            .text(":hash", new.hash().as_str());
        let item = expiring(to_item(id_key, &claim)?, expiry(new.received_at, MATCHED_FOR));
        Ok(match self.write(Write::Put { item, condition }).await? {
            Written::Done => None,
            Written::Refused(_) => Some(Repetition::MessageIdUsed),
        })
    }

    /// Records a message that is stored with its envelope and our receipt, and whose eb:MessageId is claimed: it is
    /// counted as an exchange, and is due for validation or has its effect.
    pub async fn record_message(
        &self,
        mode: Mode,
        new: &MessageRecord,
        exchange: &CountedExchange,
        validation: &MessageValidation,
    ) -> Result<MessageRecorded, StoreError> {
        let now = exchange.at;
        let (key, id_key) = keys_of(mode, new);
        let status = match validation {
            MessageValidation::Due(_) => MessageStatus::Received,
            MessageValidation::Done(_) => MessageStatus::Validated,
        };
        let record = MessageRecord { status, ..new.clone() };
        let mut item = packed(to_item(key.clone(), &record)?, &PACKED)?;
        let effects = match validation {
            MessageValidation::Due(due) => {
                mark(&mut item, mode, &key, *due);
                Effects::default()
            }
            MessageValidation::Done(status) => {
                item = expiring(item, expiry(new.received_at, MATCHED_FOR));
                of_status(mode, new, status.as_deref())?
            }
        };
        // Earlier releases claimed a message before they stored it. The claim of a worker that died is void.
        let condition = Expression::new(
            "attribute_not_exists(pk) OR (#status = :claimed AND #lease.#until <= :now)",
        )
        .name("#status", "status")
        .name("#lease", "lease")
        .name("#until", "until")
        .text(":claimed", MessageStatus::Claimed.as_str())
        .text(":now", instant(now));
        let mut writes = vec![Write::Put { item, condition }, exchange_counts::count(exchange)?];
        writes.extend(effects.writes);
        let written = self.transact(writes).await;
        if !matches!(written, Ok(Written::Done)) {
            let keys = [key.clone(), id_key.clone()];
            let standing = standing(self.get_many(keys).await?, &key, &id_key)?;
            // A repeated attempt of the SDK meets its own write. No two receipts are the same.
            let own = standing.1.as_ref().is_some_and(|current| current.receipt == new.receipt);
            match (repetition(&standing, new, now), written) {
                _ if own => {}
                (Some(repetition), _) => return Ok(MessageRecorded::Repeated(repetition)),
                // The write is not applied yet, but still may be.
                (None, Err(error)) => return Err(error),
                (None, Ok(_)) => return Ok(MessageRecorded::Outdated),
            }
        }
        if let Some(left) = effects.left {
            self.remove_pointer(left).await;
        }
        Ok(MessageRecorded::Done)
    }

    /// A message of another access point.
    pub async fn get_message(
        &self,
        mode: Mode,
        envelope: &EnvelopeHash,
    ) -> Result<Option<MessageRecord>, StoreError> {
        self.get(Key::inbound(mode, envelope)).await
    }

    /// Ends a validation that still has its lease: writes its result together with the message's end. An unknown
    /// outcome is read back.
    pub async fn end_message(
        &self,
        mode: Mode,
        leased: &MessageRecord,
        validated: ValidatedMessage<'_>,
    ) -> Result<Recorded, StoreError> {
        let mut update = Update::new().set("status", &MessageStatus::Validated)?;
        if let ValidatedMessage::Status(_) = validated {
            update = update.set(keys::TTL, &expiry(leased.received_at, MATCHED_FOR))?;
        }
        let Effects { writes, left } = match validated {
            ValidatedMessage::Document { document, events, answer: (answer, due), tax_report } => {
                let mut writes = new_document(mode, document, None, false)?;
                writes.push(mls_outbound::owe(mode, answer, due)?);
                writes.extend(tax_report.map(tax_reports::make).transpose()?.into_iter().flatten());
                for event in events {
                    writes.push(events::write(event)?);
                }
                Effects { writes, left: None }
            }
            ValidatedMessage::Status(status) => of_status(mode, leased, status)?,
        };
        let is_ended = |current: &MessageRecord| current.status == MessageStatus::Validated;
        let recorded = self.end_lease(mode, leased, (update, None), writes, is_ended).await?;
        if let (Recorded::Done, Some(left)) = (recorded, left) {
            self.remove_pointer(left).await;
        }
        Ok(recorded)
    }
}

/// What a validated message changes beside itself.
#[derive(Default)]
struct Effects {
    writes: Vec<Write>,
    /// The pointer in a list that its subject has left.
    left: Option<Key>,
}

/// The effects of a status message.
fn of_status(
    mode: Mode,
    message: &MessageRecord,
    status: Option<&ValidatedStatus>,
) -> Result<Effects, StoreError> {
    let Some(ValidatedStatus { status, settling }) = status else { return Ok(Effects::default()) };
    let key = Key::status_message(mode, &EnvelopeHash::of(&status.ref_to), &message.hash());
    // What another access point said stands, whoever ends the validation. All attempts write the same item.
    let mut item = packed(to_item(key, status)?, &PACKED_OF_STATUS)?;
    // The verdict of a tax report names its envelope, which shares an object with our receipt.
    if matches!(settling, Some(Settling::TaxReport(_))) && status.shares_an_object() {
        item = expiring(item, expiry(status.received_at, MATCHED_FOR));
    }
    let mut writes = vec![Write::Point { item }];
    let (settled, left) = match settling {
        Some(Settling::Document(settled)) => statuses::settle(mode, settled)?,
        Some(Settling::TaxReport(settled)) => tax_reports::settle(settled)?,
        None => (Vec::new(), None),
    };
    writes.extend(settled);
    Ok(Effects { writes, left })
}

leased!(MessageRecord, |it, mode| Key::inbound(mode, &it.hash()));

/// Where a message is stored, and where its eb:MessageId is.
fn keys_of(mode: Mode, new: &MessageRecord) -> (Key, Key) {
    let id_key = Key::as4_message_id(mode, &new.sender, &new.as4_message_id);
    (Key::inbound(mode, &new.hash()), id_key)
}

/// What is stored under a message's eb:MessageId and under its InstanceIdentifier.
fn standing(
    mut found: HashMap<Key, Item>,
    key: &Key,
    id_key: &Key,
) -> Result<(Option<MessageId>, Option<MessageRecord>), StoreError> {
    let message_id = found.remove(id_key).map(from_item).transpose()?;
    Ok((message_id, found.remove(key).map(from_item).transpose()?))
}

/// What stands in the way of a message.
fn repetition(
    (message_id, message): &(Option<MessageId>, Option<MessageRecord>),
    new: &MessageRecord,
    now: Timestamp,
) -> Option<Repetition> {
    if message_id.as_ref().is_some_and(|current| current.instance_of != new.hash()) {
        return Some(Repetition::MessageIdUsed);
    }
    let current = message.as_ref()?;
    if current.status == MessageStatus::Claimed {
        let held = current.lease.as_ref().is_some_and(|lease| now < lease.until);
        return held.then_some(Repetition::Held);
    }
    // A receipt confirms exactly these bytes, so it is valid only for the stored message.
    let same = current.sender == new.sender && current.content_sha256 == new.content_sha256;
    Some(if same { Repetition::Stored } else { Repetition::InstanceIdUsed })
}
