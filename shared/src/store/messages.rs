//! Messages of other access points. A message is claimed before any part of it is stored: by the InstanceIdentifier of
//! its envelope and by its sender's eb:MessageId. Neither claim is ever removed. So a repeated message is recognized by
//! either of the two, by every worker.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    CountedExchange, DocumentRecord, Due, EnvelopeHash, EventRecord, MessageRecord, MessageStatus,
    MlsOutboundRecord, NewTaxReport, Payload, Recorded, StatusRecord, Store, StoreError,
    documents::new_document,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item},
    events, exchange_counts,
    jobs::due_update,
    keys::Key,
    leases::{leased, leased_by},
    mls_outbound,
    statuses::{self, SettledDocument},
    tax_reports,
};
use crate::types::Mode;

/// How a claim on a message ended.
#[derive(Debug, PartialEq)]
pub enum MessageClaim {
    /// This attempt has the claim. The record is stored as it is here; it keeps the names of an abandoned attempt.
    Taken(Box<MessageRecord>),
    /// The message is already stored: the same document in an envelope of the same name, from the same sender.
    Stored,
    /// Another attempt has the claim and may still finish.
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
        /// When the sweeper claims events that the relay has not claimed.
        sweep_at: Timestamp,
        /// The MLS that is owed for it, and when that is due.
        answer: (&'a MlsOutboundRecord, Option<Due>),
        /// The tax report about it.
        tax_report: Option<&'a NewTaxReport>,
    },
    /// A status message and its effects; `None` when the message is not a valid status message.
    Status(Option<(&'a StatusRecord, Option<Settling<'a>>)>),
}

/// The exchange that a status message ends.
#[derive(Debug)]
pub enum Settling<'a> {
    /// The exchange of a document.
    Document(Box<SettledDocument<'a>>),
    /// The exchange of a report to the tax authority.
    TaxReport(Box<tax_reports::SettledTaxReport<'a>>),
}

impl Store {
    /// Claims a message for the lease in `new`, unless another message prevents it.
    pub async fn claim_message(
        &self,
        mode: Mode,
        new: MessageRecord,
        now: Timestamp,
    ) -> Result<MessageClaim, StoreError> {
        let Some(own) = new.lease.clone() else {
            return Err(StoreError::Corrupt("a claim without a lease".into()));
        };
        let (hash, key) = (new.hash(), Key::inbound(mode, &new.hash()));
        let id_key = Key::as4_message_id(mode, &new.sender, &new.as4_message_id);
        let current = self.standing(&key, &id_key).await?;
        let (condition, new) = match standing_claim(&current, &new, now) {
            Standing::InTheWay(claim) => return Ok(claim),
            Standing::Free => (absent(), new),
            Standing::Abandoned(abandoned) => (
                leased_by(abandoned)
                    .and("#status = :claimed")
                    .name("#status", "status")
                    .text(":claimed", MessageStatus::Claimed.as_str()),
                new.named_like(abandoned),
            ),
        };
        let writes = vec![
            Write::Put { item: to_item(key.clone(), &new)?, condition },
            Write::Put {
                item: to_item(id_key.clone(), &MessageId { instance_of: hash.clone() })?,
                condition: Expression::new("attribute_not_exists(pk) OR instance_of = :hash")
                    .text(":hash", hash.as_str()),
            },
        ];
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(MessageClaim::Taken(Box::new(new)));
        }
        let current = self.standing(&key, &id_key).await?;
        // A repeated attempt of the SDK meets its own write.
        if current.1.as_ref().is_some_and(|current| current.lease.as_ref() == Some(&own)) {
            return Ok(MessageClaim::Taken(Box::new(new)));
        }
        match (written, standing_claim(&current, &new, now)) {
            (_, Standing::InTheWay(claim)) => Ok(claim),
            // The write is not applied yet, but still may be.
            (Err(error), _) => Err(error),
            (Ok(_), _) => Ok(MessageClaim::Held),
        }
    }

    async fn standing(
        &self,
        key: &Key,
        id_key: &Key,
    ) -> Result<(Option<MessageId>, Option<MessageRecord>), StoreError> {
        let mut found = self.get_many([key.clone(), id_key.clone()]).await?;
        Ok((
            found.remove(id_key).map(from_item).transpose()?,
            found.remove(key).map(from_item).transpose()?,
        ))
    }

    /// Ends a claim: the message is stored with its envelope and our receipt, is counted as an exchange, and is due for
    /// validation.
    pub async fn record_message(
        &self,
        mode: Mode,
        claimed: &MessageRecord,
        [message, envelope, receipt]: [&Payload; 3],
        exchange: &CountedExchange,
        due: Due,
    ) -> Result<Recorded, StoreError> {
        let key = Key::inbound(mode, &claimed.hash());
        let update = Update::new()
            .set("status", &MessageStatus::Received)?
            .set("message", message)?
            .set("envelope", envelope)?
            .set("receipt", receipt)?
            .remove("lease");
        let update = due_update(update, mode, &key, Some(due))?.build();
        let condition = leased_by(claimed);
        let ended = Write::Update { key: key.clone(), update, condition };
        let written = self.transact(vec![ended, exchange_counts::count(exchange)?]).await;
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let current: Option<MessageRecord> = self.get(key).await?;
        match current {
            // The message is stored, by this write or another.
            Some(current) if current.status != MessageStatus::Claimed => Ok(Recorded::Done),
            // The write is not applied yet, but still may be.
            Some(current) if current.lease == claimed.lease => match written {
                Err(error) => Err(error),
                Ok(_) => Ok(Recorded::Lost),
            },
            _ => Ok(Recorded::Lost),
        }
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
        let hash = leased.hash();
        let update = Update::new().set("status", &MessageStatus::Validated)?;
        let (mut writes, mut left) = (Vec::new(), None);
        match validated {
            ValidatedMessage::Document {
                document,
                events,
                sweep_at,
                answer: (answer, due),
                tax_report,
            } => {
                writes.extend(new_document(mode, document, None)?);
                writes.push(mls_outbound::owe(mode, answer, due)?);
                writes.extend(tax_report.map(tax_reports::make).transpose()?.into_iter().flatten());
                for event in events {
                    writes.push(events::write(event, sweep_at)?);
                }
            }
            ValidatedMessage::Status(Some((status, settled))) => {
                let about = EnvelopeHash::of(&status.ref_to);
                let item = to_item(Key::status_message(mode, &about, &hash), status)?;
                writes.push(Write::Put { item, condition: absent() });
                match settled {
                    Some(Settling::Document(settled)) => {
                        let (settling, pointer) = statuses::settle(mode, *settled)?;
                        writes.extend(settling);
                        left = pointer;
                    }
                    Some(Settling::TaxReport(settled)) => {
                        let (settling, pointer) = tax_reports::settle(*settled)?;
                        writes.extend(settling);
                        left = pointer;
                    }
                    None => {}
                }
            }
            ValidatedMessage::Status(None) => {}
        }
        let is_ended = |current: &MessageRecord| current.status == MessageStatus::Validated;
        let recorded = self.end_lease(mode, leased, (update, None), writes, is_ended).await?;
        if let (Recorded::Done, Some(left)) = (recorded, left) {
            self.remove_pointer(left).await;
        }
        Ok(recorded)
    }
}

