//! Taxpayers in registers, and their business cards. What is wanted is put with a version; whoever tells the
//! register writes under its lease alone, and has lost when something else is wanted meanwhile.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;

use super::{
    BusinessCardRecord, Due, Lease, Recorded, Register, RegistrationRecord, RegistrationStatus,
    Store, StoreError,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item, unavailable},
    jobs::{due_update, mark},
    keys::{self, Key},
    leases::{Leased, leased_by, takeable},
    text::instant,
};
use crate::{
    access::Taxpayer,
    types::{Mode, TaxpayerId},
};

impl Store {
    /// A taxpayer in a register, if it ever was.
    pub async fn get_registration(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        register: Register,
    ) -> Result<Option<RegistrationRecord>, StoreError> {
        self.get(Key::registration(mode, taxpayer_id, register)).await
    }

    /// Writes what is wanted of a registration from now on, if it is as it was read, and with it perhaps the card;
    /// gives it as it stands then, `None` when somebody else was first. Whoever is at work on it has lost it.
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
        let stands = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(Some(written)),
            Ok(Written::Refused(_)) => self.get::<RegistrationRecord>(key).await?,
            Err(StoreError::Unknown(error)) => {
                let stands = self.get::<RegistrationRecord>(key).await?;
                // Not applied so far, but it still may be.
                if stands.as_ref().map_or(0, |stands| stands.version) == version {
                    return Err(StoreError::Unknown(error));
                }
                stands
            }
            Err(error) => return Err(error),
        };
        // A repeated attempt of the SDK meets its own write; so does somebody who wanted the very same.
        Ok(stands.filter(|stands| is_what_was_wanted(stands, &written)))
    }

    /// Takes a registration to tell its register, as it was read. Counts the try. `None` when it has come on, was
    /// taken since, or is parked.
    pub async fn lease_registration(
        &self,
        read: &RegistrationRecord,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<RegistrationRecord>, StoreError> {
        let key = Key::registration(read.mode, &read.taxpayer_id, read.register);
        let update = Update::new().set("lease", &lease)?.add("tries", 1);
        // When this worker dies the sweeper sends it on its way again.
        let update = due_update(update, read.mode, &key, Some(Due::watched(lease.until)))?.build();
        let condition = takeable(read.status.as_str(), read.tries, now)
            .and("version = :version")
            .number(":version", read.version);
        let tries = read.tries + 1;
        let taken = RegistrationRecord { lease: Some(lease), tries, ..read.clone() };
        self.take(key, (update, condition), read, taken).await
    }

    /// Notes why a register could not be told, if the lease is still its own.
    pub async fn note_hindrance(
        &self,
        leased: &RegistrationRecord,
        cause: &str,
    ) -> Result<Recorded, StoreError> {
        let key = Key::registration(leased.mode, &leased.taxpayer_id, leased.register);
        let update = Update::new().set("cause", &cause)?.build();
        let condition = leased_by(leased);
        match self.write(Write::Update { key, update, condition }).await? {
            Written::Done => Ok(Recorded::Done),
            Written::Refused(_) => Ok(Recorded::Lost),
        }
    }

    /// The register was told: the registration is `told` from now on, if the lease is still its own. An unknown outcome
    /// is read back.
    pub async fn end_registration(
        &self,
        leased: &RegistrationRecord,
        told: RegistrationStatus,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let key = Key::registration(leased.mode, &leased.taxpayer_id, leased.register);
        let update = Update::new()
            .set("status", &told)?
            .set("updated_at", &instant(now))?
            .remove("lease")
            .remove("tries")
            .remove("cause");
        // Another SMP's key is used up; ours is still to be handed over.
        let update = match told {
            RegistrationStatus::Prepared => update,
            _ => update.remove("migration_key"),
        };
        let update = due_update(update, leased.mode, &key, None)?.build();
        let condition = leased_by(leased);
        let written = self.write(Write::Update { key: key.clone(), update, condition }).await;
        let is_ended =
            |stands: &RegistrationRecord| stands.version == leased.version && stands.status == told;
        self.ended(key, leased, written, is_ended).await
    }

    /// What a taxpayer shows of itself.
    pub async fn get_business_card(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Option<BusinessCardRecord>, StoreError> {
        self.get(Key::business_card(mode, taxpayer_id)).await
    }

    /// Writes what a taxpayer shows of itself. The last one stands.
    pub async fn put_business_card(
        &self,
        mode: Mode,
        card: &BusinessCardRecord,
    ) -> Result<(), StoreError> {
        self.write(card_write(mode, card)?).await.map(drop)
    }

    /// Every taxpayer of a mode, by a scan of the whole table: for who operates the service.
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

/// Whether what stands is what was written, or what a worker has made of it since.
fn is_what_was_wanted(stands: &RegistrationRecord, written: &RegistrationRecord) -> bool {
    let told = Some(stands.status) == written.status.told();
    stands.version == written.version
        && stands.services == written.services
        && (stands.status == written.status || told)
        && (stands.migration_key == written.migration_key
            || (told && stands.migration_key.is_none()))
}

fn card_write(mode: Mode, card: &BusinessCardRecord) -> Result<Write, StoreError> {
    let item = to_item(Key::business_card(mode, &card.taxpayer_id), card)?;
    Ok(Write::Put { item, condition: Expression::default() })
}

impl Leased for RegistrationRecord {
    fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }
}
