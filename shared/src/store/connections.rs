//! Creation and revocation of grants. Each is one transaction with the grant's copy, the taxpayer's access, the
//! connection that counts it, and the event.

use jiff::Timestamp;

use super::{
    EventRecord, MailRecord, Recorded, SeatChange, Store, StoreError, TaxpayerState, audit,
    dynamo::{Expression, Write, Written, absent, to_item},
    events,
    grants::access_write,
    keys::Key,
    mails,
    oauth::decision_write,
    profiles::status_as_read,
    seats::seat_writes,
    taxpayer_changes::settings_check,
    text::instant,
};
use crate::{
    access::{
        AuditRecord, Connection, Grant, GrantStatus,
        oauth::{AuthorizationRequest, Decision},
    },
    types::{GrantId, Mode, OrganizationId, TaxpayerId},
};

/// A created or revoked grant with all its effects.
#[derive(Debug, Clone, Copy)]
pub struct GrantChange<'a> {
    /// The new state of the grant: active and new, or revoked.
    pub grant: &'a Grant,
    /// The state that was read, with the organization's connection. All of it must be unchanged.
    pub read: &'a TaxpayerState,
    /// The new state of the connection.
    pub connection: &'a Connection,
    /// The audit entries in the trails of both.
    pub entries: &'a [AuditRecord],
    /// The event, and when the sweeper claims it; `None` for demo data.
    pub event: Option<&'a EventRecord>,
    /// The seat that it takes or frees, in Live.
    pub seat: Option<SeatChange<'a>>,
    /// The authorization request that this decides, and the decision.
    pub decides: Option<(&'a AuthorizationRequest, &'a Decision)>,
    /// The mails to the taxpayer, and when the sweeper claims them.
    pub mails: (&'a [MailRecord], Timestamp),
}

impl Store {
    /// A grant of an organization, in any state.
    pub async fn get_grant(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        grant_id: &GrantId,
    ) -> Result<Option<Grant>, StoreError> {
        self.get(Key::grant_mirror(mode, organization_id, grant_id)).await
    }

    /// The connection between an organization and a taxpayer; `None` if there never was a grant.
    pub async fn get_connection(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Option<Connection>, StoreError> {
        self.get(Key::connection(mode, organization_id, taxpayer_id)).await
    }

    /// Creates or revokes a grant if nothing has changed since it was read, so that its count and the event are
    /// correct. `Lost` when something has changed: the caller reads again. An unknown outcome is read back. `Done` also
    /// when another writer did the same before.
    pub async fn record_grant(&self, change: GrantChange<'_>) -> Result<Recorded, StoreError> {
        let GrantChange { grant, read, entries, event, seat, decides, .. } = change;
        let (letters, sweep_at) = change.mails;
        let mut writes = grant_writes(grant)?;
        writes.push(access_write(grant, read.access.version)?);
        writes.push(connection_write(&change)?);
        // The event also contains these.
        writes.push(status_as_read(&read.taxpayer)?);
        writes.push(settings_check(&read.taxpayer, &read.settings));
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        if let Some(event) = event {
            writes.push(events::write(event)?);
        }
        if let Some(seat) = seat {
            writes.extend(seat_writes(&grant.organization_id, seat)?);
        }
        if let Some((request, decision)) = decides {
            writes.push(decision_write(request, decision)?);
        }
        for mail in letters {
            writes.push(mails::write(mail, sweep_at)?);
        }
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let current = self.get_grant(grant.mode, &grant.organization_id, &grant.grant_id).await;
        match (written, current) {
            (_, Ok(Some(current))) if current.status == grant.status => Ok(Recorded::Done),
            (Ok(_), Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }
}

/// The writes of the grant and its copy. A revocation sets only its own attributes, so attributes of a newer version
/// stay.
fn grant_writes(grant: &Grant) -> Result<Vec<Write>, StoreError> {
    let Grant { mode, taxpayer_id, organization_id, grant_id, .. } = grant;
    let places = [
        Key::grant(*mode, taxpayer_id, grant_id),
        Key::grant_mirror(*mode, organization_id, grant_id),
    ];
    places
        .into_iter()
        .map(|key| match (grant.status, grant.revoked_at, &grant.revoked_by) {
            (GrantStatus::Active, None, None) => {
                Ok(Write::Put { item: to_item(key, grant)?, condition: absent() })
            }
            (GrantStatus::Revoked, Some(at), Some(by)) => Ok(Write::Update {
                key,
                update: Expression::new(
                    "SET #status = :revoked, revoked_at = :at, revoked_by = :by",
                )
                .text(":revoked", "revoked")
                .text(":at", instant(at))
                .text(":by", String::from(by.clone())),
                condition: Expression::new("#status = :active")
                    .name("#status", "status")
                    .text(":active", "active"),
            }),
            _ => Err(StoreError::Corrupt("a grant is neither active nor revoked".into())),
        })
        .collect()
}

fn connection_write(change: &GrantChange<'_>) -> Result<Write, StoreError> {
    // The metadata are unchanged.
    let Connection {
        mode,
        organization_id,
        taxpayer_id,
        active,
        version,
        created_at,
        updated_at,
        ..
    } = change.connection;
    let update = Expression::new(
        "SET #mode = :mode, organization_id = :organization, taxpayer_id = :taxpayer, \
         #active = :count, version = :next, created_at = :created, updated_at = :updated",
    )
    .name("#mode", "mode")
    .name("#active", "active")
    .text(":mode", mode.as_str())
    .text(":organization", organization_id.as_str())
    .text(":taxpayer", taxpayer_id.as_str())
    .number(":count", active)
    .number(":next", version)
    .text(":created", instant(*created_at))
    .text(":updated", instant(*updated_at));
    let condition = match &change.read.connection {
        None => absent(),
        Some(read) => Expression::new("version = :read").number(":read", read.version),
    };
    Ok(Write::Update {
        key: Key::connection(*mode, organization_id, taxpayer_id),
        update,
        condition,
    })
}
