//! Applications to onboard a business, from the first page until the taxpayer exists.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, is_zero};
use crate::{
    access::Origin,
    store::Parked,
    types::{ApplicationId, EmailAddress, Mode, TaxpayerId, Tin, TokenHash},
};

/// The status of an application. [`ApplicationStatus::after`] defines the transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplicationStatus {
    /// TIN and e-mail address were entered. The national portal must confirm that the business appointed us, and that
    /// the address is its registered one.
    Appointment,
    /// The portal confirmed both. The link is being sent to the address, or was sent.
    Verification,
    /// The link was used. The details must be confirmed.
    Details,
    /// The details were confirmed. The queue creates the taxpayer and registers it with the tax authority.
    Registration,
    /// Both were done. From here on the taxpayer has its own status.
    HandedOver,
    /// The browser was signed in too.
    Finished,
    /// A status of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A transition of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApplicationStep {
    /// The portal confirmed that the business appointed us and has the address.
    Matched,
    /// The link was used in the browser of the application.
    Verified,
    /// The details were confirmed.
    Confirmed,
    /// The details at the portal differ from the confirmed ones.
    Changed,
    /// The taxpayer exists and is registered with the tax authority.
    Registered,
    /// The browser was signed in.
    SignedIn,
}

impl ApplicationStatus {
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

    /// The status after a step; `None` when it is not the next step.
    pub fn after(self, step: ApplicationStep) -> Option<ApplicationStatus> {
        use ApplicationStatus::{
            Appointment, Details, Finished, HandedOver, Registration, Verification,
        };
        use ApplicationStep::{Changed, Confirmed, Matched, Registered, SignedIn, Verified};
        match (self, step) {
            // A repeated mail meets a matched application.
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

/// When and from where a step was taken, for the later audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneAt {
    /// The instant.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// The IP address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// The browser's User-Agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// The id of the HTTP request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl DoneAt {
    /// A step at an instant, from an origin.
    pub fn new(at: Timestamp, origin: Origin) -> Self {
        let Origin { ip, user_agent, request_id } = origin;
        DoneAt { at, ip, user_agent, request_id }
    }

    /// The origin.
    pub fn origin(&self) -> Origin {
        let DoneAt { ip, user_agent, request_id, .. } = self.clone();
        Origin { ip, user_agent, request_id }
    }
}

/// An application to onboard a business. Only its browser may continue it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplicationRecord {
    /// Its identifier.
    pub application_id: ApplicationId,
    /// Live. Sandbox has another process.
    pub mode: Mode,
    /// The business.
    pub tin: Tin,
    /// The address that was entered, and verified later.
    pub email: EmailAddress,
    /// The browser of the application.
    pub browser: TokenHash,
    /// The path of the page after sign-in.
    pub then: String,
    /// Its status.
    pub status: ApplicationStatus,
    /// When it was created.
    pub asked: DoneAt,
    /// When the link was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<DoneAt>,
    /// When the details were confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<DoneAt>,
    /// SHA-256 of the confirmed details, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The taxpayer that it created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taxpayer_id: Option<TaxpayerId>,
    /// Why the last attempt to register it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Until when a person may continue it.
    #[serde(with = "text::instant")]
    pub expires_at: Timestamp,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was claimed without progress.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
    /// Why it was parked. Only the parking writes this attribute, never the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
}

/// The position up to which the changes at the national portal were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortalCursor {
    /// The cursor for the next request to the portal.
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
        let known = leads.map(|lead| lead.0).into_iter().chain([S::Finished, S::Unknown]);
        for from in known {
            for step in leads.map(|lead| lead.1) {
                let lead = leads.iter().find(|lead| (lead.0, lead.1) == (from, step));
                assert_eq!(from.after(step), lead.map(|lead| lead.2), "{from:?} {step:?}");
            }
        }
    }
}
