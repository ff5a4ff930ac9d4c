//! Requests to the SML.

use std::net::IpAddr;

use super::{ID, LOCATOR, MigrationKey, SOAP};
use crate::{peppol::smp::write::Out, types::ParticipantId};

/// The Content-Type of a request (SOAP 1.1, section 6).
pub const CONTENT_TYPE: &str = "text/xml; charset=utf-8";

/// What is asked of the SML. `smp_id` is the id that it knows our SMP by.
#[derive(Debug, Clone, Copy)]
pub enum Request<'a> {
    /// A participant is at our SMP from now on.
    CreateParticipant {
        /// Our SMP.
        smp_id: &'a str,
        /// Who.
        participant: &'a ParticipantId,
    },
    /// A participant is at no SMP any more.
    DeleteParticipant {
        /// Our SMP.
        smp_id: &'a str,
        /// Who.
        participant: &'a ParticipantId,
    },
    /// Whoever has the key may take a participant over.
    PrepareToMigrate {
        /// Our SMP.
        smp_id: &'a str,
        /// Who.
        participant: &'a ParticipantId,
        /// A key of our making.
        key: &'a MigrationKey,
    },
    /// A participant comes from another SMP to ours.
    Migrate {
        /// Our SMP.
        smp_id: &'a str,
        /// Who.
        participant: &'a ParticipantId,
        /// The key that the other SMP made.
        key: &'a MigrationKey,
    },
    /// There is an SMP, ours.
    CreatePublisher(Publisher<'a>),
    /// Our SMP is elsewhere now.
    UpdatePublisher(Publisher<'a>),
}

/// An SMP as the SML knows it.
#[derive(Debug, Clone, Copy)]
pub struct Publisher<'a> {
    /// Its id.
    pub smp_id: &'a str,
    /// Its address, which participants' records lead to.
    pub url: &'a str,
    /// An IP address, which the SML wants though nothing uses it any more.
    pub physical: IpAddr,
}

/// A service of the SML.
struct Service {
    path: &'static str,
    /// What the actions begin with. The blanks are in the service's description.
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

    /// The header SOAPAction, with its quotation marks (SOAP 1.1, section 6.1.1).
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
        let mut out = Out::document("soap:Envelope", &[("xmlns:soap", SOAP)]);
        out.open("soap:Body", &[]);
        let name = self.element();
        out.open(name, &[("xmlns", LOCATOR), ("xmlns:id", ID)]);
        self.content(&mut out);
        out.close(name);
        out.close("soap:Body");
        out.finish("soap:Envelope")
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

    /// The elements in the order of the schema.
    fn content(&self, out: &mut Out) {
        let publisher_id =
            |out: &mut Out, id: &str| out.leaf("ServiceMetadataPublisherID", &[], id);
        match self {
            Request::CreateParticipant { smp_id, participant }
            | Request::DeleteParticipant { smp_id, participant } => {
                publisher_id(out, smp_id);
                out.participant(participant);
            }
            Request::PrepareToMigrate { smp_id, participant, key }
            | Request::Migrate { smp_id, participant, key } => {
                publisher_id(out, smp_id);
                out.participant(participant);
                out.leaf("MigrationKey", &[], key.reveal());
            }
            Request::CreatePublisher(publisher) | Request::UpdatePublisher(publisher) => {
                out.open("PublisherEndpoint", &[]);
                out.leaf("LogicalAddress", &[], publisher.url);
                out.leaf("PhysicalAddress", &[], &publisher.physical.to_string());
                out.close("PublisherEndpoint");
                publisher_id(out, publisher.smp_id);
            }
        }
    }
}
