//! Registrations of taxpayers in registers, and business cards. A wanted registration is written with a version. The
//! worker that updates the register writes only under its lease, and has lost when another registration is wanted
//! meanwhile.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;

use super::{
    BusinessCardRecord, Due, Recorded, Register, RegistrationRecord, RegistrationStatus, Store,
    StoreError,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item, unavailable},
    jobs::mark,
    keys::{self, Key},
    leases::leased,
    text::instant,
};
use crate::{
    access::Taxpayer,
    types::{Mode, TaxpayerId},
};

impl Store {
    /// The registration of a taxpayer in a register, if it ever had one.
    pub async fn get_registration(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        register: Register,
    ) -> Result<Option<RegistrationRecord>, StoreError> {
        self.get(Key::registration(mode, taxpayer_id, register)).await
    }

    /// Writes a wanted registration that has not changed since it was read, and optionally the business card. Returns
    /// the stored registration; `None` when another writer was first. A worker that has a lease on it loses the lease.
    pub async fn put_registration(
        &self,
        wanted: RegistrationRecord,
        due: Option<Due>,
        card: Option<&BusinessCardRecord>,
    ) -> Result<Option<RegistrationRecord>, StoreError> {
        let key = Key::registration(wanted.mode, &wanted.taxpayer_id, wanted.register);
        let version = wanted.version;
        let written = RegistrationRecord {
            version: version + 1,
            lease: None,
            tries: 0,
            parked: None,
            ..wanted
        };
        let mut item = to_item(key.clone(), &written)?;
        if let Some(due) = due {
            mark(&mut item, written.mode, &key, due);
        }
        let condition = match version {
            0 => absent(),
            version => Expression::new("version = :version").number(":version", version),
        };
        let mut writes = vec![Write::Put { item, condition }];
        if let Some(card) = card {
            writes.push(card_write(written.mode, card)?);
        }
        let current = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(Some(written)),
            Ok(Written::Refused(_)) => self.get::<RegistrationRecord>(key).await?,
            Err(StoreError::Unknown(error)) => {
                let current = self.get::<RegistrationRecord>(key).await?;
                // The write is not applied yet, but still may be.
                if current.as_ref().map_or(0, |current| current.version) == version {
                    return Err(StoreError::Unknown(error));
                }
                current
            }
            Err(error) => return Err(error),
        };
        // A repeated attempt of the SDK meets its own write. A concurrent writer that wanted the same succeeds too.
        Ok(current.filter(|current| is_what_was_wanted(current, &written)))
    }

    /// Ends a registration whose register was updated: its status is then `status`, if the lease is still its own. An
    /// unknown outcome is read back.
    pub async fn end_registration(
        &self,
        leased: &RegistrationRecord,
        status: RegistrationStatus,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let update =
            Update::new().set("status", &status)?.set("updated_at", &instant(now))?.remove("cause");
        // The migration key of another SMP is used up. Our own key must still be handed over.
        let update = match status {
            RegistrationStatus::Prepared => update,
            _ => update.remove("migration_key"),
        };
        let is_ended = |current: &RegistrationRecord| {
            current.version == leased.version && current.status == status
        };
        self.end_lease(leased.mode, leased, (update, None), Vec::new(), is_ended).await
    }

    /// A taxpayer's business card.
    pub async fn get_business_card(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Option<BusinessCardRecord>, StoreError> {
        self.get(Key::business_card(mode, taxpayer_id)).await
    }

    /// Writes a taxpayer's business card. The last write wins.
    pub async fn put_business_card(
        &self,
        mode: Mode,
        card: &BusinessCardRecord,
    ) -> Result<(), StoreError> {
        self.write(card_write(mode, card)?).await.map(drop)
    }

    /// Every taxpayer of a mode, by a scan of the whole table. For operators.
    pub async fn scan_taxpayers(&self, mode: Mode) -> Result<Vec<Taxpayer>, StoreError> {
        let begin = format!("{}#TAXPAYER#", mode.key());
        let scan = self
            .dynamo
            .scan()
            .table_name(&*self.table)
            .filter_expression("sk = :profile AND begins_with(pk, :begin)")
            .expression_attribute_values(":profile", AttributeValue::S(keys::PROFILE.to_owned()))
            .expression_attribute_values(":begin", AttributeValue::S(begin));
        let items = scan.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await;
        items.map_err(unavailable)?.into_iter().map(from_item).collect()
    }
}

/// Whether the stored registration is the written one, or the result of a worker's update since.
fn is_what_was_wanted(current: &RegistrationRecord, written: &RegistrationRecord) -> bool {
    let is_updated = Some(current.status) == written.status.after_update();
    current.version == written.version
        && current.services == written.services
        && (current.status == written.status || is_updated)
        && (current.migration_key == written.migration_key
            || (is_updated && current.migration_key.is_none()))
}

fn card_write(mode: Mode, card: &BusinessCardRecord) -> Result<Write, StoreError> {
    let item = to_item(Key::business_card(mode, &card.taxpayer_id), card)?;
    Ok(Write::Put { item, condition: Expression::default() })
}

leased!(RegistrationRecord, |it, _| Key::registration(it.mode, &it.taxpayer_id, it.register));
