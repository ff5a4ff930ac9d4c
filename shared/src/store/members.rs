//! Members of organizations. A member is written in Live and Sandbox in one transaction. So an organization has the
//! same members in both modes, and a read needs only its own mode. A pointer leads from the address to the member. A
//! count limits the number of members and ensures that one owner remains.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    MailRecord, Store, StoreError, audit,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item, unknown},
    keys::{self, Key},
    mails,
    text::instant,
};
use crate::{
    access::{AuditRecord, Choices, Member, Role},
    i18n::Language,
    types::{EmailAddress, MemberId, Mode, OrganizationId},
};

/// The maximum number of members of an organization.
pub const MAX_MEMBERS: u32 = 200;

/// Points from an address to its member.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Membership {
    organization_id: OrganizationId,
    member_id: MemberId,
}

/// Why a change of members was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unchanged {
    /// The organization has [`MAX_MEMBERS`], or a member with that address.
    Full,
    /// The organization would have no owner.
    LastOwner,
    /// The member has changed since it was read.
    Stale,
}

/// The same writes in both modes.
fn in_both(of: impl Fn(Mode) -> Result<Vec<Write>, StoreError>) -> Result<Vec<Write>, StoreError> {
    let mut all = of(Mode::Live)?;
    all.extend(of(Mode::Sandbox)?);
    Ok(all)
}

/// The number of owners that a role counts as: 1 or 0.
fn owners(role: Role) -> i64 {
    i64::from(role == Role::Owner)
}

/// The write that changes the count of members and owners, on the condition that the result is allowed.
fn counted(mode: Mode, member: &Member, (members, owners): (i64, i64)) -> Write {
    let update = Update::new().add("members", members).add("owners", owners).build();
    let condition = match (members, owners) {
        (1, _) => Expression::new("attribute_not_exists(pk) OR #members < :most")
            .name("#members", "members")
            .number(":most", MAX_MEMBERS),
        (_, -1) => Expression::new("#owners > :one").name("#owners", "owners").number(":one", 1),
        _ => Expression::new("attribute_exists(pk)"),
    };
    Write::Update { key: Key::member_count(mode, &member.organization_id), update, condition }
}

fn has_role(role: Role) -> Expression {
    Expression::new("#role = :was").name("#role", "role").text(":was", role.as_str())
}

impl Store {
    /// Creates a member in both modes, with the audit entries and the invitation mail.
    pub async fn create_member(
        &self,
        record: &Member,
        entries: &[AuditRecord],
        mail: Option<(&MailRecord, Timestamp)>,
    ) -> Result<Result<(), Unchanged>, StoreError> {
        let Member { organization_id, member_id, email, role, .. } = record;
        let mut writes = in_both(|mode| {
            let record = Member { mode, ..record.clone() };
            let membership = Membership {
                organization_id: organization_id.clone(),
                member_id: member_id.clone(),
            };
            let pointer = to_item(Key::membership(mode, email, organization_id), &membership)?;
            Ok(vec![
                Write::Put {
                    item: to_item(Key::member(mode, organization_id, member_id), &record)?,
                    condition: absent(),
                },
                // An address is at most one member of an organization.
                Write::Put { item: pointer, condition: absent() },
                counted(mode, &record, (1, owners(*role))),
            ])
        })?;
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        if let Some((mail, sweep_at)) = mail {
            writes.push(mails::write(mail, sweep_at)?);
        }
        let written = self.transact(writes).await;
        let key = (record.mode, organization_id, member_id);
        self.settled(written, key, Unchanged::Full, |current| current.is_some()).await
    }

    /// A member.
    pub async fn get_member(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        id: &MemberId,
    ) -> Result<Option<Member>, StoreError> {
        self.get(Key::member(mode, organization_id, id)).await
    }

