//! The records of the table's items, except those of tenants (see [`access`](crate::access)). The records are
//! independent of AWS. The functions in `store` read and write them.

mod application;
mod archive;
mod document;
mod draft;
mod event;
mod exchange;
mod idempotency;
mod import;
mod message;
mod mls_outbound;
mod notice;
mod peppol_reports;
mod registration;
mod settings;
mod sign_in;
mod status;
mod subscription;
mod tax_report;
mod transmission;
mod usage;
mod webhook;

pub use application::*;
pub use archive::*;
pub use document::*;
pub use draft::*;
pub use event::*;
pub use exchange::*;
pub use idempotency::*;
pub use import::*;
pub use message::*;
pub use mls_outbound::*;
pub use notice::*;
pub use peppol_reports::*;
pub use registration::*;
pub use settings::*;
pub use sign_in::*;
pub use status::*;
pub use subscription::*;
pub use tax_report::*;
pub use transmission::*;
pub use usage::*;
pub use webhook::*;
