//! Organizations, taxpayers and the active grants on them.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError, audit,
    dynamo::{Expression, Item, Write, Written, absent, corrupt, from_item, to_item, unknown},
    emails::pointer_write,
    keys::Key,
    text::instant,
};
use crate::{
    access::{
        ApiKey, AuditRecord, Connection, Grant, GrantStatus, KeyHash, Organization, Scope,
        Taxpayer, TaxpayerStatus,
        oauth::{AccessToken, TokenFamily},
    },
    types::{GrantId, Mode, OrganizationId, ParticipantId, TaxpayerId},
};

/// The taxpayer behind a participant identifier: the fields that a delivery to it needs, so that it takes one read. It
/// is always written together with the taxpayer's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// Its participant identifier on the network.
    pub participant_id: ParticipantId,
    /// The state of its onboarding.
    pub status: TaxpayerStatus,
}

/// The active grants on a taxpayer, of every organization, in one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// The active grants.
    pub grants: Vec<Grant>,
    /// Counts the changes; 0 before the first grant.
    pub version: u64,
    /// When each active grant was last used, to the hour, as far as it was noted. It is an attribute of its own: a
    /// change of a grant does not touch it, and it does not count as a change.
    pub used: BTreeMap<GrantId, Timestamp>,
    /// For what each grant was used then. It is a separate attribute, because older versions read and write only
    /// `used`.
    pub used_for: BTreeMap<GrantId, Scope>,
}

/// The write that adds an active grant to a taxpayer's access, or removes an ended one. It is in the transaction of
/// every write of a grant. Each grant has its own attribute. The version must be as it was read, so that conclusions
/// from all grants are correct.
pub(super) fn access_write(grant: &Grant, read: u64) -> Result<Write, StoreError> {
    let key = Key::access(grant.mode, &grant.taxpayer_id);
    let update = match grant.status {
        GrantStatus::Active => Expression::new("SET #grant = :grant, version = :next")
            .value(":grant", serde_dynamo::to_attribute_value(grant).map_err(corrupt)?),
        GrantStatus::Revoked | GrantStatus::Unknown => {
            Expression::new("SET version = :next REMOVE #grant")
        }
    };
    let update = update.name("#grant", grant.grant_id.as_str()).number(":next", read + 1);
    Ok(Write::Update { key, update, condition: access_as_read(read) })
}

/// The condition that an access item has the version that was read.
pub(super) fn access_as_read(version: u64) -> Expression {
    match version {
        0 => Expression::new("attribute_not_exists(version)"),
        version => Expression::new("version = :read").number(":read", version),
    }
}

/// Parses an access item. There is none before the first grant.
pub(super) fn access_of(item: Option<Item>) -> Result<Access, StoreError> {
    let Some(mut item) = item else { return Ok(Access::default()) };
    let version = match item.remove("version") {
        Some(version) => serde_dynamo::from_attribute_value(version).map_err(corrupt)?,
        None => 0,
    };
    // A note that cannot be read is ignored, so that no request fails because of it.
    let used = item.remove(USED).and_then(|used| serde_dynamo::from_attribute_value(used).ok());
    let mut used: BTreeMap<GrantId, Timestamp> = used.unwrap_or_default();
    let used_for = item.remove(USED_FOR);
    let used_for = used_for.and_then(|it| serde_dynamo::from_attribute_value(it).ok());
    let mut used_for: BTreeMap<GrantId, Scope> = used_for.unwrap_or_default();
    let grants = grants_of(item)?;
    // Notes of ended grants are removed by the next note.
    let exists = |id: &GrantId| grants.iter().any(|grant| grant.grant_id == *id);
    used.retain(|id, _| exists(id));
    used_for.retain(|id, scope| exists(id) && *scope != Scope::Unknown);
    Ok(Access { grants, version, used, used_for })
}

/// The attributes of an access item with the last use of each grant and its purpose. An IAM role names them too.
const USED: &str = "used";
const USED_FOR: &str = "used_for";

/// The grants in an access item.
pub(super) fn grants_of(item: Item) -> Result<Vec<Grant>, StoreError> {
    let grants = item.into_iter().filter(|(name, _)| name.starts_with(GrantId::PREFIX));
    grants.map(|(_, grant)| serde_dynamo::from_attribute_value(grant).map_err(corrupt)).collect()
}

impl Store {
    /// Creates an organization with its audit entry. Returns `false` when the identifier is taken.
    pub async fn create_organization(
        &self,
        record: &Organization,
        entry: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let key = Key::organization(record.mode, &record.organization_id);
        let item = to_item(key.clone(), record)?;
        let writes = vec![Write::Put { item, condition: absent() }, audit::write(entry)?];
        self.created(self.transact(writes).await, key, record).await
    }