    /// The members of an organization, in order of invitation. It takes one query.
    pub async fn list_members(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<Vec<Member>, StoreError> {
        self.all(&keys::members(mode, organization_id), keys::MEMBER).await
    }

    /// The members with an address, in all organizations. It takes a query and a batch read.
    pub async fn list_memberships(
        &self,
        mode: Mode,
        email: &EmailAddress,
    ) -> Result<Vec<Member>, StoreError> {
        let found: Vec<Membership> =
            self.all(&keys::memberships(mode, email), keys::ORGANIZATION).await?;
        let place = |it: &Membership| Key::member(mode, &it.organization_id, &it.member_id);
        let mut members = self.get_many(found.iter().map(place)).await?;
        let items = found.iter().filter_map(|it| members.remove(&place(it)));
        items.map(from_item).collect()
    }

    /// Changes a member's role in both modes.
    pub async fn change_role(
        &self,
        read: &Member,
        role: Role,
        entries: &[AuditRecord],
    ) -> Result<Result<(), Unchanged>, StoreError> {
        let mut writes = in_both(|mode| {
            let key = Key::member(mode, &read.organization_id, &read.member_id);
            let update = Update::new().set("role", &role)?.build();
            Ok(vec![
                Write::Update { key, update, condition: has_role(read.role) },
                counted(mode, read, (0, owners(role) - owners(read.role))),
            ])
        })?;
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        let written = self.transact(writes).await;
        let key = (read.mode, &read.organization_id, &read.member_id);
        let is_so = |current: Option<&Member>| current.is_some_and(|member| member.role == role);
        self.settled(written, key, refused(read), is_so).await
    }

    /// Sets a member's notifications in one mode, and their language. Returns `false` when the member was removed.
    pub async fn set_notifications(
        &self,
        read: &Member,
        choices: &Choices,
        language: Language,
    ) -> Result<bool, StoreError> {
        let key = Key::member(read.mode, &read.organization_id, &read.member_id);
        let update = Update::new().set("notifications", choices)?.set("language", &language)?;
        let condition = Expression::new("attribute_exists(pk)");
        let written = self.write(Write::Update { key, update: update.build(), condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Deletes a member in both modes, which ends its sessions.
    pub async fn delete_member(
        &self,
        read: &Member,
        entries: &[AuditRecord],
    ) -> Result<Result<(), Unchanged>, StoreError> {
        let Member { organization_id, member_id, email, role, .. } = read;
        let mut writes = in_both(|mode| {
            Ok(vec![
                Write::Delete {
                    key: Key::member(mode, organization_id, member_id),
                    condition: has_role(*role),
                },
                Write::Delete {
                    key: Key::membership(mode, email, organization_id),
                    condition: Expression::default(),
                },
                Write::Delete {
                    key: Key::saved_views(mode, organization_id, member_id),
                    condition: Expression::default(),
                },
                counted(mode, read, (-1, -owners(*role))),
            ])
        })?;
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        let written = self.transact(writes).await;
        let key = (read.mode, organization_id, member_id);
        self.settled(written, key, refused(read), |current| current.is_none()).await
    }

    /// Notes a member's first sign-in in both modes, once.
    pub async fn note_joined(
        &self,
        read: &Member,
        at: Timestamp,
        entries: &[AuditRecord],
    ) -> Result<(), StoreError> {
        let mut writes = in_both(|mode| {
            let key = Key::member(mode, &read.organization_id, &read.member_id);
            let update = Update::new().set("joined_at", &instant(at))?.build();
            let condition =
                Expression::new("attribute_exists(pk) AND attribute_not_exists(joined_at)");
            Ok(vec![Write::Update { key, update, condition }])
        })?;
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        // A second sign-in is refused.
        self.transact(writes).await.map(drop)
    }

    /// The outcome of a transaction about a member. A repeated attempt of the SDK meets its own write; a lost response
    /// is read back.
    async fn settled(
        &self,
        written: Result<Written, StoreError>,
        (mode, organization_id, id): (Mode, &OrganizationId, &MemberId),
        refused: Unchanged,
        is_so: impl Fn(Option<&Member>) -> bool,
    ) -> Result<Result<(), Unchanged>, StoreError> {
        if let Ok(Written::Done) = written {
            return Ok(Ok(()));
        }
        let current = self.get_member(mode, organization_id, id).await?;
        match (is_so(current.as_ref()), written) {
            (true, _) => Ok(Ok(())),
            (false, Ok(_)) => Ok(Err(refused)),
            (false, Err(_)) => Err(unknown("the change of a member was not confirmed")),
        }
    }
}

/// The most likely reason of a refused change of a member.
fn refused(read: &Member) -> Unchanged {
    if read.role == Role::Owner { Unchanged::LastOwner } else { Unchanged::Stale }
}
