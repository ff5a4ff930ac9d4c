//! A lookup result for the cache. It is stored as text, and every use checks the certificate again.

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    ask::Ask,
    error::{Defective, LookupError},
    walk::{Found, Step, Terms, trusted},
};
use crate::peppol::{
    identifiers::DocumentType,
    pki::{Certificate, CertificateError, Role},
    smp::{Defect, NotCapable},
};

/// A lookup result in its stored form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The address of the access point.
    pub address: String,
    /// Its certificate, base64 of DER.
    pub certificate: String,
    /// The registration that covers the document.
    pub registration: DocumentType,
    /// The end of service, if the SMP states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration: Option<Timestamp>,
    /// The SMP from the DNS record.
    pub publisher: String,
    /// The steps of the lookup.
    pub steps: Vec<Step>,
}

impl From<&Found> for Remembered {
    fn from(found: &Found) -> Self {
        Remembered {
            address: found.address.clone(),
            certificate: STANDARD.encode(found.certificate.der()),
            registration: found.registration.clone(),
            expiration: found.expiration,
            publisher: found.publisher.clone(),
            steps: found.steps.clone(),
        }
    }
}

impl Remembered {
    /// The result, if it is still valid. It fails when the certificate has expired or was revoked, or when the
    /// service of the access point has ended.
    pub async fn recheck(&self, ask: &impl Ask, terms: &Terms<'_>) -> Result<Found, LookupError> {
        if let Some(until) = self.expiration.filter(|until| terms.now > *until) {
            return Err(NotCapable::Expired(until).into());
        }
        let der = STANDARD.decode(&self.certificate);
        let der = der.map_err(|error| CertificateError::Der(error.to_string()));
        let certificate = der
            .and_then(Certificate::from_der)
            .map_err(|error| Defective::Endpoint(Defect::Certificate(error)))?;
        let certificate = trusted(ask, terms, &certificate, Role::AccessPoint)
            .await
            .map_err(LookupError::of_access_point)?;
        Ok(Found {
            address: self.address.clone(),
            certificate,
            registration: self.registration.clone(),
            expiration: self.expiration,
            publisher: self.publisher.clone(),
            steps: self.steps.clone(),
        })
    }
}
