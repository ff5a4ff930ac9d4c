use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::KeyHash;
use crate::types::{ClientId, GrantId, KeyId, MemberId, Mode, OrganizationId, TaxpayerId};

/// What a taxpayer can allow an organization (specification 5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// Read taxpayer details.
    #[serde(rename = "taxpayer:read")]
    TaxpayerRead,
    /// Read every document of the taxpayer, including those other organizations issued.
    #[serde(rename = "invoices:read")]
    InvoicesRead,
    /// Send, validate and change documents.
    #[serde(rename = "invoices:write")]
    InvoicesWrite,
    /// Read documents that other access points sent to the taxpayer.
    #[serde(rename = "inbound:read")]
    InboundRead,
    /// A word of a newer version: allows nothing here.
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
    /// When the record was made.
    pub created_at: Timestamp,
}

/// Whether an API key works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyStatus {
    /// It works.
    Active,
    /// It was revoked and never works again.
    Revoked,
    /// A word of a newer version: does not work here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl KeyStatus {
    pub(super) fn is_active(self) -> bool {
        self == KeyStatus::Active
    }
}

/// Who did something, as records and the audit trail name him.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Actor {
    /// Whoever operates the deployment, by the command line.
    Operator,
    /// An organization, by its API key.
    ApiKey(KeyId),
    /// An organization, by one of its OAuth clients.
    Client(ClientId),
    /// A taxpayer, in its session.
    Taxpayer(TaxpayerId),
    /// A member of an organization, in its session.
    Member(MemberId),
    /// The national tax portal, by what it says of a business.
    NationalPortal,
    /// The service itself, by a rule that it follows.
    Service,
    /// One of a kind that a newer version knows, in its words.
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

/// An organization API key, of which only the hash is kept, and its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    /// Its identifier: what it is called by where the key itself must not be.
    pub key_id: KeyId,
    /// SHA-256 of the key.
    pub hash: KeyHash,
    /// Live or Sandbox, as its prefix says.
    pub mode: Mode,
    /// The organization that owns it.
    pub organization_id: OrganizationId,
    /// What its owner calls it.
    pub label: String,
    /// What it begins with: its prefix and five characters more; keys of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<String>,
    /// Whether it works.
    pub status: KeyStatus,
    /// Who made it.
    pub created_by: Actor,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to the hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// Whether a grant stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GrantStatus {
    /// It stands.
    Active,
    /// The taxpayer or the organization ended it.
    Revoked,
    /// A word of a newer version: does not stand here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl GrantStatus {
    /// The status as it is kept, and as callers see it.
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
    /// What was approved. Kept as a list; never empty.
    pub scopes: BTreeSet<Scope>,
    /// Whether it stands.
    pub status: GrantStatus,
    /// Name of the connection, from the authorization request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_label: Option<String>,
    /// The integrator's own account or workspace, from the authorization request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// The application that was approved, as the consent page named it; none where no application asked, and of grants
    /// that earlier versions made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// When all of its tokens were ended, since something came again that had been used. The grant stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_ended_at: Option<Timestamp>,
    /// When it was approved.
    pub created_at: Timestamp,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// Who revoked it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_by: Option<Actor>,
}

impl Grant {
    /// What a person knows the connection by: the application that was approved, or who stands in for it where none is
    /// noted, and the label.
    pub fn shown_name(&self, otherwise: &str) -> String {
        let application = self.application.as_deref().unwrap_or(otherwise);
        match &self.grant_label {
            Some(label) => format!("{application} \u{2013} {label}"),
            None => application.to_owned(),
        }
    }
}

/// What there is between an organization and a taxpayer that granted it access, now or once.
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
    /// How many active grants there are; 0 when the organization was disconnected.
    pub active: u32,
    /// Counts the changes, from 1.
    pub version: u64,
    /// When the first grant was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}
