//! Writes XML without white space between elements.

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;

use super::metadata::{ServiceEndpoint, ServiceInformation, ServiceMetadata};
use crate::{
    peppol::{identifiers::PARTICIPANT_SCHEME, pki::Certificate},
    types::ParticipantId,
};

/// An XML document under construction.
pub(in crate::peppol) struct Out(String);

impl Out {
    /// Starts a document with a root element and its attributes.
    pub(in crate::peppol) fn document(root: &str, attributes: &[(&str, &str)]) -> Self {
        let mut out = Out("<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned());
        out.open(root, attributes);
        out
    }

    /// Starts an element that becomes part of a document.
    pub(in crate::peppol) fn part(name: &str, attributes: &[(&str, &str)]) -> Self {
        let mut out = Out(String::new());
        out.open(name, attributes);
        out
    }

    /// Adds text that is XML already.
    pub(in crate::peppol) fn raw(&mut self, xml: &str) {
        self.0.push_str(xml);
    }

    pub(in crate::peppol) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.0.push('<');
        self.0.push_str(name);
        for (attribute, value) in attributes {
            self.0.push(' ');
            self.0.push_str(attribute);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    pub(in crate::peppol) fn close(&mut self, name: &str) {
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    /// Adds an element with text.
    pub(in crate::peppol) fn leaf(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close(name);
    }

    /// Adds an element with text, if there is text.
    pub(in crate::peppol) fn optional(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.leaf(name, &[], text);
        }
    }

    /// Adds an element ParticipantIdentifier.
    pub(in crate::peppol) fn participant(&mut self, participant: &ParticipantId) {
        let scheme = [("scheme", PARTICIPANT_SCHEME)];
        self.leaf("id:ParticipantIdentifier", &scheme, &participant.to_string());
    }

    /// Closes the root and returns the document.
    pub(in crate::peppol) fn finish(mut self, root: &str) -> String {
        self.close(root);
        self.0
    }

    fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                // A reader would normalize these to other white space (XML 1.0, sections 2.11 and 3.3.3).
                '\t' => self.0.push_str("&#9;"),
                '\n' => self.0.push_str("&#10;"),
                '\r' => self.0.push_str("&#13;"),
                // XML must not contain these characters (production 2).
                '\0'..' ' | '\u{fffe}' | '\u{ffff}' => self.0.push('\u{fffd}'),
                other => self.0.push(other),
            }
        }
    }
}

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
    pub(in crate::peppol) fn write(&self, out: &mut Out) {
        out.open("ServiceMetadata", &[]);
        match self {
            ServiceMetadata::Information(information) => information.write(out),
            ServiceMetadata::Redirect(redirect) => {
                out.open("Redirect", &[("href", &redirect.href)]);
                out.leaf("CertificateUID", &[], &redirect.certificate_uid);
                out.close("Redirect");
            }
        }
        out.close("ServiceMetadata");
    }
}

impl ServiceInformation {
    fn write(&self, out: &mut Out) {
        out.open("ServiceInformation", &[]);
        out.participant(&self.participant);
        let scheme = self.document_type.scheme().as_str();
        out.leaf("id:DocumentIdentifier", &[("scheme", scheme)], &self.document_type.value());
        out.open("ProcessList", &[]);
        for process in &self.processes {
            out.open("Process", &[]);
            let identifier = &process.process;
            let scheme = [("scheme", identifier.scheme())];
            out.leaf("id:ProcessIdentifier", &scheme, identifier.value());
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
    fn write(&self, out: &mut Out) {
        let date = |instant: Option<Timestamp>| instant.map(|instant| instant.to_string());
        out.open("Endpoint", &[("transportProfile", &self.transport_profile)]);
        out.open("wsa:EndpointReference", &[]);
        out.leaf("wsa:Address", &[], &self.address);
        out.close("wsa:EndpointReference");
        // Peppol SMP 1.4: documents on the network are not signed.
        out.leaf("RequireBusinessLevelSignature", &[], "false");
        out.optional("ServiceActivationDate", date(self.activation).as_deref());
        out.optional("ServiceExpirationDate", date(self.expiration).as_deref());
        out.leaf("Certificate", &[], &self.certificate);
        out.leaf("ServiceDescription", &[], &self.description);
        out.leaf("TechnicalContactUrl", &[], &self.technical_contact);
        out.close("Endpoint");
    }
}
