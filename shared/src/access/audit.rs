//! The audit trail: who changed access rights, when and from where. Entries are added and never changed. No entry has
//! a secret.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Actor, Role};
use crate::types::{AuditId, Mode, OrganizationId, TaxpayerId};

/// Longest `User-Agent` that is stored, in characters.
const MAX_USER_AGENT: usize = 256;

/// The origin of a request; empty for the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The IP address of the connection, as the platform reports it.
    pub ip: Option<String>,
    /// The `User-Agent` of the client.
    pub user_agent: Option<String>,
    /// The request id, as in logs and responses.
    pub request_id: Option<String>,
}

impl Origin {
    /// The origin of a request. The `User-Agent` is cut and loses its control characters.
    pub fn new(ip: Option<String>, user_agent: Option<&str>, request_id: Option<String>) -> Self {
        let kept = |text: &str| {
            let shown = text.chars().filter(|character| !character.is_control());
            shown.take(MAX_USER_AGENT).collect()
        };
        Origin { ip, user_agent: user_agent.map(kept), request_id }
    }
}

/// The actor and the origin of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// The actor.
    pub actor: Actor,
    /// The origin.
    pub origin: Origin,
}

impl By {
    /// An operator of the deployment, on the command line.
    pub fn operator() -> Self {
        By { actor: Actor::Operator, origin: Origin::default() }
    }

    /// The national tax portal, through its data about a business.
    pub fn national_portal() -> Self {
        By { actor: Actor::NationalPortal, origin: Origin::default() }
    }

    /// The service itself, by a rule.
    pub fn service() -> Self {
        By { actor: Actor::Service, origin: Origin::default() }
    }
}

/// The owner of a trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Trail {
    /// An organization's.
    Organization(OrganizationId),
    /// A taxpayer's.
    Taxpayer(TaxpayerId),
}

impl Trail {
    /// Whether the actor belongs to the owner of the trail. An operator belongs to neither.
    fn is_of(&self, actor: &Actor) -> bool {
        match actor {
            Actor::ApiKey(_) | Actor::Client(_) | Actor::Member(_) => {
                matches!(self, Trail::Organization(_))
            }
            Actor::Taxpayer(_) => matches!(self, Trail::Taxpayer(_)),
            Actor::Operator | Actor::NationalPortal | Actor::Service | Actor::Unknown(_) => false,
        }
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trail::Organization(id) => id.fmt(f),
            Trail::Taxpayer(id) => id.fmt(f),
        }
    }
}

impl From<Trail> for String {
    fn from(trail: Trail) -> String {
        trail.to_string()
    }
}

impl TryFrom<String> for Trail {
    type Error = crate::types::IdError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.parse() {
            Ok(id) => Ok(Trail::Organization(id)),
            Err(_) => text.parse().map(Trail::Taxpayer),
        }
    }
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// An action in the audit trail.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Action {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
            /// An action from a newer version.
            #[serde(other, skip_serializing)]
            Unknown,
        }

        impl Action {
            /// Every action that this version knows.
            pub const ALL: &'static [Action] = &[$(Action::$name),+];

            /// The action's name, such as `grant.approved`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Action::$name => $text,)+
                    Action::Unknown => "unknown",
                }
            }
        }
    };
}

actions! {
    /// An organization was created.
    OrganizationCreated = "organization.created",
    /// An API key was created.
    KeyCreated = "key.created",
    /// An API key was revoked.
    KeyRevoked = "key.revoked",
    /// A person was invited as a member.
    MemberInvited = "member.invited",
    /// A member signed in for the first time.
    MemberJoined = "member.joined",
    /// The role of a member changed.
    MemberRoleChanged = "member.role_changed",
    /// A member was removed.
    MemberRemoved = "member.removed",
    /// An OAuth client was created.
    ClientCreated = "client.created",
    /// The name or the redirect URIs of an OAuth client changed.
    ClientUpdated = "client.updated",
    /// An OAuth client was deleted.
    ClientDeleted = "client.deleted",
    /// The secret of an OAuth client was rotated.
    ClientSecretRotated = "client.secret_rotated",
    /// A taxpayer approved an organization.
    GrantApproved = "grant.approved",
    /// A taxpayer revoked its grant, or the organization gave it back.
    GrantRevoked = "grant.revoked",
    /// An operator created a taxpayer.
    TaxpayerCreated = "taxpayer.created",
    /// A taxpayer's settings or metadata changed.
    TaxpayerUpdated = "taxpayer.updated",
    /// A taxpayer's onboarding status changed.
    TaxpayerStatusChanged = "taxpayer.status_changed",
    /// The onboarding of a business was requested.
    OnboardingRequested = "onboarding.requested",
    /// The verification link that the business received was used.
    OnboardingVerified = "onboarding.verified",
    /// The business confirmed its details.
    OnboardingConfirmed = "onboarding.confirmed",
    /// A session started.
    SignInSucceeded = "sign_in.succeeded",
    /// A user signed out of one session or of all.
    SessionEnded = "session.ended",
    /// A replaced token was used again: all tokens of its family were revoked.
    TokenReuseDetected = "token.reuse_detected",
    /// An operator activated the subscription, or changed its seats.
    SubscriptionSet = "subscription.set",
    /// An operator ended the subscription.
    SubscriptionEnded = "subscription.ended",
    /// An operator set the daily quota for Sandbox.
    QuotaSet = "quota.set",
    /// A webhook endpoint was created.
    EndpointCreated = "endpoint.created",
    /// A webhook endpoint was changed.
    EndpointUpdated = "endpoint.updated",
    /// The signing secret of a webhook endpoint was rotated.
    EndpointSecretRotated = "endpoint.secret_rotated",
    /// A webhook endpoint was disabled: it is gone, or failed for days.
    EndpointDisabled = "endpoint.disabled",
    /// A webhook endpoint was deleted.
    EndpointDeleted = "endpoint.deleted",
    /// A test event was sent to a webhook endpoint.
    EventTested = "event.tested",
    /// An event was sent to a webhook endpoint again.
    DeliveryRetried = "delivery.retried",
    /// The failed deliveries of a webhook endpoint were sent again.
    EndpointReplayed = "endpoint.replayed",
    /// A file of documents was imported.
    ImportCreated = "import.created",
}

