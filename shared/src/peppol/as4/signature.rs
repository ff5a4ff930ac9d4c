//! The signature of a message: WS-Security 1.1, 8, XML Signature 1.1, SwA profile 1.1, 5.4.

use super::{
    envelope::Envelope,
    ids::{Digest, Reference},
    mime,
    names::{algorithm, ns},
    refusal::Refusal,
    rule::Rule,
    security,
};
use crate::peppol::{
    dom::{El, unwrap_base64},
    pki::Certificate,
};

/// Maximum number of references: eb:Messaging, the Body, one attachment.
const MOST_REFERENCES: usize = 3;
/// Maximum number of inclusive prefixes of one canonicalization.
const MOST_PREFIXES: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Header/Messaging.
    Messaging,
    /// Envelope/Body.
    Body,
    /// The attachment with that Content-ID.
    Attachment(String),
}

/// A reference in a SignedInfo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SignedReference {
    pub(super) target: Target,
    pub(super) reference: Reference,
    /// The PrefixList of exclusive C14N, if present.
    pub(super) prefixes: Option<String>,
}

/// A signature whose digests of XML elements match. [`Signed::verify`] checks the key.
#[derive(Debug)]
pub(super) struct Signed {
    pub(super) certificate: Certificate,
    pub(super) references: Vec<SignedReference>,
    info: Vec<u8>,
    value: Vec<u8>,
}

impl Signed {
    /// Reads the signature of `envelope` and compares the digests of the elements that it references.
    pub(super) fn read(envelope: &Envelope<'_, '_>, security: El<'_, '_>) -> Result<Self, Refusal> {
        let Ok(signature) = security.single(ns::DS, "Signature") else {
            return Err(Refusal::new(Rule::Unsigned, "no ds:Signature"));
        };
        let [info, value, key] = signature.children().collect::<Vec<_>>()[..] else {
            return Err(Refusal::new(Rule::SignatureForm, "other children of ds:Signature"));
        };
        if !(info.is(ns::DS, "SignedInfo")
            && value.is(ns::DS, "SignatureValue")
            && key.is(ns::DS, "KeyInfo"))
        {
            return Err(Refusal::new(Rule::SignatureForm, "other children of ds:Signature"));
        }
        let references = references(info, envelope)?;
        let method = security::algorithm_of(
            info,
            ns::DS,
            "CanonicalizationMethod",
            algorithm::EXCLUSIVE_C14N,
        )?;
        security::algorithm_of(info, ns::DS, "SignatureMethod", algorithm::RSA_SHA256)?;
        let value = value.text_alone().as_deref().and_then(unwrap_base64);
        let certificate = Certificate::from_der(security::certificate(key, security)?);
        Ok(Signed {
            certificate: certificate
                .map_err(|error| Refusal::new(Rule::Token, error.to_string()))?,
            references,
            info: info.exclusive(&listed(prefixes(method)?.as_deref()))?,
            value: value
                .ok_or_else(|| Refusal::new(Rule::SignatureForm, "a value that is not base64"))?,
        })
    }

    /// Checks that the certificate's key signed the references.
    pub(super) fn verify(&self) -> Result<(), Refusal> {
        self.certificate.verify(&self.info, &self.value).map_err(|_| {
            let signer = self.certificate.common_name();
            Refusal::new(Rule::Signature, format!("a signature that {signer} did not make"))
        })
    }

    /// Whether the signature covers `target`.
    pub(super) fn covers(&self, target: &Target) -> bool {
        self.references.iter().any(|signed| signed.target == *target)
    }
}

fn references(
    info: El<'_, '_>,
    envelope: &Envelope<'_, '_>,
) -> Result<Vec<SignedReference>, Refusal> {
    let mut found: Vec<SignedReference> = Vec::with_capacity(MOST_REFERENCES);
    for reference in info.all(ns::DS, "Reference") {
        if found.len() == MOST_REFERENCES {
            return Err(Refusal::new(Rule::ReferenceTarget, "more than 3 references"));
        }
        let signed = signed_reference(reference, envelope)?;
        if found.iter().any(|earlier| earlier.target == signed.target) {
            let twice = format!("{} twice", signed.reference.uri);
            return Err(Refusal::new(Rule::ReferenceTarget, twice));
        }
        found.push(signed);
    }
    Ok(found)
}