    /// An organization.
    pub async fn get_organization(
        &self,
        mode: Mode,
        id: &OrganizationId,
    ) -> Result<Option<Organization>, StoreError> {
        self.get(Key::organization(mode, id)).await
    }

    /// Organizations in no particular order. Missing ones are left out.
    pub async fn get_organizations(
        &self,
        mode: Mode,
        ids: &[OrganizationId],
    ) -> Result<Vec<Organization>, StoreError> {
        let keys: Vec<_> = ids.iter().map(|id| Key::organization(mode, id)).collect();
        self.get_many(keys).await?.into_values().map(from_item).collect()
    }

    /// Creates a taxpayer with its participant identifier and its e-mail address. Returns `false` when the identifier
    /// is taken, or the participant identifier belongs to another taxpayer of the same mode.
    pub async fn create_taxpayer(&self, record: &Taxpayer) -> Result<bool, StoreError> {
        self.create_taxpayer_with(record, &[]).await
    }

    /// Creates a taxpayer as [`Store::create_taxpayer`] does, with the first entries of its audit trail.
    pub async fn create_taxpayer_with(
        &self,
        record: &Taxpayer,
        entries: &[AuditRecord],
    ) -> Result<bool, StoreError> {
        let profile = Key::taxpayer(record.mode, &record.taxpayer_id);
        let participant = Key::participant(record.mode, &record.participant_id);
        let pointer = Recipient {
            taxpayer_id: record.taxpayer_id.clone(),
            participant_id: record.participant_id.clone(),
            status: record.status,
        };
        let mut writes = vec![
            Write::Put { item: to_item(profile.clone(), record)?, condition: absent() },
            Write::Put { item: to_item(participant, &pointer)?, condition: absent() },
        ];
        if let Some(email) = &record.email {
            writes.push(pointer_write(record.mode, email, &record.taxpayer_id)?);
        }
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        self.created(self.transact(writes).await, profile, record).await
    }

    /// A taxpayer.
    pub async fn get_taxpayer(
        &self,
        mode: Mode,
        id: &TaxpayerId,
    ) -> Result<Option<Taxpayer>, StoreError> {
        self.get(Key::taxpayer(mode, id)).await
    }

    /// A taxpayer by an eventually consistent read, at half the cost. For the stages of a document, which read it after
    /// the send did.
    pub async fn get_taxpayer_lately(
        &self,
        mode: Mode,
        id: &TaxpayerId,
    ) -> Result<Option<Taxpayer>, StoreError> {
        match self.get_lately(Key::taxpayer(mode, id)).await? {
            Some(taxpayer) => Ok(Some(taxpayer)),
            None => self.get_taxpayer(mode, id).await,
        }
    }

    /// The taxpayer behind a participant identifier, in any state of onboarding.
    pub async fn find_participant(
        &self,
        mode: Mode,
        id: &ParticipantId,
    ) -> Result<Option<Recipient>, StoreError> {
        self.get(Key::participant(mode, id)).await
    }

