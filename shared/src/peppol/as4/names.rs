//! Namespaces, algorithms and fixed values: Peppol AS4 profile 2.0.3, ebMS 3.0, WS-Security 1.1.

/// Namespaces of the elements that are read.
pub(super) mod ns {
    pub(crate) const SOAP: &str = "http://www.w3.org/2003/05/soap-envelope";
    pub(crate) const EB: &str = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/";
    pub(crate) const EBBP: &str = "http://docs.oasis-open.org/ebxml-bp/ebbp-signals-2.0";
    pub(crate) const WSSE: &str =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    pub(crate) const WSSE11: &str =
        "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";
    pub(crate) const WSU: &str =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    pub(crate) const DS: &str = "http://www.w3.org/2000/09/xmldsig#";
    pub(crate) const XENC: &str = "http://www.w3.org/2001/04/xmlenc#";
    pub(crate) const XENC11: &str = "http://www.w3.org/2009/xmlenc11#";
    pub(crate) const EC: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
}

/// The one accepted algorithm for each purpose: Peppol AS4 profile 2.0.3, "Security".
pub(super) mod algorithm {
    pub(crate) const EXCLUSIVE_C14N: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
    pub(crate) const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
    pub(crate) const SHA256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
    pub(crate) const AES128_GCM: &str = "http://www.w3.org/2009/xmlenc11#aes128-gcm";
    pub(crate) const RSA_OAEP: &str = "http://www.w3.org/2009/xmlenc11#rsa-oaep";
    pub(crate) const MGF1_SHA256: &str = "http://www.w3.org/2009/xmlenc11#mgf1sha256";
    pub(crate) const ATTACHMENT_CONTENT: &str = "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Content-Signature-Transform";
    pub(crate) const ATTACHMENT_CIPHERTEXT: &str =
        "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Ciphertext-Transform";
}

/// Values of attributes in the WS-Security header.
pub(super) mod token {
    pub(crate) const X509_V3: &str =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3";
    pub(crate) const BASE64: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";
    pub(crate) const ENCRYPTED_KEY: &str =
        "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#EncryptedKey";
    pub(crate) const ATTACHMENT_CONTENT_ONLY: &str =
        "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Content-Only";
}

/// The party identifier type of access points.
pub(super) const PARTY_TYPE: &str = "urn:fdc:peppol.eu:2017:identifiers:ap";
/// The agreement between all access points.
pub(super) const AGREEMENT: &str = "urn:fdc:peppol.eu:2017:agreements:tia:ap_provider";
/// The role of the sender.
pub(super) const INITIATOR: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/initiator";
/// The role of the receiver.
pub(super) const RESPONDER: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/responder";
/// The service of a ping: ebMS 3.0 core, 5.2.2.8.
pub(super) const TEST_SERVICE: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/service";
/// The action of a ping.
pub(super) const TEST_ACTION: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/test";
/// The type of the properties `originalSender` and `finalRecipient`.
pub(super) const PARTICIPANT_TYPE: &str = "iso6523-actorid-upis";
/// The compression of AS4: AS4 profile 1.0, 3.1.
pub(super) const GZIP: &str = "application/gzip";
/// The media type of an SBDH.
pub(super) const XML: &str = "application/xml";
/// The media type of SOAP 1.2.
pub(super) const SOAP_XML: &str = "application/soap+xml";
/// The Content-Type of a signal.
pub const SIGNAL_CONTENT_TYPE: &str = "application/soap+xml;charset=UTF-8";
