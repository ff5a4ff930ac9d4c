//! Namespaces and algorithms.

/// Service metadata (Peppol SMP 1.4).
pub(super) const SMP: &str = "http://busdox.org/serviceMetadata/publishing/1.0/";
/// Identifiers.
pub(super) const ID: &str = "http://busdox.org/transport/identifiers/1.0/";
/// WS-Addressing 1.0.
pub(super) const WSA: &str = "http://www.w3.org/2005/08/addressing";
/// XML Signature.
pub(super) const DS: &str = "http://www.w3.org/2000/09/xmldsig#";
/// Exclusive canonicalization; its parameter is an element of this namespace.
pub(super) const EC: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
/// Business card 3.
pub(super) const CARD: &str = "http://www.peppol.eu/schema/pd/businesscard/20180621/";

/// Canonical XML 1.0 without comments.
pub(super) const INCLUSIVE: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
/// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 6931, section 2.3.2).
pub(super) const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
/// SHA-256.
pub(super) const SHA256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
/// The transform that removes the signature itself (XML Signature, section 6.6.4).
pub(super) const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