/// An entry of a trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Its identifier. Entries are ordered by it.
    pub audit_id: AuditId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its trail.
    pub trail: Trail,
    /// The time of the action.
    pub at: Timestamp,
    /// The actor.
    pub actor: Actor,
    /// The action.
    pub action: Action,
    /// The identifier of the object of the action.
    pub subject: String,
    /// The role that a member was invited with or changed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The IP address of the actor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// The client of the actor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// The request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// An action, before it is recorded.
#[derive(Debug, Clone)]
pub struct Deed<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The actor and the origin.
    pub by: &'a By,
    /// The action.
    pub action: Action,
    /// The identifier of its object.
    pub subject: &'a str,
    /// The time.
    pub at: Timestamp,
}

impl Deed<'_> {
    /// The entry in a trail. IP address and client are personal data of the actor's own party. The trail of the other
    /// party names the actor, but not the origin.
    pub fn entry(&self, audit_id: AuditId, trail: Trail) -> AuditRecord {
        let Origin { ip, user_agent, request_id } = match trail.is_of(&self.by.actor) {
            true => self.by.origin.clone(),
            false => Origin::default(),
        };
        AuditRecord {
            audit_id,
            mode: self.mode,
            trail,
            at: self.at,
            actor: self.by.actor.clone(),
            action: self.action,
            subject: self.subject.to_owned(),
            role: None,
            ip,
            user_agent,
            request_id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    fn entry(actor: Actor, trail: &str) -> AuditRecord {
        let origin = Origin::new(Some("192.0.2.1".into()), Some("curl\r\n/8"), Some("r-1".into()));
        let (by, at) = (By { actor, origin }, Timestamp::UNIX_EPOCH);
        let deed =
            Deed { mode: Mode::Live, by: &by, action: Action::GrantRevoked, subject: "tgr_1", at };
        let id = AuditId::new(at, &SeededRandom::new(1));
        deed.entry(id, trail.to_owned().try_into().unwrap())
    }

    #[test]
    fn where_somebody_was_is_shown_to_his_own_party_alone() {
        let key = || Actor::ApiKey("key_1".parse().unwrap());
        let taxpayer = || Actor::Taxpayer("txpay_1".parse().unwrap());
        for (actor, trail, is_shown) in [
            (key(), "org_1", true),
            (key(), "txpay_1", false),
            (taxpayer(), "txpay_1", true),
            (taxpayer(), "org_1", false),
            (Actor::Operator, "org_1", false),
            (Actor::Unknown("usr_1".to_owned()), "txpay_1", false),
        ] {
            let entry = entry(actor, trail);
            assert_eq!(entry.ip.is_some(), is_shown, "{entry:?}");
            assert_eq!(entry.user_agent, is_shown.then(|| "curl/8".to_owned()));
            assert_eq!(entry.request_id.is_some(), is_shown);
        }
    }

    #[test]
    fn a_long_user_agent_is_cut() {
        let origin = Origin::new(None, Some(&"x".repeat(10_000)), None);
        assert_eq!(origin.user_agent.unwrap().len(), MAX_USER_AGENT);
    }

    #[test]
    fn actions_are_read_by_the_names_they_are_written_with() {
        for action in Action::ALL {
            let text = serde_json::to_value(action).unwrap();
            assert_eq!(text, action.as_str());
            assert_eq!(serde_json::from_value::<Action>(text).unwrap(), *action);
        }
        let later: Action = serde_json::from_value("passkey.added".into()).unwrap();
        assert_eq!(later, Action::Unknown);
    }
}
