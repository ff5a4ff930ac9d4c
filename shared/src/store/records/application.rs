//! Wishes to onboard a business, from the first page until there is a taxpayer.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, is_zero};
use crate::{
    access::Origin,
    store::Parked,
    types::{ApplicationId, EmailAddress, Mode, TaxpayerId, Tin, TokenHash},
};

/// How far an application is. What leads from one status to another: [`ApplicationStatus::after`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplicationStatus {
    /// TIN and e-mail address were given. The portal is yet to say that the business appointed us, and that the address is
    /// its registered one.
    Appointment,
    /// It said so; the link is on its way to that address, or there.
    Verification,
    /// The link was used; the details are yet to be confirmed.
    Details,
    /// They were; the taxpayer is to be made, and the tax authority to be told, by the queue.
    Registration,
    /// Both were done: what follows is the taxpayer's own status.
    HandedOver,
    /// And its browser was signed in.
    Finished,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// What brings an application on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApplicationStep {
    /// The portal said that the business appointed us and has the address.
    Matched,
    /// The link was used in the browser that asked.
    Verified,
    /// The details were confirmed.
    Confirmed,
    /// The portal has something else by now than what was confirmed.
    Changed,
    /// The taxpayer is there, and the tax authority knows it.
    Registered,
    /// The browser was signed in.
    SignedIn,
}

impl ApplicationStep {
    /// All of them.
    pub const ALL: [ApplicationStep; 6] = [
        ApplicationStep::Matched,
        ApplicationStep::Verified,
        ApplicationStep::Confirmed,
        ApplicationStep::Changed,
        ApplicationStep::Registered,
        ApplicationStep::SignedIn,
    ];
}

impl ApplicationStatus {
    /// Every status that this version knows.
    pub const ALL: [ApplicationStatus; 6] = [
        ApplicationStatus::Appointment,
        ApplicationStatus::Verification,
        ApplicationStatus::Details,
        ApplicationStatus::Registration,
        ApplicationStatus::HandedOver,
        ApplicationStatus::Finished,
    ];

    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            ApplicationStatus::Appointment => "appointment",
            ApplicationStatus::Verification => "verification",
            ApplicationStatus::Details => "details",
            ApplicationStatus::Registration => "registration",
            ApplicationStatus::HandedOver => "handed_over",
            ApplicationStatus::Finished => "finished",
            ApplicationStatus::Unknown => "unknown",
        }
    }

    /// Where a step leads from here; nowhere where it is not its turn.
    pub fn after(self, step: ApplicationStep) -> Option<ApplicationStatus> {
        use ApplicationStatus::{
            Appointment, Details, Finished, HandedOver, Registration, Verification,
        };
        use ApplicationStep::{Changed, Confirmed, Matched, Registered, SignedIn, Verified};
        match (self, step) {
            // A mail that is sent again finds it matched.
            (Appointment | Verification, Matched) => Some(Verification),
            (Verification, Verified) => Some(Details),
            (Details, Confirmed) => Some(Registration),
            (Registration, Changed) => Some(Details),
            (Registration, Registered) => Some(HandedOver),
            (HandedOver, SignedIn) => Some(Finished),
            _ => None,
        }
    }
}

/// When something was done, and from where: for the audit trail that there will be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneAt {
    /// When.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// From which address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// By which browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// In which request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl DoneAt {
    /// At an instant, from somewhere.
    pub fn new(at: Timestamp, origin: Origin) -> Self {
        let Origin { ip, user_agent, request_id } = origin;
        DoneAt { at, ip, user_agent, request_id }
    }

    /// From where.
    pub fn origin(&self) -> Origin {
        let DoneAt { ip, user_agent, request_id, .. } = self.clone();
        Origin { ip, user_agent, request_id }
    }
}

/// A wish to onboard a business. Its browser alone may go on with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplicationRecord {
    /// Its name.
    pub application_id: ApplicationId,
    /// Live; Sandbox has another way.
    pub mode: Mode,
    /// The business.
    pub tin: Tin,
    /// The address that was typed, and verified later.
    pub email: EmailAddress,
    /// The browser.
    pub browser: TokenHash,
    /// The path to go on with in the end.
    pub then: String,
    /// How far it is.
    pub status: ApplicationStatus,
    /// When it was asked for.
    pub asked: DoneAt,
    /// When the link was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<DoneAt>,
    /// When the details were confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<DoneAt>,
    /// SHA-256, in hex, of what was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The taxpayer that came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taxpayer_id: Option<TaxpayerId>,
    /// Why it could not be registered when that was last tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Until when a person may go on with it.
    #[serde(with = "text::instant")]
    pub expires_at: Timestamp,
    /// Who is at work on it, and until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was taken up without coming on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
    /// Why it was given up, if it was: written by what gives up, never with the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
}

/// How far the changes at the national portal were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortalCursor {
    /// What to ask the portal with.
    pub cursor: String,
    /// When it was last moved.
    #[serde(with = "text::instant")]
    pub read_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_all_pairs_of_status_and_step_these_lead_on_and_no_others() {
        use ApplicationStatus as S;
        use ApplicationStep as T;
        let leads = [
            (S::Appointment, T::Matched, S::Verification),
            (S::Verification, T::Matched, S::Verification),
            (S::Verification, T::Verified, S::Details),
            (S::Details, T::Confirmed, S::Registration),
            (S::Registration, T::Changed, S::Details),
            (S::Registration, T::Registered, S::HandedOver),
            (S::HandedOver, T::SignedIn, S::Finished),
        ];
        for from in S::ALL.into_iter().chain([S::Unknown]) {
            for step in T::ALL {
                let lead = leads.iter().find(|lead| (lead.0, lead.1) == (from, step));
                assert_eq!(from.after(step), lead.map(|lead| lead.2), "{from:?} {step:?}");
            }
        }
    }
}
