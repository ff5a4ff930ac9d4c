//! What onboarding asks of the national tax portal, whatever the portal speaks.

use jiff::{Timestamp, civil::Date};
use serde_json::Value;

use crate::{
    access::Confirmed,
    error::{Code, Failure},
    tasks::Boxed,
    types::{EmailAddress, TaxpayerId, Tin, sha256_hex, uae_date},
};

/// The national tax portal. It is asked about one business at a time; whatever it is told twice counts once.
pub trait NationalPortal: Send + Sync {
    /// What the portal has of a business.
    fn business<'a>(&'a self, tin: &'a Tin) -> Boxed<'a, Result<Known, PortalError>>;

    /// Registers a business with the tax authority, as one that this service provider serves. One that is registered
    /// stays so.
    fn register<'a>(
        &'a self,
        tin: &'a Tin,
        taxpayer_id: &'a TaxpayerId,
    ) -> Boxed<'a, Result<(), PortalError>>;

    /// The businesses of which something changed since a cursor, the oldest change first; from the first change on
    /// without one.
    fn changes<'a>(&'a self, after: Option<&'a str>) -> Boxed<'a, Result<Changes, PortalError>>;
}

/// What the portal has of a business.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// There is no business with the TIN.
    Nobody,
    /// It has not appointed this service as its service provider: nothing of it is told.
    NotAppointed,
    /// It has.
    Appointed(Box<Business>),
}

/// A business that appointed this service.
#[derive(Debug, Clone, PartialEq)]
pub struct Business {
    /// Whether it may do business.
    pub standing: Standing,
    /// Its registered e-mail address, if it has one that can be written to.
    pub email: Option<EmailAddress>,
    /// Its details: the JSON of a party.
    pub details: Value,
    /// What was confirmed before this day, in the UAE, must be confirmed again from then on.
    pub confirm_from: Option<Date>,
}

/// Whether a business may do business.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It may.
    Active,
    /// Not for now.
    Suspended,
    /// It is registered no more.
    Deregistered,
}

impl Business {
    /// SHA-256, in hex, of what a person confirms: details and address. Members of JSON objects are in the order of their
    /// names, whatever the portal's.
    pub fn digest(&self) -> String {
        let email = self.email.as_ref().map_or("", EmailAddress::as_str);
        sha256_hex(format!("{email}\n{}", self.details).as_bytes())
    }

    /// Whether what a taxpayer confirmed is not what it should have confirmed by now.
    pub fn is_to_be_confirmed(&self, confirmed: &Confirmed, now: Timestamp) -> bool {
        let is_due = |day| uae_date(confirmed.at) < day && day <= uae_date(now);
        confirmed.outdated
            || confirmed.digest != self.digest()
            || self.confirm_from.is_some_and(is_due)
    }
}

/// Businesses of which something changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// Their TINs.
    pub tins: Vec<Tin>,
    /// What to ask with the next time.
    pub cursor: String,
    /// Whether there are more by now.
    pub more: bool,
}

/// Why the portal gave no answer to go by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortalError {
    /// It may another time.
    #[error("the national portal: {0}")]
    Unavailable(String),
    /// It takes somebody who mends the cause.
    #[error("the national portal refuses: {0}")]
    Refused(String),
}

impl From<PortalError> for Failure {
    fn from(error: PortalError) -> Self {
        let code = match error {
            PortalError::Unavailable(_) => Code::ServiceUnavailable,
            // It does not go away by trying again.
            PortalError::Refused(_) => Code::InternalError,
        };
        Failure::new(code, "The national portal could not be asked.").because(error)
    }
}
