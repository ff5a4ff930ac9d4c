//! Requests of an SMP to the Service Metadata Locator: BDMSL 1.0, SOAP 1.1 over TLS with the SMP's certificate.
//!
//! A [`Request`] has its service path and its envelope. [`read`] interprets an answer.

mod answer;
mod migration;
mod request;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Fault, FaultKind, MAX_ANSWER_BYTES, read};
pub use migration::{MigrationKey, MigrationKeyError};
pub use request::{CONTENT_TYPE, Publisher, Request};

/// The namespace of the service elements (BDMSL 1.0).
const LOCATOR: &str = "http://busdox.org/serviceMetadata/locator/1.0/";
/// Identifiers.
const ID: &str = "http://busdox.org/transport/identifiers/1.0/";
/// SOAP 1.1.
const SOAP: &str = "http://schemas.xmlsoap.org/soap/envelope/";
