//! The basic types of the service. Their values are parsed once and valid afterwards.

#[cfg(feature = "service")]
mod addresses;
#[cfg(feature = "service")]
mod brand;
mod clock;
mod colour;
mod content_kind;
#[cfg(feature = "service")]
mod email;
mod hex;
mod id;
#[cfg(feature = "service")]
mod lock;
mod mode;
#[cfg(feature = "service")]
mod opaque;
mod participant;
mod random;
#[cfg(feature = "service")]
mod tin;

#[cfg(feature = "service")]
pub use addresses::Addresses;
#[cfg(feature = "service")]
pub use brand::{Brand, Logo};
pub use clock::{Clock, FixedClock, SystemClock, UAE_OFFSET, timed, uae_date};
pub use colour::{Colour, NoColour, contrast, mixed, readable};
pub use content_kind::ContentKind;
#[cfg(feature = "service")]
pub use email::{EmailAddress, NoAddress};
#[cfg(feature = "service")]
pub(crate) use hex::hex;
pub(crate) use hex::sha256_hex;
pub use id::{
    ApplicationId, ArchiveId, AuditId, ClientId, DocumentId, EndpointId, EventId, FamilyId,
    GrantId, IdError, ImportId, KeyId, MailId, MemberId, MessageId, OrganizationId, ReportId,
    TaxpayerId,
};
#[cfg(feature = "service")]
pub use lock::{Lock, LockMode};
pub use mode::{ByMode, Mode};
#[cfg(feature = "service")]
pub use opaque::{NoToken, OpaqueToken, TokenHash};
pub use participant::{ParticipantError, ParticipantId};
pub use random::{Random, SeededRandom, SystemRandom};
#[cfg(feature = "service")]
pub use tin::{NoTin, Tin};
