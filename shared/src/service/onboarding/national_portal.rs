//! The interface to the national tax portal, independent of its protocol.

use jiff::{Timestamp, civil::Date};
use serde_json::Value;

use crate::{
    access::Confirmed,
    error::{Code, Failure},
    tasks::Boxed,
    types::{EmailAddress, TaxpayerId, Tin, sha256_hex, uae_date},
};

/// The national tax portal. Each request concerns one business. A repeated request has no further effect.
pub trait NationalPortal: Send + Sync {
    /// The portal's data about a business.
    fn business<'a>(&'a self, tin: &'a Tin) -> Boxed<'a, Result<Known, PortalError>>;

    /// Registers a business with the tax authority as one that this service provider serves. A registered business
    /// stays registered.
    fn register<'a>(
        &'a self,
        tin: &'a Tin,
        taxpayer_id: &'a TaxpayerId,
    ) -> Boxed<'a, Result<(), PortalError>>;

    /// The businesses that changed since a cursor, the oldest change first. Without a cursor, all changes.
    fn changes<'a>(&'a self, after: Option<&'a str>) -> Boxed<'a, Result<Changes, PortalError>>;
}

/// The portal's data about a business.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// There is no business with the TIN.
    Nobody,
    /// It has not appointed this service as its service provider: the portal gives no data about it.
    NotAppointed,
    /// It has appointed this service.
    Appointed(Box<Business>),
}

/// A business that appointed this service.
#[derive(Debug, Clone, PartialEq)]
pub struct Business {
    /// Whether it may do business.
    pub standing: Standing,
    /// Its registered e-mail address, if it has a valid one.
    pub email: Option<EmailAddress>,
    /// Its details: the JSON of a party.
    pub details: Value,
    /// From this day on (in the UAE), details that were confirmed earlier must be confirmed again.
    pub confirm_from: Option<Date>,
}

/// Whether a business may do business.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It may do business.
    Active,
    /// It may not for now.
    Suspended,
    /// It is not registered any more.
    Deregistered,
}

impl Business {
    /// SHA-256, in hex, of the details and the address that a person confirms. Members of JSON objects are sorted by
    /// name, so that the portal's order does not matter.
    pub fn digest(&self) -> String {
        let email = self.email.as_ref().map_or("", EmailAddress::as_str);
        sha256_hex(format!("{email}\n{}", self.details).as_bytes())
    }

    /// Whether a taxpayer must confirm again.
    pub fn is_to_be_confirmed(&self, confirmed: &Confirmed, now: Timestamp) -> bool {
        let is_due = |day| uae_date(confirmed.at) < day && day <= uae_date(now);
        confirmed.outdated
            || confirmed.digest != self.digest()
            || self.confirm_from.is_some_and(is_due)
    }
}

/// Changed businesses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// Their TINs.
    pub tins: Vec<Tin>,
    /// The cursor of the next request.
    pub cursor: String,
    /// Whether there are more by now.
    pub more: bool,
}

/// Why the portal's answer is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortalError {
    /// A temporary failure.
    #[error("the national portal: {0}")]
    Unavailable(String),
    /// A failure that a person must correct.
    #[error("the national portal refuses: {0}")]
    Refused(String),
}

impl From<PortalError> for Failure {
    fn from(error: PortalError) -> Self {
        let code = match error {
            PortalError::Unavailable(_) => Code::ServiceUnavailable,
            // A retry does not help.
            PortalError::Refused(_) => Code::InternalError,
        };
        Failure::new(code, "The request to the national portal failed.").because(error)
    }
}
