//! Transmissions: one for each document, MLS and report that is sent to the network.

use super::{
    Carried, Due, Payload, PeppolReportId, Store, StoreError, TransmissionRecord,
    dynamo::{Expression, Update, Write, Written, absent, packed, to_item},
    jobs::{due_update, mark},
    keys::Key,
};
use crate::types::{DocumentId, Mode, ReportId, TaxpayerId};

impl Store {
    /// The transmission of a document, if it was begun.
    pub async fn get_transmission(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        let key = Key::transmission(mode, taxpayer_id, document_id);
        self.get_or_retired_in(mode, key, taxpayer_id, document_id).await
    }

    /// The transmission of an outbound MLS, if it was begun.
    pub async fn get_mls_transmission(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        let key = Key::mls_transmission(mode, document_id);
        self.get_or_retired_in(mode, key, taxpayer_id, document_id).await
    }

    /// The transmission of a tax report, if it was begun.
    pub async fn get_tax_report_transmission(
        &self,
        taxpayer_id: &TaxpayerId,
        report_id: &ReportId,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        let key = Key::tax_report_transmission(taxpayer_id, report_id);
        self.get_or_retired(key, taxpayer_id, &report_id.as_first_of()).await
    }

    /// The transmission of an OpenPeppol report, if it was begun.
    pub async fn get_peppol_report_transmission(
        &self,
        id: &PeppolReportId,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        self.get(Key::peppol_report_transmission(id)).await
    }

    async fn get_or_retired_in(
        &self,
        mode: Mode,
        key: Key,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        match mode {
            Mode::Live => self.get_or_retired(key, taxpayer_id, document_id).await,
            Mode::Sandbox => self.get(key).await,
        }
    }

    /// Writes a changed transmission if the stored one still has the version that was read. Returns the written
    /// transmission; `None` when another writer changed it.
    pub async fn put_transmission(
        &self,
        mode: Mode,
        changed: TransmissionRecord,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        self.put_transmission_with(mode, changed, Vec::new()).await
    }

    /// Writes the first transmission of a document that is recorded after it. An attempt that died before it recorded the
    /// document may have left one. It has lost its reservation to this attempt, so it records and sends nothing any more, and
    /// its transmission is replaced.
    pub(super) async fn put_first_transmission(
        &self,
        mode: Mode,
        first: &TransmissionRecord,
    ) -> Result<(), StoreError> {
        let Write::Put { item, condition } = put(mode, first)? else { return Ok(()) };
        let written = self.write(Write::Put { item: item.clone(), condition }).await?;
        if let Written::Refused(_) = written {
            self.write(Write::Put { item, condition: Expression::default() }).await?;
        }
        Ok(())
    }

    /// Writes the transmission of an attempt that has ended, before the change that the attempt makes: in the transaction
    /// of that change it would cost twice as much. If the worker dies in between, the next one finds the outcome, and
    /// sends nothing. Returns `false` when another writer changed the transmission.
    pub(super) async fn end_attempt(
        &self,
        mode: Mode,
        ended: Option<&TransmissionRecord>,
    ) -> Result<bool, StoreError> {
        let Some(ended) = ended else { return Ok(true) };
        Ok(self.put_transmission(mode, ended.clone()).await?.is_some())
    }

    /// Writes a transmission together with other writes in one transaction.
    pub(super) async fn put_transmission_with(
        &self,
        mode: Mode,
        changed: TransmissionRecord,
        others: Vec<Write>,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        let written = TransmissionRecord { version: changed.version + 1, ..changed.clone() };
        let key = key(mode, &changed.carries)?;
        let put = put(mode, &changed)?;
        let current = match self.transact(std::iter::once(put).chain(others).collect()).await {
            Ok(Written::Done) => return Ok(Some(written)),
            Ok(Written::Refused(_)) => self.get::<TransmissionRecord>(key).await?,
            Err(StoreError::Unknown(error)) => {
                let current = self.get::<TransmissionRecord>(key).await?;
                // The write is not applied yet, but still may be.
                if current.as_ref().map_or(0, |current| current.version) == changed.version {
                    return Err(StoreError::Unknown(error));
                }
                current
            }
            Err(error) => return Err(error),
        };
        // A repeated attempt of the SDK meets its own write.
        Ok(current.filter(|current| *current == written))
    }
}

fn key(mode: Mode, carries: &Carried) -> Result<Key, StoreError> {
    match carries {
        Carried::Document(of) => Ok(Key::transmission(mode, &of.taxpayer_id, &of.document_id)),
        Carried::Status(of) => Ok(Key::mls_transmission(mode, &of.document_id)),
        Carried::Report(of, id) => Ok(Key::tax_report_transmission(&of.taxpayer_id, id)),
        Carried::PeppolReport(id) => Ok(Key::peppol_report_transmission(id)),
        Carried::Unknown => Err(unknown()),
    }
}

/// The attributes of a transmission that are packed.
const PACKED: [&str; 6] =
    ["report_message_id", "envelope", "tax_data", "message", "receipt", "attempts"];

impl Store {
    /// Notes that the receipt of a transmission is in the bucket, and removes it from the table. Does nothing when that
    /// was noted before.
    pub async fn shelve_receipt(
        &self,
        mode: Mode,
        carries: &Carried,
        receipt: &Payload,
    ) -> Result<(), StoreError> {
        let key = key(mode, carries)?;
        let update = Update::new().set("receipt", receipt)?.remove("tries").remove("parked");
        let update = due_update(update, mode, &key, None)?.build();
        let condition = Expression::new("attribute_exists(due_pk)");
        self.write(Write::Update { key, update, condition }).await.map(drop)
    }
}

/// A transmission of a kind that only a newer version knows is left to that version.
pub(super) fn unknown() -> StoreError {
    StoreError::Unavailable("a transmission has a value of a newer version".into())
}

/// The write of a changed transmission, on the condition of the version that was read.
pub(super) fn put(mode: Mode, changed: &TransmissionRecord) -> Result<Write, StoreError> {
    let key = key(mode, &changed.carries)?;
    let written = TransmissionRecord { version: changed.version + 1, ..changed.clone() };
    let mut item = packed(to_item(key.clone(), &written)?, &PACKED)?;
    if let Some(due) = changed.receipt_due() {
        mark(&mut item, mode, &key, Due::watched(due));
    }
    let condition = match changed.version {
        0 => absent(),
        version => Expression::new("version = :version").number(":version", version),
    };
    Ok(Write::Put { item, condition })
}
