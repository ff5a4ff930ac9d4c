//! The members of an organization, and the permissions of their roles.
//!
//! | | owner | developer | billing | viewer |
//! |---|---|---|---|---|
//! | [`Permission::Look`]: read taxpayers, documents, events, deliveries, key and client names | yes | yes | | yes |
//! | [`Permission::Develop`]: create and revoke keys, clients, webhook endpoints; send events again | yes | yes | | |
//! | [`Permission::Bill`]: subscription, seats, usage | yes | | yes | |
//! | [`Permission::Audit`]: read the audit trail | yes | yes | | |
//! | [`Permission::Govern`]: manage members and their roles; read the responses of endpoints | yes | | | |
//!
//! Every member may see the list of members.

use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Actor, Choices, Trail};
use crate::i18n::Language;
use crate::types::{EmailAddress, MemberId, Mode, OrganizationId, TaxpayerId};

/// The role of a member in an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// May do everything. An organization always has an owner.
    Owner,
    /// Connects the organization's software.
    Developer,
    /// Manages the subscription.
    Billing,
    /// Reads only.
    Viewer,
    /// A role from a newer version: it allows nothing here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Role {
    /// Every role that this version knows.
    pub const ALL: [Role; 4] = [Role::Owner, Role::Developer, Role::Billing, Role::Viewer];

    /// The role's name, such as `owner`.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Owner => "owner",
            Role::Developer => "developer",
            Role::Billing => "billing",
            Role::Viewer => "viewer",
            Role::Unknown => "unknown",
        }
    }

    /// Whether the role has a permission.
    pub fn may(self, permission: Permission) -> bool {
        use Permission::{Audit, Bill, Develop, Govern, Look};
        match self {
            Role::Owner => true,
            Role::Developer => match permission {
                Look | Develop | Audit => true,
                Bill | Govern => false,
            },
            Role::Billing => permission == Bill,
            Role::Viewer => permission == Look,
            Role::Unknown => false,
        }
    }
}

/// The text is not the name of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a role is owner, developer, billing or viewer")]
pub struct NoRole;

impl FromStr for Role {
    type Err = NoRole;

    fn from_str(text: &str) -> Result<Self, NoRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(NoRole)
    }
}

/// A permission of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Read what the organization's software does.
    Look,
    /// Change the organization's software settings.
    Develop,
    /// See subscription and usage.
    Bill,
    /// Read the audit trail.
    Audit,
    /// Manage the members and their roles.
    Govern,
}

/// A member of an organization. An organization has the same members in Live and in Sandbox: each is written in both
/// at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its identifier, in both modes.
    pub member_id: MemberId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The e-mail address; its owner may sign in.
    pub email: EmailAddress,
    /// The role.
    pub role: Role,
    /// The actor that invited it.
    pub invited_by: Actor,
    /// The time of the invitation.
    pub created_at: Timestamp,
    /// The time of the first sign-in; `None` while it is only invited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joined_at: Option<Timestamp>,
    /// Which notifications it chose in this mode.
    #[serde(default, skip_serializing_if = "Choices::is_empty")]
    pub notifications: Choices,
    /// The language of its notifications; `None` until it has chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
}

/// The holder of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Holder {
    /// A member of an organization.
    Member {
        /// The organization.
        organization_id: OrganizationId,
        /// The member.
        member_id: MemberId,
    },
    /// A taxpayer.
    Taxpayer {
        /// The taxpayer.
        taxpayer_id: TaxpayerId,
    },
}

impl Holder {
    /// The holder as an actor.
    pub fn actor(&self) -> Actor {
        match self {
            Holder::Taxpayer { taxpayer_id } => Actor::Taxpayer(taxpayer_id.clone()),
            Holder::Member { member_id, .. } => Actor::Member(member_id.clone()),
        }
    }

    /// The trail for its sessions.
    pub fn trail(&self) -> Trail {
        match self {
            Holder::Taxpayer { taxpayer_id } => Trail::Taxpayer(taxpayer_id.clone()),
            Holder::Member { organization_id, .. } => Trail::Organization(organization_id.clone()),
        }
    }

    /// Its identifier.
    pub fn as_str(&self) -> &str {
        match self {
            Holder::Taxpayer { taxpayer_id } => taxpayer_id.as_str(),
            Holder::Member { member_id, .. } => member_id.as_str(),
        }
    }
}

impl From<&TaxpayerId> for Holder {
    fn from(taxpayer_id: &TaxpayerId) -> Self {
        Holder::Taxpayer { taxpayer_id: taxpayer_id.clone() }
    }
}

impl From<&Member> for Holder {
    fn from(member: &Member) -> Self {
        Holder::Member {
            organization_id: member.organization_id.clone(),
            member_id: member.member_id.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_what_the_table_says_and_no_more() {
        use Permission::{Audit, Bill, Develop, Govern, Look};
        for (role, allowed) in [
            (Role::Owner, &[Look, Develop, Bill, Audit, Govern][..]),
            (Role::Developer, &[Look, Develop, Audit]),
            (Role::Billing, &[Bill]),
            (Role::Viewer, &[Look]),
            (Role::Unknown, &[]),
        ] {
            for permission in [Look, Develop, Bill, Audit, Govern] {
                assert_eq!(role.may(permission), allowed.contains(&permission), "{role:?}");
            }
        }
    }

    #[test]
    fn roles_are_read_by_the_names_they_are_written_with() {
        for role in Role::ALL {
            assert_eq!(serde_json::to_value(role).unwrap(), role.as_str());
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        assert_eq!("Owner".parse::<Role>(), Err(NoRole));
        assert_eq!(serde_json::from_value::<Role>("auditor".into()).unwrap(), Role::Unknown);
    }
}
