//! Who did what, when and from where, on what decides who may act for whom. Entries are added and never
//! changed; none holds a secret.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Actor;
use crate::types::{AuditId, Mode, OrganizationId, TaxpayerId};

/// The most characters of a `User-Agent` that are kept.
const MAX_USER_AGENT: usize = 256;

/// Where a request came from; nothing of it for who is at the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The address that the connection came from, as the platform saw it.
    pub ip: Option<String>,
    /// What the client said of itself.
    pub user_agent: Option<String>,
    /// The request, as logs and answers name it.
    pub request_id: Option<String>,
}

impl Origin {
    /// A request's origin. What the client says of itself is cut, and kept without control characters.
    pub fn new(ip: Option<String>, user_agent: Option<&str>, request_id: Option<String>) -> Self {
        let kept = |text: &str| {
            let shown = text.chars().filter(|character| !character.is_control());
            shown.take(MAX_USER_AGENT).collect()
        };
        Origin { ip, user_agent: user_agent.map(kept), request_id }
    }
}

/// Who does something, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// Who.
    pub actor: Actor,
    /// From where.
    pub origin: Origin,
}

impl By {
    /// Whoever operates the deployment, at the command line.
    pub fn operator() -> Self {
        By { actor: Actor::Operator, origin: Origin::default() }
    }

    /// The national tax portal, by what it says of a business.
    pub fn national_portal() -> Self {
        By { actor: Actor::NationalPortal, origin: Origin::default() }
    }

    /// The service itself, by a rule that it follows.
    pub fn service() -> Self {
        By { actor: Actor::Service, origin: Origin::default() }
    }
}

/// Whose trail an entry is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Trail {
    /// An organization's.
    Organization(OrganizationId),
    /// A taxpayer's.
    Taxpayer(TaxpayerId),
}

impl Trail {
    /// Whether the actor is of the party whose trail it is. Whoever operates the deployment is of neither.
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
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Action {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
            /// An action of a newer version.
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
    /// An organization was made.
    OrganizationCreated = "organization.created",
    /// An API key was made.
    KeyCreated = "key.created",
    /// An API key was revoked.
    KeyRevoked = "key.revoked",
    /// Somebody was invited to be a member.
    MemberInvited = "member.invited",
    /// A member signed in for the first time.
    MemberJoined = "member.joined",
    /// A member got another role.
    MemberRoleChanged = "member.role_changed",
    /// Somebody is a member no more.
    MemberRemoved = "member.removed",
    /// An OAuth client was made.
    ClientCreated = "client.created",
    /// An OAuth client got other redirect URIs.
    ClientUpdated = "client.updated",
    /// An OAuth client got another secret.
    ClientSecretRotated = "client.secret_rotated",
    /// A taxpayer approved an organization.
    GrantApproved = "grant.approved",
    /// A taxpayer's approval was taken back, or given up by the organization.
    GrantRevoked = "grant.revoked",
    /// An operator created a taxpayer.
    TaxpayerCreated = "taxpayer.created",
    /// A taxpayer's settings or metadata changed.
    TaxpayerUpdated = "taxpayer.updated",
    /// A taxpayer's onboarding status changed.
    TaxpayerStatusChanged = "taxpayer.status_changed",
    /// Somebody asked to onboard a business.
    OnboardingRequested = "onboarding.requested",
    /// The link that the business was sent for that was used.
    OnboardingVerified = "onboarding.verified",
    /// The business confirmed its details.
    OnboardingConfirmed = "onboarding.confirmed",
    /// A session began.
    SignInSucceeded = "sign_in.succeeded",
    /// Somebody signed out: of one session, or of all.
    SessionEnded = "session.ended",
    /// A token came that had been replaced: all that came of it were ended.
    TokenReuseDetected = "token.reuse_detected",
    /// An operator had the subscription be active, or gave it other seats.
    SubscriptionSet = "subscription.set",
    /// An operator ended the subscription.
    SubscriptionEnded = "subscription.ended",
    /// An operator set how much may be sent in Sandbox on a day.
    QuotaSet = "quota.set",
    /// A webhook endpoint was made.
    EndpointCreated = "endpoint.created",
    /// A webhook endpoint was changed.
    EndpointUpdated = "endpoint.updated",
    /// A webhook endpoint got another signing secret.
    EndpointSecretRotated = "endpoint.secret_rotated",
    /// A webhook endpoint was disabled, since it is gone or took nothing for days.
    EndpointDisabled = "endpoint.disabled",
    /// A webhook endpoint was deleted.
    EndpointDeleted = "endpoint.deleted",
    /// A test event was sent to a webhook endpoint.
    EventTested = "event.tested",
    /// An event was sent to a webhook endpoint again.
    DeliveryRetried = "delivery.retried",
    /// What failed at a webhook endpoint was sent again.
    EndpointReplayed = "endpoint.replayed",
    /// A file of documents was imported.
    ImportCreated = "import.created",
}

/// An entry of a trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Its identifier: entries are in the order of theirs.
    pub audit_id: AuditId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Whose trail it is in.
    pub trail: Trail,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub action: Action,
    /// The identifier of what it was done to.
    pub subject: String,
    /// From which address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// By which client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// In which request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// What was done, before it is written down.
#[derive(Debug, Clone)]
pub struct Deed<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Who, and from where.
    pub by: &'a By,
    /// What.
    pub action: Action,
    /// To what.
    pub subject: &'a str,
    /// When.
    pub at: Timestamp,
}

impl Deed<'_> {
    /// The entry in a trail. Address and client of somebody are personal data of his own party: the other
    /// party's trail tells that he did it, and not from where.
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
    fn where_somebody_was_is_told_to_his_own_party_alone() {
        let key = || Actor::ApiKey("key_1".parse().unwrap());
        let taxpayer = || Actor::Taxpayer("txpay_1".parse().unwrap());
        for (actor, trail, told) in [
            (key(), "org_1", true),
            (key(), "txpay_1", false),
            (taxpayer(), "txpay_1", true),
            (taxpayer(), "org_1", false),
            (Actor::Operator, "org_1", false),
            (Actor::Unknown("usr_1".to_owned()), "txpay_1", false),
        ] {
            let entry = entry(actor, trail);
            assert_eq!(entry.ip.is_some(), told, "{entry:?}");
            assert_eq!(entry.user_agent, told.then(|| "curl/8".to_owned()));
            assert_eq!(entry.request_id.is_some(), told);
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
