//! Organizations, API keys, taxpayers and grants.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError, Subscription,
    dynamo::{Expression, Write, Written, absent, to_item, unknown},
    keys::{self, Key, Partition},
    text::instant,
};
use crate::{
    access::{ApiKey, Grant, KeyHash, Organization, Taxpayer},
    types::{Mode, OrganizationId, ParticipantId, TaxpayerId},
};

/// Who is behind a participant identifier.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Participant {
    taxpayer_id: TaxpayerId,
}

impl Store {
    /// Records an organization. `false` when there is one by that identifier.
    pub async fn create_organization(&self, record: &Organization) -> Result<bool, StoreError> {
        let partition = Partition::organization(record.mode, &record.organization_id);
        self.create(partition.item(keys::PROFILE), record).await
    }

    /// An organization.
    pub async fn get_organization(
        &self,
        mode: Mode,
        id: &OrganizationId,
    ) -> Result<Option<Organization>, StoreError> {
        self.get(Partition::organization(mode, id).item(keys::PROFILE)).await
    }

    /// An organization's subscription, without which it sends nothing in Live.
    pub async fn get_subscription(
        &self,
        mode: Mode,
        id: &OrganizationId,
    ) -> Result<Option<Subscription>, StoreError> {
        self.get(Partition::organization(mode, id).item(keys::SUBSCRIPTION)).await
    }

    /// Records an organization's subscription. `false` when it has one.
    pub async fn create_subscription(
        &self,
        mode: Mode,
        id: &OrganizationId,
        record: &Subscription,
    ) -> Result<bool, StoreError> {
        self.create(Partition::organization(mode, id).item(keys::SUBSCRIPTION), record).await
    }

    /// Records an API key. `false` when there is one by that hash.
    pub async fn create_api_key(&self, record: &ApiKey) -> Result<bool, StoreError> {
        let partition = Partition::api_key(record.mode, &record.hash);
        self.create(partition.item(keys::API_KEY), record).await
    }

    /// An API key, by its hash.
    pub async fn get_api_key(
        &self,
        mode: Mode,
        hash: &KeyHash,
    ) -> Result<Option<ApiKey>, StoreError> {
        self.get(Partition::api_key(mode, hash).item(keys::API_KEY)).await
    }

    /// Notes that a key was used. Of requests at once the first one writes.
    pub async fn note_key_use(&self, key: &ApiKey, now: Timestamp) -> Result<(), StoreError> {
        let update = Expression::new("SET last_used_at = :now").text(":now", instant(now));
        let condition = Expression::new("attribute_exists(pk)");
        let condition = match key.last_used_at {
            None => condition.and("attribute_not_exists(last_used_at)"),
            Some(used) => condition.and("last_used_at = :used").text(":used", instant(used)),
        };
        let key = Partition::api_key(key.mode, &key.hash).item(keys::API_KEY);
        let _: Written = self.write(Write::Update { key, update, condition }).await?;
        Ok(())
    }

    /// Records a taxpayer and its place on the network. `false` when the identifier is taken, or
    /// the participant identifier by another taxpayer of the same mode.
    pub async fn create_taxpayer(&self, record: &Taxpayer) -> Result<bool, StoreError> {
        let profile = Partition::taxpayer(record.mode, &record.taxpayer_id).item(keys::PROFILE);
        let participant = Partition::participant(record.mode, &record.participant_id)
            .item(keys::PARTICIPANT_TAXPAYER);
        let pointer = Participant { taxpayer_id: record.taxpayer_id.clone() };
        let writes = vec![
            Write::Put { item: to_item(profile.clone(), record)?, condition: absent() },
            Write::Put { item: to_item(participant, &pointer)?, condition: absent() },
        ];
        self.created(self.transact(writes).await, profile, record).await
    }

    /// A taxpayer.
    pub async fn get_taxpayer(
        &self,
        mode: Mode,
        id: &TaxpayerId,
    ) -> Result<Option<Taxpayer>, StoreError> {
        self.get(Partition::taxpayer(mode, id).item(keys::PROFILE)).await
    }

    /// The taxpayer behind a participant identifier, in any state of onboarding.
    pub async fn find_participant(
        &self,
        mode: Mode,
        id: &ParticipantId,
    ) -> Result<Option<TaxpayerId>, StoreError> {
        let key = Partition::participant(mode, id).item(keys::PARTICIPANT_TAXPAYER);
        Ok(self.get(key).await?.map(|found: Participant| found.taxpayer_id))
    }

    /// Records a grant, with the taxpayer and with the organization. `false` when there is one by
    /// that identifier.
    pub async fn create_grant(&self, record: &Grant) -> Result<bool, StoreError> {
        let taxpayer = Partition::taxpayer(record.mode, &record.taxpayer_id)
            .item(keys::grant(&record.organization_id, &record.grant_id));
        let mirror = Partition::organization(record.mode, &record.organization_id)
            .item(keys::grant_mirror(&record.grant_id));
        let writes = vec![
            Write::Put { item: to_item(taxpayer.clone(), record)?, condition: absent() },
            Write::Put { item: to_item(mirror, record)?, condition: absent() },
        ];
        self.created(self.transact(writes).await, taxpayer, record).await
    }

    /// The grants of an organization on a taxpayer, in any state.
    pub async fn list_grants_between(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        organization_id: &OrganizationId,
    ) -> Result<Vec<Grant>, StoreError> {
        let partition = Partition::taxpayer(mode, taxpayer_id);
        self.all(&partition, &keys::grants_of(organization_id)).await
    }

    /// Every grant on a taxpayer, in any state.
    pub async fn list_grants_on(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Vec<Grant>, StoreError> {
        self.all(&Partition::taxpayer(mode, taxpayer_id), keys::GRANT).await
    }

    /// Every grant of an organization, in any state.
    pub async fn list_grants_of(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<Vec<Grant>, StoreError> {
        self.all(&Partition::organization(mode, organization_id), keys::GRANT).await
    }

    /// Puts a record where none is.
    pub(super) async fn create<T>(&self, key: Key, record: &T) -> Result<bool, StoreError>
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq,
    {
        let item = to_item(key.clone(), record)?;
        let written = self.write(Write::Put { item, condition: absent() }).await;
        self.created(written, key, record).await
    }

    /// Whether a record stands where it was to be put: a repeated attempt meets its own write.
    async fn created<T>(
        &self,
        written: Result<Written, StoreError>,
        key: Key,
        record: &T,
    ) -> Result<bool, StoreError>
    where
        T: for<'de> Deserialize<'de> + PartialEq,
    {
        let unsure = match written {
            Ok(Written::Done) => return Ok(true),
            Ok(Written::Refused(_)) => false,
            Err(StoreError::Unknown(_)) => true,
            Err(error) => return Err(error),
        };
        match self.get::<T>(key).await? {
            Some(stands) => Ok(stands == *record),
            None if unsure => Err(unknown("the record was not confirmed")),
            None => Ok(false),
        }
    }
}
