//! How taxpayers sign in: mails on their way, the links in them, sessions.

#![expect(
    clippy::disallowed_types,
    reason = "what serde derives for a flattened field; no money is here"
)]

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, DisabledReason, Lease, is_zero};
use crate::{
    access::Holder,
    i18n::Language,
    types::{ApplicationId, EmailAddress, MailId, Mode, TokenHash},
};

/// How far a mail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailStatus {
    /// It is to be sent.
    Waiting,
    /// The mail service took it.
    Sent,
    /// It was not sent and will not be: nobody has the address, or it came too late.
    Dropped,
    /// A word of a newer version.
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

/// What a mail is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum MailSubject {
    /// Somebody asked to sign in with the address.
    SignIn {
        /// The browser that asked.
        browser: TokenHash,
        /// The path to go on with, of the mail's mode.
        then: String,
    },
    /// What had been used came again from an application: its tokens were ended.
    AccessEnded {
        /// The application's name.
        application: String,
        /// The taxpayer's.
        business: String,
    },
    /// Notices to a taxpayer go to another address than before.
    NoticesMoved {
        /// The taxpayer's name.
        business: String,
    },
    /// Somebody wants to onboard a business, and says that this is its registered address.
    Onboarding {
        /// The application, which knows the business and the browser.
        application_id: ApplicationId,
    },
    /// Somebody was invited to be a member of an organization.
    Invited {
        /// The organization's name.
        organization: String,
    },
    /// A webhook endpoint of the addressee's organization was disabled by the service.
    EndpointDisabled {
        /// Where the endpoint is.
        url: String,
        /// Why.
        reason: DisabledReason,
    },
    /// One of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A mail that somebody is to get. Nothing in it tells whether anybody has the address: that is looked up by who
/// sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its name.
    pub mail_id: MailId,
    /// To whom; none once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<EmailAddress>,
    /// What it is about.
    pub subject: MailSubject,
    /// The language that it is written in.
    pub language: Language,
    /// How far it is.
    pub status: MailStatus,
    /// When it was asked for.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// From when on it would come too late.
    #[serde(with = "text::instant")]
    pub useless_at: Timestamp,
    /// Who is at work on it, and until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was taken up without coming on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

/// What a link in a mail leads to: to signing in, or on with an application; found by the hash of its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// The mail that it is in. A mail that was sent twice has two links, of which one can be used.
    pub mail_id: MailId,
    /// To whom it was sent.
    pub to: EmailAddress,
    /// The browser that asked for it.
    pub browser: TokenHash,
    /// The path to go on with.
    pub then: String,
    /// The application that it verifies. Such a link signs nobody in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application_id: Option<ApplicationId>,
    /// When its time is over.
    #[serde(with = "text::instant")]
    pub expires_at: Timestamp,
}

/// That a link of a mail was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkUse {
    /// The session that began with it.
    pub session: TokenHash,
    /// When.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
}

/// A session of a taxpayer or of a member of an organization; found by the hash of its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// Who is signed in.
    #[serde(flatten)]
    pub holder: Holder,
    /// The epoch of its holder's sessions in which it began: when that is over, so is it.
    pub epoch: u32,
    /// When it began.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it was last used, more or less.
    #[serde(with = "text::instant")]
    pub last_seen_at: Timestamp,
    /// What the browser said of itself, for who looks through his sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
}

/// A session among those of its holder. It may be over: the session itself says so.
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