    /// The active grants on a taxpayer, of every organization, in one item.
    pub async fn list_active_grants(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Vec<Grant>, StoreError> {
        Ok(self.get_access(mode, taxpayer_id).await?.grants)
    }

    /// The active grants on a taxpayer, with the last use of each.
    pub async fn get_access(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Access, StoreError> {
        access_of(self.get_item(Key::access(mode, taxpayer_id)).await?)
    }

    /// Notes when and for what the grants on a taxpayer were used. The write is conditional on one grant's last note,
    /// so the first of several concurrent requests of that grant writes. A concurrent note of another grant may be
    /// lost, and is noted by its next request.
    pub async fn note_grants_use(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        (grant_id, read): (&GrantId, Option<Timestamp>),
        used: &BTreeMap<GrantId, Timestamp>,
        used_for: &BTreeMap<GrantId, Scope>,
    ) -> Result<(), StoreError> {
        let used: HashMap<_, _> =
            used.iter().map(|(id, at)| (id.to_string(), AttributeValue::S(instant(*at)))).collect();
        let scope = |scope: &Scope| AttributeValue::S(scope.as_str().to_owned());
        let used_for: HashMap<_, _> =
            used_for.iter().map(|(id, it)| (id.to_string(), scope(it))).collect();
        let update = Expression::new("SET #used = :used, #used_for = :used_for")
            .name("#used", USED)
            .name("#used_for", USED_FOR)
            .value(":used", AttributeValue::M(used))
            .value(":used_for", AttributeValue::M(used_for));
        let condition = Expression::new("attribute_exists(pk)").name("#grant", grant_id.as_str());
        let condition = match read {
            None => condition.and("attribute_not_exists(#used.#grant)"),
            Some(read) => condition.and("#used.#grant = :read").text(":read", instant(read)),
        };
        let key = Key::access(mode, taxpayer_id);
        let _: Written = self.write(Write::Update { key, update, condition }).await?;
        Ok(())
    }

    /// Everything that the decision about a request needs, in one read: the key's record, and the taxpayer with its
    /// active grants if the request names one.
    pub async fn get_known(
        &self,
        mode: Mode,
        hash: &KeyHash,
        taxpayer_id: Option<&TaxpayerId>,
    ) -> Result<(Option<ApiKey>, Option<Taxpayer>, Access), StoreError> {
        let key = Key::api_key(mode, hash);
        let taxpayer = taxpayer_id.map(|id| Key::taxpayer(mode, id));
        let access = taxpayer_id.map(|id| Key::access(mode, id));
        let wanted = [Some(&key), taxpayer.as_ref(), access.as_ref()];
        let mut found = self.get_many(wanted.into_iter().flatten().cloned()).await?;
        Ok((
            found.remove(&key).map(from_item).transpose()?,
            taxpayer.and_then(|key| found.remove(&key)).map(from_item).transpose()?,
            access_of(access.and_then(|key| found.remove(&key)))?,
        ))
    }

    /// Everything that the decision about a request needs besides its access token, in one read: the token family, the
    /// taxpayer, and the active grants on it.
    pub async fn get_known_of_token(
        &self,
        token: &AccessToken,
    ) -> Result<(Option<TokenFamily>, Option<Taxpayer>, Access), StoreError> {
        let AccessToken { mode, taxpayer_id, family_id, .. } = token;
        let family = Key::token_family(*mode, taxpayer_id, family_id);
        let taxpayer = Key::taxpayer(*mode, taxpayer_id);
        let access = Key::access(*mode, taxpayer_id);
        let mut found = self.get_many([family.clone(), taxpayer.clone(), access.clone()]).await?;
        Ok((
            found.remove(&family).map(from_item).transpose()?,
            found.remove(&taxpayer).map(from_item).transpose()?,
            access_of(found.remove(&access))?,
        ))
    }

    /// Taxpayers in the order of `ids`, each with its active grants of every organization and the connection of one
    /// organization. Missing ones are left out. Three items of each are read.
    pub async fn get_taxpayers(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        ids: &[TaxpayerId],
    ) -> Result<Vec<(Taxpayer, Access, Option<Connection>)>, StoreError> {
        let places = |id| {
            let connection = Key::connection(mode, organization_id, id);
            [Key::taxpayer(mode, id), Key::access(mode, id), connection]
        };
        let mut found = self.get_many(ids.iter().flat_map(places)).await?;
        let mut taxpayers = Vec::with_capacity(ids.len());
        for id in ids {
            let Some(taxpayer) = found.remove(&Key::taxpayer(mode, id)) else { continue };
            let access = found.remove(&Key::access(mode, id));
            let connection = found.remove(&Key::connection(mode, organization_id, id));
            taxpayers.push((
                from_item(taxpayer)?,
                access_of(access)?,
                connection.map(from_item).transpose()?,
            ));
        }
        Ok(taxpayers)
    }

    /// Taxpayers without their grants, in the order of `ids`. Missing ones are left out.
    pub async fn get_taxpayers_alone(
        &self,
        mode: Mode,
        ids: &[TaxpayerId],
    ) -> Result<Vec<Taxpayer>, StoreError> {
        let mut found = self.get_many(ids.iter().map(|id| Key::taxpayer(mode, id))).await?;
        let items = ids.iter().filter_map(|id| found.remove(&Key::taxpayer(mode, id)));
        items.map(from_item).collect()
    }

    /// Whether a record is stored as it was to be created. A repeated attempt meets its own write.
    pub(super) async fn created<T>(
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
            Some(current) => Ok(current == *record),
            None if unsure => Err(unknown("the record was not confirmed")),
            None => Ok(false),
        }
    }
}

/// The writes that note in every copy of a grant when its tokens were ended. They fail when the grant is no longer
/// active.
pub(super) fn tokens_ended(grant: &Grant, at: Timestamp) -> Result<Vec<Write>, StoreError> {
    let Grant { mode, taxpayer_id, organization_id, grant_id, .. } = grant;
    let value: aws_sdk_dynamodb::types::AttributeValue =
        serde_dynamo::to_attribute_value(at).map_err(corrupt)?;
    let kept = |key| Write::Update {
        key,
        update: Expression::new("SET tokens_ended_at = :at").value(":at", value.clone()),
        condition: Expression::new("#status = :active")
            .name("#status", "status")
            .text(":active", "active"),
    };
    let access = Write::Update {
        key: Key::access(*mode, taxpayer_id),
        update: Expression::new("SET #grant.tokens_ended_at = :at").value(":at", value.clone()),
        condition: Expression::new("attribute_exists(#grant)").name("#grant", grant_id.as_str()),
    };
    Ok(vec![
        kept(Key::grant(*mode, taxpayer_id, grant_id)),
        kept(Key::grant_mirror(*mode, organization_id, grant_id)),
        access,
    ])
}
