//! Changes of a taxpayer's settings, status and details, and of an organization's metadata about it. Each is one
//! transaction with its events, mails and audit entries.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{
    Access, EventRecord, MailRecord, Recorded, Store, StoreError, TaxpayerSettings, audit,
    dynamo::{Expression, Update, Write, Written, absent, from_item},
    events,
    grants::{access_as_read, access_of},
    keys::Key,
    mails,
    profiles::{self, status_as_read},
    text::instant,
};
use crate::{
    access::{AuditRecord, Connection, Taxpayer},
    types::{Mode, OrganizationId, TaxpayerId},
};

/// A taxpayer with everything that a change needs, read at once.
#[derive(Debug, Clone)]
pub struct TaxpayerState {
    /// The taxpayer.
    pub taxpayer: Taxpayer,
    /// The active grants on it.
    pub access: Access,
    /// Its settings.
    pub settings: TaxpayerSettings,
    /// The connection of the named organization; `None` if there never was a grant.
    pub connection: Option<Connection>,
}

/// The items of a change, each in its new state.
#[derive(Debug, Clone, Default)]
pub struct TaxpayerWrites<'a> {
    /// The connection with new metadata.
    pub connection: Option<&'a Connection>,
    /// The settings.
    pub settings: Option<&'a TaxpayerSettings>,
    /// The taxpayer with a new status or new details.
    pub taxpayer: Option<&'a Taxpayer>,
}

/// A change with all its effects.
#[derive(Debug, Clone)]
pub struct TaxpayerChanged<'a> {
    /// The state that was read.
    pub read: &'a TaxpayerState,
    /// The items that change.
    pub writes: TaxpayerWrites<'a>,
    /// The events about it.
    pub events: &'a [EventRecord],
    /// When the sweeper claims the mails.
    pub sweep_at: Timestamp,
    /// The audit entries.
    pub entries: &'a [AuditRecord],
    /// The mails to the taxpayer.
    pub mails: &'a [MailRecord],
}

impl Store {
    /// A taxpayer's settings by an eventually consistent read, at half the cost. For sends.
    pub async fn get_settings_lately(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<TaxpayerSettings, StoreError> {
        Ok(self.get_lately(Key::settings(mode, taxpayer_id)).await?.unwrap_or_default())
    }

    /// A taxpayer with everything that a change needs, in one read.
    pub async fn get_taxpayer_state(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        organization_id: Option<&OrganizationId>,
    ) -> Result<Option<TaxpayerState>, StoreError> {
        let profile = Key::taxpayer(mode, taxpayer_id);
        let access = Key::access(mode, taxpayer_id);
        let settings = Key::settings(mode, taxpayer_id);
        let connection = organization_id.map(|id| Key::connection(mode, id, taxpayer_id));
        let wanted = [Some(&profile), Some(&access), Some(&settings), connection.as_ref()];
        let mut found = self.get_many(wanted.into_iter().flatten().cloned()).await?;
        let Some(taxpayer) = found.remove(&profile) else { return Ok(None) };
        let connection = connection.and_then(|key| found.remove(&key));
        Ok(Some(TaxpayerState {
            taxpayer: from_item(taxpayer)?,
            access: access_of(found.remove(&access))?,
            settings: found.remove(&settings).map(from_item).transpose()?.unwrap_or_default(),
            connection: connection.map(from_item).transpose()?,
        }))
    }

    /// The metadata of connected organizations about a taxpayer.
    pub async fn get_metadata(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        organizations: &[OrganizationId],
    ) -> Result<BTreeMap<OrganizationId, BTreeMap<String, String>>, StoreError> {
        let keys = organizations.iter().map(|id| Key::connection(mode, id, taxpayer_id));
        let found = self.get_many(keys).await?.into_values();
        let connections = found.map(from_item::<Connection>).collect::<Result<Vec<_>, _>>()?;
        Ok(connections.into_iter().map(|it| (it.organization_id, it.metadata)).collect())
    }

    /// Changes a taxpayer if nothing has changed since it was read, so that the events are correct and reach the right
    /// organizations. `Lost` when something has changed, or the outcome is unknown: the caller reads again.
    pub async fn change_taxpayer(
        &self,
        change: TaxpayerChanged<'_>,
    ) -> Result<Recorded, StoreError> {
        let TaxpayerChanged { read, writes, events: published, sweep_at, entries, mails: letters } =
            change;
        let mut all = match writes.taxpayer {
            Some(taxpayer) => profiles::writes(&read.taxpayer, taxpayer)?,
            None => vec![status_as_read(&read.taxpayer)?],
        };
        all.push(match writes.settings {
            Some(settings) => settings_write(&read.taxpayer, &read.settings, settings)?,
            None => settings_check(&read.taxpayer, &read.settings),
        });
        if let Some(connection) = writes.connection {
            all.push(metadata_write(connection, read.connection.as_ref())?);
        }
        // The event goes to the organizations with a grant, so the grants must be as they were read.
        if writes.taxpayer.is_some() || writes.settings.is_some() {
            let key = Key::access(read.taxpayer.mode, &read.taxpayer.taxpayer_id);
            all.push(Write::Check { key, condition: access_as_read(read.access.version) });
        }
        for event in published {
            all.push(events::write(event)?);
        }
        for entry in entries {
            all.push(audit::write(entry)?);
        }
        for mail in letters {
            all.push(mails::write(mail, sweep_at)?);
        }
        match self.transact(all).await? {
            Written::Done => Ok(Recorded::Done),
            Written::Refused(_) => Ok(Recorded::Lost),
        }
    }
}

/// The condition that a taxpayer's settings are as they were read.
pub(super) fn settings_check(taxpayer: &Taxpayer, read: &TaxpayerSettings) -> Write {
    let key = Key::settings(taxpayer.mode, &taxpayer.taxpayer_id);
    Write::Check { key, condition: settings_as_read(read) }
}

fn settings_as_read(read: &TaxpayerSettings) -> Expression {
    match read.version {
        0 => absent(),
        version => Expression::new("version = :read").number(":read", version),
    }
}

fn settings_write(
    taxpayer: &Taxpayer,
    read: &TaxpayerSettings,
    settings: &TaxpayerSettings,
) -> Result<Write, StoreError> {
    let key = Key::settings(taxpayer.mode, &taxpayer.taxpayer_id);
    let update = Update::new().set("language", &settings.language)?;
    let update = match &settings.mls_to {
        Some(spid) => update.set("mls_to", spid)?,
        None => update.remove("mls_to"),
    };
    let update = match &settings.notification_email {
        Some(email) => update.set("notification_email", email)?,
        None => update.remove("notification_email"),
    };
    let update = update
        .set("version", &settings.version)?
        .set("updated_at", &settings.updated_at.map(instant))?;
    let condition = settings_as_read(read);
    Ok(Write::Update { key, update: update.build(), condition })
}

fn metadata_write(connection: &Connection, read: Option<&Connection>) -> Result<Write, StoreError> {
    let Connection { mode, organization_id, taxpayer_id, metadata, version, updated_at, .. } =
        connection;
    let read = read.ok_or_else(|| StoreError::Corrupt("metadata without a connection".into()))?;
    let update = Update::new()
        .set("metadata", metadata)?
        .set("version", version)?
        .set("updated_at", &instant(*updated_at))?;
    Ok(Write::Update {
        key: Key::connection(*mode, organization_id, taxpayer_id),
        update: update.build(),
        condition: Expression::new("version = :read").number(":read", read.version),
    })
}
