//! What was found, for a cache: as text, and to be trusted anew whenever it is taken out.

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

/// What was found, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The address of the access point.
    pub address: String,
    /// Its certificate, base64 of DER.
    pub certificate: String,
    /// The registration that covers the document.
    pub registration: DocumentType,
    /// Until when it is sent there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration: Option<Timestamp>,
    /// The SMP that DNS names.
    pub publisher: String,
    /// How it was found.
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
    /// What was found, if it still holds: the certificate may have expired or been revoked, and the access point been
    /// given up.
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
