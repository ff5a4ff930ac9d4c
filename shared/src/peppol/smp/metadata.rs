//! ServiceMetadata: where documents of one type go (Peppol SMP 1.4).

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

/// What is said about one registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceMetadata {
    /// Where documents go.
    Information(ServiceInformation),
    /// Who knows.
    Redirect(Redirect),
}

/// Where documents of one type go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceInformation {
    /// Whose they are.
    pub participant: ParticipantId,
    /// The registration, which may be a wildcard.
    pub document_type: DocumentType,
    /// The processes in which they are received.
    pub processes: Vec<ServiceProcess>,
}

/// A process, and the access points for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceProcess {
    /// The process.
    pub process: Process,
    /// The access points, in the order in which they are preferred.
    pub endpoints: Vec<ServiceEndpoint>,
}

/// An access point as it is written down. What is wrong with it matters only to who wants to send to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceEndpoint {
    /// How it is spoken to.
    pub transport_profile: String,
    /// Where it is.
    pub address: String,
    /// Since when; always, if nothing is said.
    pub activation: Option<Timestamp>,
    /// Until when; for good, if nothing is said.
    pub expiration: Option<Timestamp>,
    /// Its certificate: base64 of DER, perhaps in lines, perhaps in PEM.
    pub certificate: String,
    /// What it is.
    pub description: String,
    /// Whom to ask.
    pub technical_contact: String,
}

/// Another SMP that knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirect {
    /// The address of the SignedServiceMetadata there.
    pub href: String,
    /// The subject of the certificate that it must be signed with.
    pub certificate_uid: String,
}

impl Redirect {
    /// To an SMP, by its address without a slash at its end, that knows the same registration.
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

/// A process; nothing for an identifier that is none: nobody asks for it.
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

/// An `xs:dateTime`; without a zone it is taken as UTC.
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
