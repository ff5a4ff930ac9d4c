//! Notices: what an organization is notified about by mail, and what its mails say.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use super::{super::text, Reached, is_zero};
use crate::{
    access::Notification,
    types::{DocumentId, Mode, OrganizationId, TaxpayerId},
};

/// A notice of an organization, one for each kind. It is a job as long as there may be something to notify about: at
/// once at first, and then once for each time in which events are gathered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The kind of notification.
    pub kind: Notification,
    /// How often something happened while it was a job. A notice ends only if nothing happened since it was read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub arrivals: u32,
    /// The names of the things that members were notified about, or that were too old for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentioned: Vec<String>,
}

/// What a notification says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Notified {
    /// Documents that were rejected, or failed.
    Documents {
        /// [`Notification::Rejected`] or [`Notification::Failed`].
        outcome: Notification,
        /// How many documents; with `is_more`, at least so many.
        count: u32,
        /// Whether there are more documents than were read.
        is_more: bool,
        /// The latest documents.
        documents: Vec<NotifiedDocument>,
    },
    /// Endpoints that have accepted nothing for some time.
    Endpoints {
        /// Their URLs.
        urls: Vec<String>,
    },
    /// Seats of a subscription that are nearly used.
    Seats {
        /// The seats in use.
        in_use: u32,
        /// The seats of the subscription.
        seats: u32,
    },
    /// A daily quota that is nearly used.
    Quota {
        /// The documents that were sent today.
        sent: u32,
        /// The quota.
        most: u32,
    },
    /// A certificate of the service that expires soon.
    Certificate {
        /// The last day of the certificate.
        day: Date,
    },
    /// A sign-in with a browser that has no open session.
    SignIn {
        /// The browser's description of itself.
        browser: Option<String>,
        /// When it signed in.
        #[serde(with = "text::instant")]
        at: Timestamp,
    },
    /// The documents of a day.
    Digest(DayInBrief),
    /// A notification of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A document in a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotifiedDocument {
    /// The document.
    pub document_id: DocumentId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// Its number.
    pub number: String,
    /// The name of the other party.
    pub other_party: String,
    /// What became of it.
    pub reached: Reached,
}

/// The numbers of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayInBrief {
    /// The day in the UAE.
    pub day: Date,
    /// Documents that were sent.
    pub sent: u32,
    /// Documents that were received.
    pub received: u32,
    /// Documents that were rejected, by the recipient's access point or the tax authority.
    pub rejected: u32,
    /// Documents that could not be sent, confirmed or reported.
    pub failed: u32,
    /// Documents that wait for an answer, whatever their day.
    pub waiting: u32,
    /// Documents that wait for longer than they should.
    pub overdue: u32,
    /// Failures of the last days that were not corrected.
    pub open: u32,
}

impl DayInBrief {
    /// Whether no document of the day reached anything.
    pub fn is_quiet(&self) -> bool {
        self.sent == 0 && self.received == 0 && self.rejected == 0 && self.failed == 0
    }
}

impl Reached {
    /// The notification about a failure.
    pub fn notification(self) -> Option<Notification> {
        match self {
            Reached::Rejected | Reached::NotCompliant => Some(Notification::Rejected),
            Reached::Failed | Reached::Unconfirmed | Reached::Unreported => {
                Some(Notification::Failed)
            }
            Reached::Sent
            | Reached::Forwarded
            | Reached::Delivered
            | Reached::Received
            | Reached::Reported
            | Reached::Unknown => None,
        }
    }
}
