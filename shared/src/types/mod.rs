//! The vocabulary of the service: values that are parsed once and cannot be wrong afterwards.

mod clock;
mod hex;
mod id;
mod mode;
mod participant;
mod random;

pub use clock::{Clock, FixedClock, SystemClock, UAE_OFFSET, timed, uae_date};
#[cfg(feature = "service")]
pub(crate) use hex::hex;
pub(crate) use hex::sha256_hex;
pub use id::{
    AuditId, ClientId, DocumentId, EndpointId, EventId, GrantId, IdError, KeyId, MessageId,
    OrganizationId, ReportId, TaxpayerId,
};
pub use mode::{ByMode, Mode};
pub use participant::{ParticipantError, ParticipantId};
pub use random::{Random, SeededRandom, SystemRandom};
