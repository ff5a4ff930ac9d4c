use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::KeyHash;
use crate::types::{ClientId, GrantId, KeyId, MemberId, Mode, OrganizationId, TaxpayerId};

/// A permission that a taxpayer can give an organization (specification 5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// Read taxpayer details.
    #[serde(rename = "taxpayer:read")]
    TaxpayerRead,
    /// Read every document of the taxpayer, including documents that other organizations issued.
    #[serde(rename = "invoices:read")]
    InvoicesRead,
    /// Send, validate and change documents.
    #[serde(rename = "invoices:write")]
    InvoicesWrite,
    /// Read documents that other access points sent to the taxpayer.
    #[serde(rename = "inbound:read")]
    InboundRead,
    /// A scope from a newer version: it allows nothing here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Scope {
    /// Every scope that this version knows.
    pub const ALL: [Scope; 4] =
        [Scope::TaxpayerRead, Scope::InvoicesRead, Scope::InvoicesWrite, Scope::InboundRead];

    /// The scope's name, such as `invoices:read`.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::TaxpayerRead => "taxpayer:read",
            Scope::InvoicesRead => "invoices:read",
            Scope::InvoicesWrite => "invoices:write",
            Scope::InboundRead => "inbound:read",
            Scope::Unknown => "unknown",
        }
    }
}

impl FromStr for Scope {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or(())
    }
}

/// An integrator's account in one mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    /// Its identifier.
    pub organization_id: OrganizationId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its name.
    pub name: String,
    /// The time of creation.
    pub created_at: Timestamp,
}

/// Whether an API key is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyStatus {
    /// The key is valid.
    Active,
    /// The key was revoked, forever.
    Revoked,
    /// A status from a newer version: not valid here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl KeyStatus {
    pub(super) fn is_active(self) -> bool {
        self == KeyStatus::Active
    }
}

/// The actor of an action, as records and the audit trail name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Actor {
    /// An operator of the deployment, on the command line.
    Operator,
    /// An organization, by its API key.
    ApiKey(KeyId),
    /// An organization, by one of its OAuth clients.
    Client(ClientId),
    /// A taxpayer, in its session.
    Taxpayer(TaxpayerId),
    /// A member of an organization, in its session.
    Member(MemberId),
    /// The national tax portal, through its data about a business.
    NationalPortal,
    /// The service itself, by a rule.
    Service,
    /// An actor of a kind from a newer version, as text.
    Unknown(String),
}

const OPERATOR: &str = "operator";
const NATIONAL_PORTAL: &str = "national_portal";
const SERVICE: &str = "service";

impl From<String> for Actor {
    fn from(text: String) -> Self {
        match text.as_str() {
            OPERATOR => return Actor::Operator,
            NATIONAL_PORTAL => return Actor::NationalPortal,
            SERVICE => return Actor::Service,
            _ => {}
        }
        let key = text.parse().map(Actor::ApiKey);
        let client = key.or_else(|_| text.parse().map(Actor::Client));
        let taxpayer = client.or_else(|_| text.parse().map(Actor::Taxpayer));
        let actor = taxpayer.or_else(|_| text.parse().map(Actor::Member));
        actor.unwrap_or(Actor::Unknown(text))
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> String {
        match actor {
            Actor::Operator => OPERATOR.to_owned(),
            Actor::ApiKey(id) => id.into(),
            Actor::Client(id) => id.into(),
            Actor::Taxpayer(id) => id.into(),
            Actor::Member(id) => id.into(),
            Actor::NationalPortal => NATIONAL_PORTAL.to_owned(),
            Actor::Service => SERVICE.to_owned(),
            Actor::Unknown(text) => text,
        }
    }
}

/// An organization's API key. Only its hash and its beginning are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    /// Its identifier, used wherever the key itself must not appear.
    pub key_id: KeyId,
    /// SHA-256 of the key.
    pub hash: KeyHash,
    /// Live or Sandbox; the prefix names it.
    pub mode: Mode,
    /// The organization that owns it.
    pub organization_id: OrganizationId,
    /// Its name, given by its owner.
    pub label: String,
    /// Its prefix and the next five characters; `None` for keys of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<String>,
    /// Whether it is valid.
    pub status: KeyStatus,
    /// The actor that created it.
    pub created_by: Actor,
    /// The time of creation.
    pub created_at: Timestamp,
    /// The time of its last use, to the hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// Whether a grant is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GrantStatus {
    /// The grant is active.
    Active,
    /// The taxpayer or the organization revoked it.
    Revoked,
    /// A status from a newer version: not active here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl GrantStatus {
    /// The status in storage and in responses.
    pub fn as_str(self) -> &'static str {
        match self {
            GrantStatus::Active => "active",
            GrantStatus::Revoked => "revoked",
            GrantStatus::Unknown => "unknown",
        }
    }
}

/// A taxpayer's approval of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its identifier.
    pub grant_id: GrantId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer that approved.
    pub taxpayer_id: TaxpayerId,
    /// The organization that was approved.
    pub organization_id: OrganizationId,
    /// The approved scopes, stored as a list; never empty.
    pub scopes: BTreeSet<Scope>,
    /// Whether it is active.
    pub status: GrantStatus,
    /// Name of the connection, from the authorization request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_label: Option<String>,
    /// The integrator's own account or workspace, from the authorization request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// The name of the approved application, from the consent page. `None` if no application asked, and for grants of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// The time when all its tokens were revoked because a used token was used again. The grant itself stays active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_ended_at: Option<Timestamp>,
    /// The time of approval.
    pub created_at: Timestamp,
    /// The time of revocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// The actor that revoked it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_by: Option<Actor>,
}

impl Grant {
    /// The name of the connection for people: the approved application, or `otherwise` if none is stored, and the
    /// label.
    pub fn shown_name(&self, otherwise: &str) -> String {
        let application = self.application.as_deref().unwrap_or(otherwise);
        match &self.grant_label {
            Some(label) => format!("{application} \u{2013} {label}"),
            None => application.to_owned(),
        }
    }
}

/// The relation between an organization and a taxpayer that granted it access, now or earlier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// The organization's own key-value pairs about the taxpayer: no other organization sees them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// The number of active grants; 0 when the organization is disconnected.
    pub active: u32,
    /// The number of changes, from 1.
    pub version: u64,
    /// The time of the first grant.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
}
