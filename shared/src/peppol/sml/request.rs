//! Requests to the SML.

use std::net::IpAddr;

use super::{ID, LOCATOR, MigrationKey, SOAP};
use crate::{peppol::smp::write_participant, types::ParticipantId, xml::Writer};

/// The Content-Type of a request (SOAP 1.1, section 6).
pub const CONTENT_TYPE: &str = "text/xml; charset=utf-8";

/// A request to the SML. `smp_id` is our SMP's id at the SML.
#[derive(Debug, Clone, Copy)]
pub enum Request<'a> {
    /// Registers a participant at our SMP.
    CreateParticipant {
        /// Our SMP.
        smp_id: &'a str,
        /// The participant.
        participant: &'a ParticipantId,
    },
    /// Removes a participant's registration.
    DeleteParticipant {
        /// Our SMP.
        smp_id: &'a str,
        /// The participant.
        participant: &'a ParticipantId,
    },
    /// Allows the holder of a key to take over a participant.
    PrepareToMigrate {
        /// Our SMP.
        smp_id: &'a str,
        /// The participant.
        participant: &'a ParticipantId,
        /// The key that we generated.
        key: &'a MigrationKey,
    },
    /// Takes over a participant from another SMP.
    Migrate {
        /// Our SMP.
        smp_id: &'a str,
        /// The participant.
        participant: &'a ParticipantId,
        /// The key from the other SMP.
        key: &'a MigrationKey,
    },
    /// Registers our SMP.
    CreatePublisher(Publisher<'a>),
    /// Changes the address of our SMP.
    UpdatePublisher(Publisher<'a>),
}

/// An SMP as registered at the SML.
#[derive(Debug, Clone, Copy)]
pub struct Publisher<'a> {
    /// Its id.
    pub smp_id: &'a str,
    /// Its address; the participants' DNS records point to it.
    pub url: &'a str,
    /// An IP address. The SML requires it, although nothing uses it any more.
    pub physical: IpAddr,
}

/// A service of the SML.
struct Service {
    path: &'static str,
    /// The prefix of its actions. The service description includes the blanks.
    action: &'static str,
}

const PARTICIPANTS: Service = Service {
    path: "/manageparticipantidentifier",
    action: "http://busdox.org/serviceMetadata/ManageBusinessIdentifierService/1.0/         :",
};
const PUBLISHERS: Service = Service {
    path: "/manageservicemetadata",
    action: "http://busdox.org/serviceMetadata/ManageServiceMetadataService/1.0/        :",
};

impl Request<'_> {
    /// The service's path below the address of the SML.
    pub fn path(&self) -> &'static str {
        self.service().path
    }

    /// The SOAPAction header, with its quotation marks (SOAP 1.1, section 6.1.1).
    pub fn action(&self) -> String {
        let name = match self {
            Request::CreateParticipant { .. } | Request::CreatePublisher(_) => "createIn",
            Request::DeleteParticipant { .. } => "deleteIn",
            Request::PrepareToMigrate { .. } => "prepareMigrateIn",
            Request::Migrate { .. } => "migrateIn",
            Request::UpdatePublisher(_) => "updateIn",
        };
        format!("\"{}{name}\"", self.service().action)
    }

    /// The envelope.
    pub fn write(&self) -> String {
        let mut out = Writer::compact();
        out.open("soap:Envelope", &[("xmlns:soap", SOAP)]);
        out.open("soap:Body", &[]);
        let name = self.element();
        out.open(name, &[("xmlns", LOCATOR), ("xmlns:id", ID)]);
        self.content(&mut out);
        out.close(name);
        out.close("soap:Body");
        out.close("soap:Envelope");
        out.finish()
    }

    fn service(&self) -> &'static Service {
        match self {
            Request::CreatePublisher(_) | Request::UpdatePublisher(_) => &PUBLISHERS,
            _ => &PARTICIPANTS,
        }
    }

    fn element(&self) -> &'static str {
        match self {
            Request::CreateParticipant { .. } => "CreateParticipantIdentifier",
            Request::DeleteParticipant { .. } => "DeleteParticipantIdentifier",
            Request::PrepareToMigrate { .. } => "PrepareMigrationRecord",
            Request::Migrate { .. } => "CompleteMigrationRecord",
            Request::CreatePublisher(_) => "CreateServiceMetadataPublisherService",
            Request::UpdatePublisher(_) => "UpdateServiceMetadataPublisherService",
        }
    }

    /// Writes the elements in the order of the schema.
    fn content(&self, out: &mut Writer) {
        let publisher_id = |out: &mut Writer, id: &str| out.text("ServiceMetadataPublisherID", id);
        match self {
            Request::CreateParticipant { smp_id, participant }
            | Request::DeleteParticipant { smp_id, participant } => {
                publisher_id(out, smp_id);
                write_participant(out, participant);
            }
            Request::PrepareToMigrate { smp_id, participant, key }
            | Request::Migrate { smp_id, participant, key } => {
                publisher_id(out, smp_id);
                write_participant(out, participant);
                out.text("MigrationKey", key.reveal());
            }
            Request::CreatePublisher(publisher) | Request::UpdatePublisher(publisher) => {
                out.open("PublisherEndpoint", &[]);
                out.text("LogicalAddress", publisher.url);
                out.text("PhysicalAddress", &publisher.physical.to_string());
                out.close("PublisherEndpoint");
                publisher_id(out, publisher.smp_id);
            }
        }
    }
}
