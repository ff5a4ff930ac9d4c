//! The sign-in of taxpayers: mails, the links in them, and sessions.

#![expect(
    clippy::disallowed_types,
    reason = "what serde derives for a flattened field; no money is here"
)]

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, DisabledReason, Lease, Notified, is_zero};
use crate::{
    access::Holder,
    i18n::Language,
    types::{ApplicationId, EmailAddress, MailId, Mode, OrganizationId, TokenHash},
};

/// The status of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailStatus {
    /// It must be sent.
    Waiting,
    /// The mail service accepted it.
    Sent,
    /// It was not sent and will not be: nobody has the address, or it is too late.
    Dropped,
    /// A status of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl MailStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            MailStatus::Waiting => "waiting",
            MailStatus::Sent => "sent",
            MailStatus::Dropped => "dropped",
            MailStatus::Unknown => "unknown",
        }
    }
}

/// The subject of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum MailSubject {
    /// Somebody asked to sign in with the address.
    SignIn {
        /// The browser that asked.
        browser: TokenHash,
        /// The path of the page after sign-in, in the mail's mode.
        then: String,
    },
    /// An application presented a used code or token again, so its tokens were ended.
    AccessEnded {
        /// The application's name.
        application: String,
        /// The taxpayer's name.
        business: String,
    },
    /// Another party than the taxpayer revoked the access of an application.
    AccessRevoked {
        /// The application's name.
        application: String,
        /// The organization that had the access.
        organization: String,
        /// The taxpayer's name.
        business: String,
    },
    /// The address for notices to a taxpayer has changed.
    NoticesMoved {
        /// The taxpayer's name.
        business: String,
    },
    /// Somebody wants to onboard a business and entered this as its registered address.
    Onboarding {
        /// The application, which knows the business and the browser.
        application_id: ApplicationId,
    },
    /// Somebody was invited to be a member of an organization.
    Invited {
        /// The organization's name.
        organization: String,
    },
    /// Somebody wants an organization in Sandbox for the address.
    SignUp {
        /// The browser that asked.
        browser: TokenHash,
        /// The organization.
        organization: NewOrganization,
    },
    /// A webhook endpoint of the addressee's organization was disabled by the service.
    EndpointDisabled {
        /// The URL of the endpoint.
        url: String,
        /// The reason.
        reason: DisabledReason,
    },
    /// A notification that a member chose to get.
    Notification {
        /// The organization's name.
        organization: String,
        /// What it says.
        notified: Notified,
    },
    /// A subject of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// An organization that a person asked for. It is created when the person opens the link in the mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewOrganization {
    /// Its identifier.
    pub organization_id: OrganizationId,
    /// Its name.
    pub name: String,
}

/// A mail that must be sent. The record does not tell whether anybody has the address. The worker that sends it looks
/// that up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its identifier.
    pub mail_id: MailId,
    /// The addressee; `None` once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<EmailAddress>,
    /// Its subject.
    pub subject: MailSubject,
    /// Its language.
    pub language: Language,
    /// Its status.
    pub status: MailStatus,
    /// When it was requested.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// From when on it is too late to send it.
    #[serde(with = "text::instant")]
    pub useless_at: Timestamp,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was claimed without progress.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

/// The target of a link in a mail: the sign-in, or the next step of an application. It is found by the hash of its
/// token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// The mail with the link. A mail that was sent twice has two links, and only one can be used.
    pub mail_id: MailId,
    /// The addressee.
    pub to: EmailAddress,
    /// The browser that requested it.
    pub browser: TokenHash,
    /// The path of the page after it.
    pub then: String,
    /// The application that it verifies. Such a link does not sign anybody in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application_id: Option<ApplicationId>,
    /// The organization that it creates. Such a link signs in to that organization alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<NewOrganization>,
    /// When it expires.
    #[serde(with = "text::instant")]
    pub expires_at: Timestamp,
}

/// The use of a mail's link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkUse {
    /// The session that began with it.
    pub session: TokenHash,
    /// When it was used.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
}

/// A session of a taxpayer or of a member of an organization. It is found by the hash of its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// The taxpayer or member that is signed in.
    #[serde(flatten)]
    pub holder: Holder,
    /// The epoch of its holder's sessions in which it began. It ends with the epoch.
    pub epoch: u32,
    /// When it began.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it was last used, approximately.
    #[serde(with = "text::instant")]
    pub last_seen_at: Timestamp,
    /// The browser's User-Agent, shown in the holder's list of sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
}

/// A pointer to a session of a holder. The session itself may have ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionPointer {
    /// The hash of its token.
    pub session: TokenHash,
}

/// How often all sessions of a taxpayer or a member were ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionsRecord {
    /// Counts from 0.
    pub epoch: u32,
}
