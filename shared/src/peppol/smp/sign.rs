//! Signs our documents as the SMPs of the network do: enveloped, RSA with SHA-256, inclusive canonicalization.

use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::STANDARD};

use super::{
    dom::{self, Canonicalization},
    error::SmpError,
    metadata::ServiceMetadata,
    names,
};
use crate::{
    peppol::pki::{KeyError, Signer},
    xml::Writer,
};

const ROOT: &str = "SignedServiceMetadata";

/// Why a document could not be signed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// The document itself is invalid.
    #[error(transparent)]
    Document(#[from] SmpError),
    /// The key failed.
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl ServiceMetadata {
    /// The signed document SignedServiceMetadata.
    pub async fn sign(&self, signer: &dyn Signer) -> Result<String, SignError> {
        let (signed_info, canonical) = self.to_sign()?;
        let value = STANDARD.encode(signer.sign(&canonical).await?);
        Ok(self.document(&signature(&signed_info, &value, signer)))
    }

    /// The SignedInfo, and its canonical bytes to sign.
    fn to_sign(&self) -> Result<(String, Vec<u8>), SmpError> {
        let unsigned = self.document("");
        let dom = dom::parse(unsigned.as_bytes(), names::SMP, ROOT)?;
        let content = dom.canonical(&Canonicalization::INCLUSIVE)?;
        let signed_info = signed_info(&STANDARD.encode(digest(&SHA256, &content)));
        let canonical = self.canonical(&signed_info)?;
        Ok((signed_info, canonical))
    }

    /// The document with this signature.
    fn document(&self, signature: &str) -> String {
        let namespaces =
            [("xmlns", names::SMP), ("xmlns:id", names::ID), ("xmlns:wsa", names::WSA)];
        let mut out = Writer::compact();
        out.open(ROOT, &namespaces);
        self.write(&mut out);
        out.markup(signature);
        out.close(ROOT);
        out.finish()
    }

    /// The bytes to sign: SignedInfo, canonicalized at its place in the document.
    fn canonical(&self, signed_info: &str) -> Result<Vec<u8>, SmpError> {
        let around =
            format!("<ds:Signature xmlns:ds=\"{}\">{signed_info}</ds:Signature>", names::DS);
        let document = self.document(&around);
        let dom = dom::parse(document.as_bytes(), names::SMP, ROOT)?;
        let signature = dom.root().only(names::DS, "Signature")?;
        let signed_info = signature.only(names::DS, "SignedInfo")?;
        Ok(signed_info.canonical(&Canonicalization::INCLUSIVE)?)
    }
}

fn signed_info(digest: &str) -> String {
    format!(
        "<ds:SignedInfo>\
         <ds:CanonicalizationMethod Algorithm=\"{inclusive}\"/>\
         <ds:SignatureMethod Algorithm=\"{rsa}\"/>\
         <ds:Reference URI=\"\">\
         <ds:Transforms><ds:Transform Algorithm=\"{enveloped}\"/></ds:Transforms>\
         <ds:DigestMethod Algorithm=\"{sha}\"/><ds:DigestValue>{digest}</ds:DigestValue>\
         </ds:Reference></ds:SignedInfo>",
        inclusive = names::INCLUSIVE,
        rsa = names::RSA_SHA256,
        enveloped = names::ENVELOPED,
        sha = names::SHA256,
    )
}

fn signature(signed_info: &str, value: &str, signer: &dyn Signer) -> String {
    let certificate = signer.certificate();
    let mut out = Writer::fragment();
    out.open("ds:Signature", &[("xmlns:ds", names::DS)]);
    out.markup(signed_info);
    out.text("ds:SignatureValue", value);
    out.open("ds:KeyInfo", &[]);
    out.open("ds:X509Data", &[]);
    out.text("ds:X509SubjectName", &certificate.subject());
    out.text("ds:X509Certificate", &STANDARD.encode(certificate.der()));
    out.close("ds:X509Data");
    out.close("ds:KeyInfo");
    out.close("ds:Signature");
    out.finish()
}
