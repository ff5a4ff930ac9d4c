//! ServiceMetadata: the endpoints for documents of one type (Peppol SMP 1.4).

use jiff::{Timestamp, civil::DateTime, tz::Offset};
use serde::{Deserialize, Serialize};

use super::{
    error::SmpError,
    group::{metadata_path, participant},
    names::{ID, SMP, WSA},
};
use crate::{
    peppol::{
        dom::El,
        identifiers::{DocumentType, Process, quoted},
    },
    types::ParticipantId,
};

/// The metadata of one registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceMetadata {
    /// The endpoints.
    Information(ServiceInformation),
    /// A redirect to another SMP.
    Redirect(Redirect),
}

/// The endpoints for documents of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceInformation {
    /// The participant.
    pub participant: ParticipantId,
    /// The registration; it may be a wildcard.
    pub document_type: DocumentType,
    /// The supported processes.
    pub processes: Vec<ServiceProcess>,
}

/// A process and its access points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceProcess {
    /// The process.
    pub process: Process,
    /// The access points, in order of preference.
    pub endpoints: Vec<ServiceEndpoint>,
}

/// An access point as written in the document. Errors in it matter only to a sender that chooses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceEndpoint {
    /// Its transport profile.
    pub transport_profile: String,
    /// Its address.
    pub address: String,
    /// The start of service; `None` without a limit.
    pub activation: Option<Timestamp>,
    /// The end of service; `None` without a limit.
    pub expiration: Option<Timestamp>,
    /// Its certificate: base64 of DER, possibly in lines, possibly in PEM.
    pub certificate: String,
    /// Its description.
    pub description: String,
    /// Its contact.
    pub technical_contact: String,
}

/// A redirect to another SMP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirect {
    /// The address of the SignedServiceMetadata at the other SMP.
    pub href: String,
    /// The subject of the certificate that must sign it.
    pub certificate_uid: String,
}

impl Redirect {
    /// A redirect to the same registration at another SMP. `smp_url` has no final slash.
    pub fn to(
        smp_url: &str,
        participant: &ParticipantId,
        registration: &DocumentType,
        certificate_uid: &str,
    ) -> Self {
        Redirect {
            href: format!("{smp_url}{}", metadata_path(participant, registration)),
            certificate_uid: certificate_uid.to_owned(),
        }
    }
}

impl ServiceMetadata {
    /// Reads the element ServiceMetadata.
    pub(super) fn of(element: El<'_, '_>) -> Result<Self, SmpError> {
        if let Some(redirect) = element.optional(SMP, "Redirect")? {
            return Ok(ServiceMetadata::Redirect(Redirect {
                href: redirect.required("href")?.trim_ascii().to_owned(),
                certificate_uid: redirect.only(SMP, "CertificateUID")?.text(),
            }));
        }
        let information = element.only(SMP, "ServiceInformation")?;
        let list = information.only(SMP, "ProcessList")?;
        let processes = list.all(SMP, "Process").filter_map(|one| process(one).transpose());
        Ok(ServiceMetadata::Information(ServiceInformation {
            participant: participant(information)?,
            document_type: document_type(information)?,
            processes: processes.collect::<Result<_, _>>()?,
        }))
    }
}

fn document_type(within: El<'_, '_>) -> Result<DocumentType, SmpError> {
    const NAME: &str = "DocumentIdentifier";
    let element = within.only(ID, NAME)?;
    let text = format!("{}::{}", element.attribute("scheme").unwrap_or_default(), element.text());
    text.parse().map_err(|error: crate::peppol::identifiers::DocumentTypeError| SmpError::Value {
        name: NAME,
        text: quoted(&text),
        reason: error.to_string(),
    })
}

/// Reads a process; `None` when its identifier is invalid, because no document can match it.
fn process(element: El<'_, '_>) -> Result<Option<ServiceProcess>, SmpError> {
    let identifier = element.only(ID, "ProcessIdentifier")?;
    let scheme = identifier.attribute("scheme").unwrap_or_default();
    let Ok(process) = Process::new(scheme, &identifier.text()) else { return Ok(None) };
    let list = element.only(SMP, "ServiceEndpointList")?;
    let endpoints = list.all(SMP, "Endpoint").map(endpoint).collect::<Result<_, _>>()?;
    Ok(Some(ServiceProcess { process, endpoints }))
}

fn endpoint(element: El<'_, '_>) -> Result<ServiceEndpoint, SmpError> {
    let text = |name| -> Result<String, SmpError> {
        Ok(element.optional(SMP, name)?.map(El::text).unwrap_or_default())
    };
    let address = element.only(WSA, "EndpointReference")?.only(WSA, "Address")?;
    Ok(ServiceEndpoint {
        transport_profile: element.required("transportProfile")?.trim_ascii().to_owned(),
        address: address.text(),
        activation: instant(element, "ServiceActivationDate")?,
        expiration: instant(element, "ServiceExpirationDate")?,
        certificate: text("Certificate")?,
        description: text("ServiceDescription")?,
        technical_contact: text("TechnicalContactUrl")?,
    })
}

/// Reads an `xs:dateTime`; a value without a zone is UTC.
fn instant(within: El<'_, '_>, name: &'static str) -> Result<Option<Timestamp>, SmpError> {
    let text = within.optional(SMP, name)?.map(El::text).unwrap_or_default();
    if text.is_empty() {
        return Ok(None);
    }
    let zoned = text.parse::<Timestamp>();
    let instant = zoned.or_else(|error| {
        let local: DateTime = text.parse().map_err(|_| error)?;
        Offset::UTC.to_timestamp(local)
    });
    instant.map(Some).map_err(|error| SmpError::Value {
        name,
        text: quoted(&text),
        reason: error.to_string(),
    })
}