fn signed_reference(
    reference: El<'_, '_>,
    envelope: &Envelope<'_, '_>,
) -> Result<SignedReference, Refusal> {
    let uri = reference.attribute("URI").unwrap_or_default();
    let (target, element) = target(uri, envelope)?;
    let demanded = match target {
        Target::Attachment(_) => algorithm::ATTACHMENT_CONTENT,
        _ => algorithm::EXCLUSIVE_C14N,
    };
    let prefixes = transform(reference, demanded)?;
    security::algorithm_of(reference, ns::DS, "DigestMethod", algorithm::SHA256)?;
    let value = reference.require(ns::DS, "DigestValue", Rule::Digest)?.text_alone();
    let digest: Digest = value
        .and_then(|value| value.parse().ok())
        .ok_or_else(|| Refusal::new(Rule::Digest, format!("no SHA-256 digest of {uri}")))?;
    if let Some(element) = element {
        check_digest(uri, digest, &element.exclusive(&listed(prefixes.as_deref()))?)?;
    }
    let reference = Reference { uri: uri.to_owned(), digest };
    Ok(SignedReference { target, reference, prefixes })
}

/// Checks the digest of bytes.
pub(super) fn check_digest(uri: &str, expected: Digest, bytes: &[u8]) -> Result<(), Refusal> {
    let found = Digest::of(bytes);
    if found == expected {
        return Ok(());
    }
    Err(Refusal::new(Rule::Digest, format!("{uri} of digest {found}, signed as {expected}")))
}

/// Resolves a URI by position. An element elsewhere is refused even if signed, because it is not the one that is
/// read.
fn target<'d, 's>(
    uri: &str,
    envelope: &Envelope<'d, 's>,
) -> Result<(Target, Option<El<'d, 's>>), Refusal> {
    if let Some(id) = mime::content_id_of_url(uri) {
        return Ok((Target::Attachment(id.into_owned()), None));
    }
    let id = uri.strip_prefix('#').filter(|id| !id.is_empty());
    let is = |element: El<'_, '_>| id.is_some() && element.attribute_ns(ns::WSU, "Id") == id;
    if is(envelope.messaging) {
        return Ok((Target::Messaging, Some(envelope.messaging)));
    }
    if is(envelope.body) {
        return Ok((Target::Body, Some(envelope.body)));
    }
    Err(Refusal::new(Rule::ReferenceTarget, format!("a reference to {uri:?}")))
}

/// The PrefixList of the one transform of a reference.
fn transform(reference: El<'_, '_>, demanded: &str) -> Result<Option<String>, Refusal> {
    let transforms = reference.require(ns::DS, "Transforms", Rule::Transforms)?;
    let [only] = transforms.children().collect::<Vec<_>>()[..] else {
        return Err(Refusal::new(Rule::Transforms, "several or no transforms"));
    };
    let found = only.attribute("Algorithm").unwrap_or_default();
    if !only.is(ns::DS, "Transform") || found != demanded {
        return Err(Refusal::new(Rule::Transforms, found));
    }
    if demanded == algorithm::EXCLUSIVE_C14N {
        return prefixes(only);
    }
    match only.children().next() {
        None => Ok(None),
        Some(child) => Err(Refusal::new(Rule::Transforms, child.path())),
    }
}

/// Exclusive C14N 1.0, 4: the PrefixList of a method or transform.
fn prefixes(method: El<'_, '_>) -> Result<Option<String>, Refusal> {
    let list = match method.children().collect::<Vec<_>>()[..] {
        [] => return Ok(None),
        [only] if only.is(ns::EC, "InclusiveNamespaces") => only.attribute("PrefixList"),
        _ => return Err(Refusal::new(Rule::Transforms, "other parameters of exclusive C14N")),
    };
    let list = list.unwrap_or_default();
    let names: Vec<&str> = list.split_ascii_whitespace().collect();
    if names.len() > MOST_PREFIXES {
        return Err(Refusal::new(Rule::Transforms, format!("{} prefixes", names.len())));
    }
    Ok(Some(names.join(" ")))
}

fn listed(prefixes: Option<&str>) -> Vec<String> {
    prefixes.unwrap_or_default().split_ascii_whitespace().map(str::to_owned).collect()
}
