//! The access point for a document among those that are registered (Peppol SMP 1.4).

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

/// An access point that can be sent to, but for its certificate, which is yet to be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Where it is.
    pub address: String,
    /// Whom messages are encrypted for.
    pub certificate: Certificate,
    /// Until when it is sent to; for good, if nothing is said.
    pub expiration: Option<Timestamp>,
}

/// What the recipient cannot receive, says its registration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCapable {
    /// Not this type of document.
    #[error("it receives no documents of this type")]
    DocumentType,
    /// Not by a registration that the sender asks for.
    #[error(
        "it has no registration {0}, at which the profile of the document has the search begin, and no \
         wider one; without * in the profile, narrower ones are taken as well"
    )]
    Sought(String),
    /// Not in this process.
    #[error("it receives such documents, but not in the process {0}")]
    Process(String),
    /// Not by this transport.
    #[error("it does not receive by {wanted}, but by {offered}")]
    Transport {
        /// What is wanted.
        wanted: String,
        /// What there is.
        offered: String,
    },
    /// Not yet.
    #[error("it receives such documents from {0}")]
    NotYetActive(Timestamp),
    /// No longer.
    #[error("it received such documents until {0}")]
    Expired(Timestamp),
}

/// What is wrong with a registration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// Its address.
    #[error("its access point: {0}")]
    Address(#[from] AddressError),
    /// Its certificate.
    #[error("its access point's certificate: {0}")]
    Certificate(#[from] CertificateError),
}

/// Why there is no access point to send to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// The registration says so.
    #[error(transparent)]
    NotCapable(#[from] NotCapable),
    /// The registration is wrong.
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

/// Both bounds belong to the time of service.
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

/// Base64 of DER as the schema wants it, in one line or several; or PEM, which some SMPs put there.
fn read_certificate(text: &str) -> Result<Certificate, CertificateError> {
    let body = text.trim_ascii();
    let body = body.strip_prefix("-----BEGIN CERTIFICATE-----").unwrap_or(body);
    let body = body.strip_suffix("-----END CERTIFICATE-----").unwrap_or(body);
    let der = unwrap_base64(body)
        .ok_or_else(|| CertificateError::Pem("its base64 is damaged".to_owned()))?;
    Certificate::from_der(der)
}
