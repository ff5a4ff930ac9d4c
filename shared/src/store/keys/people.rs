//! Keys of people: members, addresses, mails, links and sessions, and how often somebody acts.

use super::{Key, ORGANIZATION, organization, taxpayer};
use crate::{
    access::Holder,
    types::{
        EmailAddress, MailId, MemberId, Mode, OrganizationId, TaxpayerId, TokenHash, sha256_hex,
    },
};

/// Prefix of the sort keys of taxpayers of an email address.
pub const TAXPAYER: &str = "TAXPAYER#";

/// Prefix of the sort keys of session pointers.
pub(in crate::store) const OPEN_SESSION: &str = "OPEN#";

/// Prefix of the sort keys of members.
pub(in crate::store) const MEMBER: &str = "MEMBER#";

/// The partition of the sessions record and the session pointers of a taxpayer or a member.
pub(in crate::store) fn sessions(mode: Mode, holder: &Holder) -> String {
    match holder {
        Holder::Taxpayer { taxpayer_id } => format!("{}#SESSIONS", taxpayer(mode, taxpayer_id)),
        Holder::Member { organization_id, member_id } => {
            format!("{}#SESSIONS#{member_id}", organization(mode, organization_id))
        }
    }
}

/// The partition of an organization's members.
pub(in crate::store) fn members(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#MEMBERS", organization(mode, id))
}

/// The partition of the memberships of an email address. The taxpayers of an address have another partition, so the
/// function that invites members cannot change them.
pub(in crate::store) fn memberships(mode: Mode, address: &EmailAddress) -> String {
    format!("{}#MEMBERSHIP#{}", mode.key(), address.hash())
}

/// The partition of the taxpayers that are registered with an address.
pub(in crate::store) fn email(mode: Mode, address: &EmailAddress) -> String {
    format!("{}#EMAIL#{}", mode.key(), address.hash())
}

impl Key {
    /// A mail.
    pub fn mail(mode: Mode, id: &MailId) -> Self {
        Key::new(format!("{}#MAIL#{id}", mode.key()), "MAIL")
    }

    /// A sign-in link.
    pub fn link(mode: Mode, hash: &TokenHash) -> Self {
        Key::new(format!("{}#LINK#{}", mode.key(), hash.as_str()), "LINK")
    }

    /// Marks the link of a mail as used.
    pub fn link_use(mode: Mode, mail: &MailId) -> Self {
        Key::new(format!("{}#SIGNIN#{mail}", mode.key()), "USED")
    }

    /// A session.
    pub fn session(mode: Mode, hash: &TokenHash) -> Self {
        Key::new(format!("{}#SESSION#{}", mode.key(), hash.as_str()), "SESSION")
    }

    /// The record that all sessions of a taxpayer or a member are compared with. It is not in the taxpayer's own
    /// partition: the functions that serve pages must not write profiles and grants.
    pub fn sessions(mode: Mode, holder: &Holder) -> Self {
        Key::new(sessions(mode, holder), "SESSIONS")
    }

    /// The pointer to a session, in its holder's partition.
    pub fn session_pointer(mode: Mode, holder: &Holder, hash: &TokenHash) -> Self {
        Key::new(sessions(mode, holder), format!("{OPEN_SESSION}{}", hash.as_str()))
    }

    /// A member of an organization.
    pub fn member(mode: Mode, organization_id: &OrganizationId, id: &MemberId) -> Self {
        Key::new(members(mode, organization_id), format!("{MEMBER}{id}"))
    }

    /// The views of document lists that a member saved.
    pub fn saved_views(mode: Mode, organization_id: &OrganizationId, id: &MemberId) -> Self {
        Key::new(members(mode, organization_id), format!("VIEWS#{id}"))
    }

    /// The number of members of an organization.
    pub fn member_count(mode: Mode, organization_id: &OrganizationId) -> Self {
        Key::new(members(mode, organization_id), "COUNT")
    }

    /// The member with an address in an organization, at most one.
    pub fn membership(mode: Mode, address: &EmailAddress, id: &OrganizationId) -> Self {
        Key::new(memberships(mode, address), format!("{ORGANIZATION}{id}"))
    }

    /// A taxpayer that is registered with an address.
    pub fn email(mode: Mode, address: &EmailAddress, taxpayer_id: &TaxpayerId) -> Self {
        Key::new(email(mode, address), format!("{TAXPAYER}{taxpayer_id}"))
    }

    /// The number of actions of somebody in a window, which begins at a second since 1970.
    pub fn rate(mode: Mode, what: &str, whom: &str, window: i64, share: u8) -> Self {
        let whom = sha256_hex(whom.as_bytes());
        let share = if share == 0 { String::new() } else { format!("#{share}") };
        Key::new(format!("{}#RATE#{what}#{whom}#{window}{share}", mode.key()), "RATE")
    }
}
