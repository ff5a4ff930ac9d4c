//! Writes service metadata, without white space between elements.

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;

use super::{
    group::write_participant,
    metadata::{ServiceEndpoint, ServiceInformation, ServiceMetadata},
};
use crate::{peppol::pki::Certificate, xml::Writer};

impl ServiceEndpoint {
    /// Our access point for the one transport profile of the network.
    pub fn ours(address: &str, certificate: &Certificate, technical_contact: &str) -> Self {
        ServiceEndpoint {
            transport_profile: crate::peppol::identifiers::TRANSPORT_PROFILE.to_owned(),
            address: address.to_owned(),
            activation: None,
            expiration: None,
            certificate: STANDARD.encode(certificate.der()),
            description: "Access point".to_owned(),
            technical_contact: technical_contact.to_owned(),
        }
    }
}

impl ServiceMetadata {
    /// Writes the element ServiceMetadata into a document that declares the namespaces.
    pub(in crate::peppol) fn write(&self, out: &mut Writer) {
        out.open("ServiceMetadata", &[]);
        match self {
            ServiceMetadata::Information(information) => information.write(out),
            ServiceMetadata::Redirect(redirect) => {
                out.open("Redirect", &[("href", &redirect.href)]);
                out.text("CertificateUID", &redirect.certificate_uid);
                out.close("Redirect");
            }
        }
        out.close("ServiceMetadata");
    }
}

impl ServiceInformation {
    fn write(&self, out: &mut Writer) {
        out.open("ServiceInformation", &[]);
        write_participant(out, &self.participant);
        let scheme = self.document_type.scheme().as_str();
        out.leaf("id:DocumentIdentifier", [("scheme", scheme)], &self.document_type.value());
        out.open("ProcessList", &[]);
        for process in &self.processes {
            out.open("Process", &[]);
            let identifier = &process.process;
            let scheme = [("scheme", identifier.scheme())];
            out.leaf("id:ProcessIdentifier", scheme, identifier.value());
            out.open("ServiceEndpointList", &[]);
            for endpoint in &process.endpoints {
                endpoint.write(out);
            }
            out.close("ServiceEndpointList");
            out.close("Process");
        }
        out.close("ProcessList");
        out.close("ServiceInformation");
    }
}

impl ServiceEndpoint {
    /// Writes the elements in the order of the schema.
    fn write(&self, out: &mut Writer) {
        let date = |instant: Option<Timestamp>| instant.map(|instant| instant.to_string());
        out.open("Endpoint", &[("transportProfile", &self.transport_profile)]);
        out.open("wsa:EndpointReference", &[]);
        out.text("wsa:Address", &self.address);
        out.close("wsa:EndpointReference");
        // Peppol SMP 1.4: documents on the network are not signed.
        out.text("RequireBusinessLevelSignature", "false");
        out.optional("ServiceActivationDate", date(self.activation).as_deref());
        out.optional("ServiceExpirationDate", date(self.expiration).as_deref());
        out.text("Certificate", &self.certificate);
        out.text("ServiceDescription", &self.description);
        out.text("TechnicalContactUrl", &self.technical_contact);
        out.close("Endpoint");
    }
}
