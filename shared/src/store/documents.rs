//! Documents: one transaction makes one, with everything that it brings about; afterwards its
//! state moves forward under version conditions.

use jiff::Timestamp;

use super::{
    DocumentRecord, Due, EventRecord, Reservation, Store, StoreError,
    dynamo::{Expression, Write, Written, absent, from_item, to_item},
    events,
    keys::Key,
    pointers::pointer_writes,
    relaying::mark,
};
use crate::types::{DocumentId, Mode, TaxpayerId};

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
    /// Where it must go next; none when it is there.
    pub due: Option<Due>,
    /// The reservation, and the response to save under it.
    pub reservation: Option<(&'a Reservation, SavedReply<'a>)>,
    /// What it brings about beside itself.
    pub effects: Effects<'a>,
}

/// What a change of a document brings about.
#[derive(Debug, Clone, Copy)]
pub struct Effects<'a> {
    /// Events, of the sender and of the recipient.
    pub events: &'a [EventRecord],
    /// The inbound document of a recipient who is a taxpayer here.
    pub inbound: Option<&'a DocumentRecord>,
    /// When the sweeper takes up events that the relay has not.
    pub sweep_at: Timestamp,
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// All of it is written.
    Done,
    /// None of it: the reservation or the document's version was no longer the one expected.
    Lost,
}

impl Store {
    /// Several documents of a taxpayer, in one read; those that are not there are left out.
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

    /// Records a send: the document, its pointers, the saved response, the events and the
    /// recipient's inbound document, in one transaction. An unknown outcome is read back: each
    /// attempt has a document identifier of its own.
    pub async fn record_document(&self, submission: Recording<'_>) -> Result<Recorded, StoreError> {
        let Recording { mode, document, due, reservation, effects } = submission;
        let mut writes = new_document(mode, document, due)?;
        if let Some((reservation, reply)) = reservation {
            writes.push(reservation.save(reply.status, reply.body.to_owned())?);
        }
        writes.extend(effect_writes(mode, effects)?);
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let stands = self.get_document(mode, &document.taxpayer_id, &document.document_id).await;
        match (written, stands) {
            (_, Ok(Some(_))) => Ok(Recorded::Done),
            (Ok(_), Ok(None)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }

    /// Moves a document on: `new` takes the place of `read` if that version still stands there,
    /// together with what the change brings about. An unknown outcome is read back.
    pub async fn advance_document(
        &self,
        mode: Mode,
        read: &DocumentRecord,
        new: &DocumentRecord,
        due: Option<Due>,
        effects: Option<Effects<'_>>,
    ) -> Result<Recorded, StoreError> {
        let key = Key::document(mode, &new.taxpayer_id, &new.document_id);
        let mut item = to_item(key.clone(), new)?;
        // As it will be read back: instants have milliseconds there.
        let new: DocumentRecord = from_item(item.clone())?;
        if let Some(due) = due {
            mark(&mut item, mode, &key, due);
        }
        let condition = Expression::new("version = :version").number(":version", read.version);
        let put = Write::Put { item, condition };
        let mut beside = pointer_writes(mode, Some(read), &new)?;
        if let Some(effects) = effects {
            beside.extend(effect_writes(mode, effects)?);
        }
        let written = if beside.is_empty() {
            self.write(put).await
        } else {
            beside.insert(0, put);
            self.transact(beside).await
        };
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let stands = self.get::<DocumentRecord>(key).await;
        match (written, stands) {
            (_, Ok(Some(stands))) if stands == new => Ok(Recorded::Done),
            (Ok(_), Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            // Another version stands there: this one's condition can no longer hold.
            (Err(_), Ok(Some(stands))) if stands.version != read.version => Ok(Recorded::Lost),
            (Err(error), _) => Err(error),
        }
    }
}

/// The writes that make a document and its pointers.
fn new_document(
    mode: Mode,
    document: &DocumentRecord,
    due: Option<Due>,
) -> Result<Vec<Write>, StoreError> {
    let key = Key::document(mode, &document.taxpayer_id, &document.document_id);
    let mut item = to_item(key.clone(), document)?;
    if let Some(due) = due {
        mark(&mut item, mode, &key, due);
    }
    let mut writes = vec![Write::Put { item, condition: absent() }];
    writes.extend(pointer_writes(mode, None, document)?);
    Ok(writes)
}

fn effect_writes(mode: Mode, effects: Effects<'_>) -> Result<Vec<Write>, StoreError> {
    let mut writes = match effects.inbound {
        None => Vec::new(),
        Some(inbound) => new_document(mode, inbound, None)?,
    };
    for event in effects.events {
        writes.push(events::write(event, effects.sweep_at)?);
    }
    Ok(writes)
}
