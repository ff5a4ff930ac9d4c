//! SignedServiceMetadata as another SMP signed it: one enveloped signature over the whole document (Peppol SMP 1.4,
//! section 2.6; XML Signature).

use aws_lc_rs::digest::{SHA256, digest};
use subtle::ConstantTimeEq;

use super::{
    dom::{self, Canonicalization},
    error::{SignatureFault, SmpError},
    metadata::ServiceMetadata,
    names::{self, DS, SMP},
};
use crate::peppol::{
    dom::{Dom, El},
    identifiers::quoted,
    pki::{Certificate, Role, Trusted},
};

const ROOT: &str = "SignedServiceMetadata";

/// A document with a known signer. Its content is available only after the signature is verified.
#[derive(Debug)]
pub struct SignedMetadata {
    metadata: ServiceMetadata,
    signer: Certificate,
    /// The canonical SignedInfo. Its digest of the document is already checked.
    signed_info: Vec<u8>,
    signature: Vec<u8>,
}

impl SignedMetadata {
    /// Parses a document. Checks that its signature has the one form that SMPs use and covers the whole document.
    pub fn read(bytes: &[u8]) -> Result<Self, SmpError> {
        let mut dom = dom::parse(bytes, SMP, ROOT)?;
        dom.check_ids()?;
        let signature = only_signature(&dom)?;
        let (signature_id, parts) = (signature.id, Parts::of(signature)?);
        // The enveloped transform: the document without the signature.
        dom.remove(signature_id);
        let content = dom.canonical(&parts.transform)?;
        if !bool::from(digest(&SHA256, &content).as_ref().ct_eq(&parts.digest)) {
            return Err(SignatureFault::Digest.into());
        }
        Ok(SignedMetadata {
            // The content comes from the same tree that was digested.
            metadata: ServiceMetadata::of(dom.root().only(SMP, "ServiceMetadata")?)?,
            signer: parts.signer,
            signed_info: parts.signed_info,
            signature: parts.signature,
        })
    }

    /// The claimed signer. [`Trust`](crate::peppol::pki::Trust) must check it.
    pub fn signer(&self) -> &Certificate {
        &self.signer
    }

    /// The unverified content.
    #[cfg(test)]
    pub(super) fn metadata(&self) -> &ServiceMetadata {
        &self.metadata
    }

    /// The content, if the signer is trusted as an SMP and its signature is valid.
    pub fn verify(self, signer: &Trusted) -> Result<ServiceMetadata, SignatureFault> {
        if signer.role() != Role::Publisher || **signer != self.signer {
            return Err(SignatureFault::Signer(self.signer.subject()));
        }
        signer.verify(&self.signed_info, &self.signature)?;
        Ok(self.metadata)
    }
}

/// The one signature of the document, a child of its root. A signature elsewhere may be an attempt at signature
/// wrapping.
fn only_signature<'d, 's>(dom: &'d Dom<'s>) -> Result<El<'d, 's>, SmpError> {
    let count = dom.elements().filter(|one| one.is(DS, "Signature")).count();
    if count != 1 {
        return Err(SignatureFault::Signatures(count).into());
    }
    dom.root().only(DS, "Signature")
}

/// The parts of a signature.
struct Parts {
    transform: Canonicalization,
    digest: Vec<u8>,
    signer: Certificate,
    signed_info: Vec<u8>,
    signature: Vec<u8>,
}

impl Parts {
    fn of(signature: El<'_, '_>) -> Result<Self, SmpError> {
        let signed_info = signature.only(DS, "SignedInfo")?;
        let method = Canonicalization::of(signed_info.only(DS, "CanonicalizationMethod")?)?;
        // SHA-1 has collisions. SMPs of the network use no other algorithm than these two.
        allowed(signed_info, "SignatureMethod", names::RSA_SHA256)?;
        let reference = signed_info.only(DS, "Reference")?;
        match reference.attribute("URI") {
            Some("") => {}
            other => {
                let other = quoted(other.unwrap_or("nothing that is named"));
                return Err(SignatureFault::Coverage(other).into());
            }
        }
        allowed(reference, "DigestMethod", names::SHA256)?;
        Ok(Parts {
            transform: transform(reference)?,
            digest: reference.only(DS, "DigestValue")?.base64("DigestValue")?,
            signer: signer(signature)?,
            signed_info: signed_info.canonical(&method)?,
            signature: signature.only(DS, "SignatureValue")?.base64("SignatureValue")?,
        })
    }
}

fn allowed(within: El<'_, '_>, name: &'static str, algorithm: &str) -> Result<(), SmpError> {
    let uri = within.only(DS, name)?.attribute("Algorithm").unwrap_or_default();
    if uri == algorithm {
        return Ok(());
    }
    Err(SignatureFault::Algorithm { what: name, uri: quoted(uri) }.into())
}

/// The enveloped transform, optionally followed by a canonicalization. Other transforms are refused: they can exclude
/// parts of the document.
fn transform(reference: El<'_, '_>) -> Result<Canonicalization, SmpError> {
    let transforms = reference.only(DS, "Transforms")?;
    let transforms: Vec<_> = transforms.all(DS, "Transform").collect();
    let uri = |one: &El<'_, '_>| one.attribute("Algorithm").unwrap_or_default().to_owned();
    let refuse = |one: &El<'_, '_>| -> SmpError {
        SignatureFault::Algorithm { what: "transform", uri: quoted(&uri(one)) }.into()
    };
    match transforms.as_slice() {
        [first, ..] if uri(first) != names::ENVELOPED => Err(refuse(first)),
        [_] => Ok(Canonicalization::INCLUSIVE),
        [_, second] => Canonicalization::of(*second).map_err(|_| refuse(second)),
        [_, _, third, ..] => Err(refuse(third)),
        [] => Err(SignatureFault::Algorithm { what: "transform", uri: String::new() }.into()),
    }
}

/// The signer's certificate. Certificates of authorities may follow it.
fn signer(signature: El<'_, '_>) -> Result<Certificate, SmpError> {
    const NAME: &str = "X509Certificate";
    let data = signature.only(DS, "KeyInfo")?.only(DS, "X509Data")?;
    let count = SmpError::Count { within: "X509Data".to_owned(), name: NAME, count: 0 };
    let der = data.all(DS, NAME).next().ok_or(count)?.base64(NAME)?;
    Certificate::from_der(der).map_err(|error| SignatureFault::Certificate(error).into())
}
