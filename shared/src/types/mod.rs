//! The vocabulary of the service: values that are parsed once and cannot be wrong afterwards.

mod clock;
mod id;
mod mode;
mod participant;
mod random;

pub use clock::{Clock, FixedClock, SystemClock, UAE_OFFSET, uae_date};
pub use id::{
    DocumentId, EndpointId, EventId, GrantId, IdError, MessageId, OrganizationId, TaxpayerId,
};
pub use mode::Mode;
pub use participant::{ParticipantError, ParticipantId};
pub use random::{Random, SeededRandom, SystemRandom};
