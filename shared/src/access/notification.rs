//! The notifications that a member of an organization can get by mail, and who gets which without a choice.
//!
//! | | needs | on without a choice |
//! |---|---|---|
//! | [`Notification::Rejected`], [`Notification::Failed`] | Look | owners, in Live |
//! | [`Notification::Endpoint`] | Develop | owners and developers |
//! | [`Notification::Seats`] | Bill | owners and billing, in Live |
//! | [`Notification::Quota`] | Develop | owners and developers, in Sandbox |
//! | [`Notification::Certificate`] | Look | nobody: only the operator can act on it |
//! | [`Notification::SignIn`] | | nobody: each sign-in needs a mail already |
//! | [`Notification::Digest`] | Look | nobody |
//!
//! In Sandbox documents fail on purpose, so no mail about them goes out without a choice.

use std::{collections::BTreeMap, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Member, Permission, Role};
use crate::types::Mode;

/// A kind of notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notification {
    /// A recipient's access point or the tax authority rejected a document.
    Rejected,
    /// A document could not be sent, confirmed or reported.
    Failed,
    /// A webhook endpoint accepts nothing, or was disabled.
    Endpoint,
    /// The seats of the subscription are nearly used.
    Seats,
    /// The daily quota of the Sandbox is nearly used.
    Quota,
    /// A certificate of the service expires soon.
    Certificate,
    /// The member signed in with a browser that has no open session.
    SignIn,
    /// The documents of the day before.
    Digest,
    /// A kind of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Notification {
    /// Every kind that this version knows.
    pub const ALL: [Notification; 8] = [
        Notification::Rejected,
        Notification::Failed,
        Notification::Endpoint,
        Notification::Seats,
        Notification::Quota,
        Notification::Certificate,
        Notification::SignIn,
        Notification::Digest,
    ];

    /// The name under which it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Notification::Rejected => "rejected",
            Notification::Failed => "failed",
            Notification::Endpoint => "endpoint",
            Notification::Seats => "seats",
            Notification::Quota => "quota",
            Notification::Certificate => "certificate",
            Notification::SignIn => "sign_in",
            Notification::Digest => "digest",
            Notification::Unknown => "unknown",
        }
    }

    /// The permission without which a member cannot get it.
    fn needs(self) -> Option<Permission> {
        match self {
            Notification::Rejected
            | Notification::Failed
            | Notification::Certificate
            | Notification::Digest => Some(Permission::Look),
            Notification::Endpoint | Notification::Quota => Some(Permission::Develop),
            Notification::Seats => Some(Permission::Bill),
            Notification::SignIn => None,
            Notification::Unknown => Some(Permission::Govern),
        }
    }

    /// Whether a member with this role can get it in a mode.
    pub fn is_for(self, role: Role, mode: Mode) -> bool {
        let exists = match self {
            // Sandbox has no subscription and no certificate.
            Notification::Seats | Notification::Certificate => mode == Mode::Live,
            // Only Sandbox has a quota.
            Notification::Quota => mode == Mode::Sandbox,
            Notification::Unknown => false,
            _ => role != Role::Unknown,
        };
        exists && self.needs().is_none_or(|needs| role.may(needs))
    }

    /// Whether a member gets it without a choice.
    fn is_usual(self, role: Role, mode: Mode) -> bool {
        match self {
            Notification::Rejected | Notification::Failed => {
                mode == Mode::Live && role == Role::Owner
            }
            Notification::Endpoint | Notification::Seats | Notification::Quota => true,
            Notification::Certificate
            | Notification::SignIn
            | Notification::Digest
            | Notification::Unknown => false,
        }
    }
}

/// The text is not the name of a kind of notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no notification with that name")]
pub struct NoNotification;

impl FromStr for Notification {
    type Err = NoNotification;

    fn from_str(text: &str) -> Result<Self, NoNotification> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(NoNotification)
    }
}

/// A member's choices, by the names of the notifications. A missing name is no choice. Names of a newer version stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Choices(BTreeMap<String, bool>);

impl Choices {
    /// Whether there is no choice.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Chooses a notification, or chooses to get none.
    pub fn set(&mut self, kind: Notification, is_on: bool) {
        self.0.insert(kind.as_str().to_owned(), is_on);
    }

    /// Whether a notification was chosen, even if the role does not allow it at the moment.
    pub fn has(&self, kind: Notification) -> bool {
        self.get(kind) == Some(true)
    }

    fn get(&self, kind: Notification) -> Option<bool> {
        self.0.get(kind.as_str()).copied()
    }
}

impl Member {
    /// Whether the member gets a notification, by choice or without one.
    pub fn gets(&self, kind: Notification) -> bool {
        let chosen = || self.notifications.get(kind);
        kind.is_for(self.role, self.mode)
            && chosen().unwrap_or_else(|| kind.is_usual(self.role, self.mode))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::{
        access::Actor,
        types::{MemberId, OrganizationId, SeededRandom},
    };

    fn member(role: Role, mode: Mode) -> Member {
        let (at, random) = (Timestamp::UNIX_EPOCH, SeededRandom::new(1));
        Member {
            member_id: MemberId::new(at, &random),
            mode,
            organization_id: OrganizationId::new(at, &random),
            email: "ada@example.com".parse().unwrap(),
            role,
            invited_by: Actor::Operator,
            created_at: at,
            joined_at: Some(at),
            notifications: Choices::default(),
            language: None,
        }
    }

    #[test]
    fn who_chose_nothing_gets_what_the_table_says() {
        use Notification::{Endpoint, Failed, Quota, Rejected, Seats};
        for (role, mode, usual) in [
            (Role::Owner, Mode::Live, &[Rejected, Failed, Endpoint, Seats][..]),
            (Role::Owner, Mode::Sandbox, &[Endpoint, Quota]),
            (Role::Developer, Mode::Live, &[Endpoint]),
            (Role::Developer, Mode::Sandbox, &[Endpoint, Quota]),
            (Role::Billing, Mode::Live, &[Seats]),
            (Role::Billing, Mode::Sandbox, &[]),
            (Role::Viewer, Mode::Live, &[]),
            (Role::Unknown, Mode::Live, &[]),
        ] {
            let member = member(role, mode);
            let gets = Notification::ALL.into_iter().filter(|kind| member.gets(*kind));
            assert_eq!(gets.collect::<Vec<_>>(), usual, "{role:?} {mode}");
        }
    }

    #[test]
    fn a_choice_counts_as_long_as_the_role_allows_it() {
        let mut member = member(Role::Owner, Mode::Live);
        member.notifications.set(Notification::Digest, true);
        member.notifications.set(Notification::Rejected, false);
        assert!(member.gets(Notification::Digest) && !member.gets(Notification::Rejected));
        member.role = Role::Billing;
        assert!(!member.gets(Notification::Digest), "a billing member sees no documents");
    }

    #[test]
    fn notifications_are_read_by_the_names_they_are_written_with() {
        for kind in Notification::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
            let text = serde_json::to_value(kind).unwrap();
            assert_eq!(text, kind.as_str());
        }
        assert_eq!("unknown".parse::<Notification>(), Err(NoNotification));
    }
}
