//! The use cases, one file for each. They use the store and the documents. They do not depend on HTTP.

mod abandon;
pub mod archives;
pub mod audit;
mod authorize;
pub mod billing;
pub mod business_cards;
pub mod buyers;
mod context;
pub mod convert;
mod corrections;
pub mod deliver;
pub mod demo;
pub mod dispatch;
pub mod documents;
pub mod drafts;
mod events;
pub mod exchange_counts;
mod failures;
pub mod file_name;
pub mod grants;
pub mod history;
mod idempotency;
pub mod imports;
pub(crate) mod inspect;
pub mod job;
mod local_delivery;
pub mod logos;
mod mac_key;
pub mod mail;
pub mod members;
mod mls_inbound;
pub mod mls_outbound;
pub mod names;
mod network;
mod new_mail;
mod notices;
pub mod notifications;
pub mod oauth;
pub mod onboarding;
pub mod organizations;
pub mod overview;
pub mod page;
pub mod peppol_reports;
pub(crate) mod pipeline;
pub mod publish;
pub mod quotas;
pub mod receive;
pub(crate) mod record;
pub mod redrive;
pub(crate) mod references;
pub mod register;
pub mod relay;
pub(crate) mod repetition;
pub mod reply;
pub mod report;
pub mod reports;
pub mod requests;
pub mod reseal;
pub mod resubmission;
pub mod retirement;
pub mod retry;
pub mod saved_views;
pub mod service_status;
pub mod sessions;
pub mod sign_in;
pub mod sign_up;
pub mod submit;
pub mod subscriptions;
pub mod sweep;
mod tax_report_event;
pub mod taxpayers;
pub mod test_businesses;
pub(crate) mod transmit;
pub mod trust_refresh;
pub mod usage;
pub mod validate_inbound;
pub mod verification;
pub mod verification_links;
pub mod webhooks;

use jiff::{SignedDuration, Timestamp};

use crate::types::Random;

pub use crate::store::{QUEUE_GRACE, RELAY_GRACE};
pub use authorize::{Identity, authorize, authorize_organization, organization, whoami};
pub use context::*;
pub use network::{Connection, Dns, Network, Parts};

/// A random part of a duration.
pub(crate) fn part(of: SignedDuration, random: &dyn Random) -> SignedDuration {
    let mut bytes = [0; 4];
    random.fill(&mut bytes);
    let millis = i64::try_from(of.as_millis()).unwrap_or(i64::MAX);
    SignedDuration::from_millis(i64::from(u32::from_be_bytes(bytes)) % millis.max(1))
}

/// An instant some time later.
pub(crate) fn later(instant: Timestamp, by: SignedDuration) -> Timestamp {
    instant.saturating_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests;