leased!(MessageRecord, |it, mode| Key::inbound(mode, &it.hash()));

/// What is stored where a message would be claimed.
enum Standing<'a> {
    InTheWay(MessageClaim),
    Free,
    /// The claim of a worker that died. Nothing of it was confirmed to the sender.
    Abandoned(&'a MessageRecord),
}

fn standing_claim<'a>(
    (message_id, message): &'a (Option<MessageId>, Option<MessageRecord>),
    new: &MessageRecord,
    now: Timestamp,
) -> Standing<'a> {
    if message_id.as_ref().is_some_and(|current| current.instance_of != new.hash()) {
        return Standing::InTheWay(MessageClaim::MessageIdUsed);
    }
    let Some(current) = message else { return Standing::Free };
    if current.status == MessageStatus::Claimed {
        let held = current.lease.as_ref().is_some_and(|lease| now < lease.until);
        return if held {
            Standing::InTheWay(MessageClaim::Held)
        } else {
            Standing::Abandoned(current)
        };
    }
    // A receipt confirms exactly these bytes, so it is valid only for the stored message.
    let same = current.sender == new.sender && current.content_sha256 == new.content_sha256;
    Standing::InTheWay(if same { MessageClaim::Stored } else { MessageClaim::InstanceIdUsed })
}

impl MessageRecord {
    /// This record with the names of an abandoned attempt, so that the payloads of that attempt are found again.
    fn named_like(self, abandoned: &MessageRecord) -> Self {
        if self.recipient != abandoned.recipient {
            return self;
        }
        let MessageRecord { addressee, received_at, .. } = abandoned;
        MessageRecord { addressee: addressee.clone(), received_at: *received_at, ..self }
    }
}
