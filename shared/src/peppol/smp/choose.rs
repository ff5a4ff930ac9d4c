//! The choice of the access point for a document among the registered ones (Peppol SMP 1.4).

use jiff::Timestamp;

use super::{
    address::{AddressError, Reach, check_address},
    metadata::{ServiceEndpoint, ServiceInformation},
};
use crate::peppol::{
    dom::unwrap_base64,
    identifiers::{Process, quoted},
    pki::{Certificate, CertificateError},
};

/// A usable access point. Its certificate is not checked for trust yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Its address.
    pub address: String,
    /// The certificate that messages are encrypted for.
    pub certificate: Certificate,
    /// The end of service; `None` without a limit.
    pub expiration: Option<Timestamp>,
}

/// Why the recipient's registration does not cover the document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCapable {
    /// The document type is not registered.
    #[error("it receives no documents of this type")]
    DocumentType,
    /// No registration is as wide as the sender requires.
    #[error(
        "it has neither the registration {0}, where the profile of the document starts the search, nor a wider one; \
         without * in the profile, narrower ones are used too"
    )]
    Sought(String),
    /// The document type is not registered for this process.
    #[error("it receives such documents, but not in the process {0}")]
    Process(String),
    /// The document type is not registered for this transport.
    #[error("it does not receive by {wanted}, but by {offered}")]
    Transport {
        /// The requested transport.
        wanted: String,
        /// The registered transports.
        offered: String,
    },
    /// The service has not started.
    #[error("it receives such documents from {0}")]
    NotYetActive(Timestamp),
    /// The service has ended.
    #[error("it received such documents until {0}")]
    Expired(Timestamp),
}

/// Why a registration is defective.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// The address is invalid.
    #[error("its access point: {0}")]
    Address(#[from] AddressError),
    /// The certificate is invalid.
    #[error("its access point's certificate: {0}")]
    Certificate(#[from] CertificateError),
}

/// Why no access point was chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// The registration does not cover the document.
    #[error(transparent)]
    NotCapable(#[from] NotCapable),
    /// The registration is defective.
    #[error(transparent)]
    Defect(#[from] Defect),
}

/// The first access point for a process and a transport that is active now.
pub fn choose(
    information: &ServiceInformation,
    process: &Process,
    transport_profile: &str,
    now: Timestamp,
    reach: Reach,
) -> Result<Endpoint, ChoiceError> {
    let of_process = information.processes.iter().filter(|one| one.process == *process);
    let endpoints: Vec<_> = of_process.flat_map(|one| &one.endpoints).collect();
    if endpoints.is_empty() {
        return Err(NotCapable::Process(process.to_string()).into());
    }
    let mut by_transport =
        endpoints.iter().filter(|one| one.transport_profile == transport_profile);
    let mut reason = None;
    let active = by_transport.find(|one| match check_dates(one, now) {
        Ok(()) => true,
        Err(inactive) => {
            reason.get_or_insert(inactive);
            false
        }
    });
    let endpoint = active.ok_or_else(|| {
        reason.unwrap_or_else(|| NotCapable::Transport {
            wanted: transport_profile.to_owned(),
            offered: offered(&endpoints),
        })
    })?;
    Ok(usable(endpoint, reach)?)
}

fn offered(endpoints: &[&ServiceEndpoint]) -> String {
    let profiles: Vec<_> = endpoints.iter().map(|one| one.transport_profile.as_str()).collect();
    quoted(&profiles.join(", "))
}

/// Checks the dates of service; both bounds are inclusive.
fn check_dates(endpoint: &ServiceEndpoint, now: Timestamp) -> Result<(), NotCapable> {
    match (endpoint.activation, endpoint.expiration) {
        (Some(from), _) if now < from => Err(NotCapable::NotYetActive(from)),
        (_, Some(until)) if now > until => Err(NotCapable::Expired(until)),
        _ => Ok(()),
    }
}

fn usable(endpoint: &ServiceEndpoint, reach: Reach) -> Result<Endpoint, Defect> {
    check_address(&endpoint.address, reach)?;
    let certificate = read_certificate(&endpoint.certificate)?;
    Ok(Endpoint { address: endpoint.address.clone(), certificate, expiration: endpoint.expiration })
}

/// Reads base64 of DER, in one line or several, as the schema requires. Some SMPs write PEM: that is read too.
fn read_certificate(text: &str) -> Result<Certificate, CertificateError> {
    let body = text.trim_ascii();
    let body = body.strip_prefix("-----BEGIN CERTIFICATE-----").unwrap_or(body);
    let body = body.strip_suffix("-----END CERTIFICATE-----").unwrap_or(body);
    let der = unwrap_base64(body)
        .ok_or_else(|| CertificateError::Pem("its base64 is damaged".to_owned()))?;
    Certificate::from_der(der)
}
