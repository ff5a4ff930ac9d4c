//! Writes envelopes in canonical form, so that the signed bytes are the sent bytes.
//!
//! Exclusive XML Canonicalization 1.0 of each signed element gives exactly the bytes written here:
//!
//! - namespaces are declared at their first use within the element;
//! - attributes are sorted by namespace and name;
//! - no tag is empty.

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use jiff::Timestamp;

use super::{
    ids::{Digest, Reference, References},
    names::{algorithm, ns, token},
    signature::{SignedReference, Target},
};
use crate::peppol::pki::{Certificate, KeyError, Signer};

/// The ids of the signed elements. They are unique within one message and the same in every retry.
const MESSAGING_ID: &str = "messaging";
const BODY_ID: &str = "body";
const SIGNER_TOKEN: &str = "signer";

pub(super) fn body() -> String {
    let (soap, wsu) = (ns::SOAP, ns::WSU);
    format!(r#"<S12:Body xmlns:S12="{soap}" xmlns:wsu="{wsu}" wsu:Id="{BODY_ID}"></S12:Body>"#)
}

/// `eb:Messaging` around one message.
pub(super) fn messaging(message: &str) -> String {
    let (soap, eb, wsu) = (ns::SOAP, ns::EB, ns::WSU);
    format!(
        r#"<eb:Messaging xmlns:S12="{soap}" xmlns:eb="{eb}" xmlns:wsu="{wsu}" wsu:Id="{MESSAGING_ID}" S12:mustUnderstand="true">{message}</eb:Messaging>"#
    )
}

/// An envelope from its blocks. `security` is the content of the Security header; `None` omits the header.
pub(super) fn envelope(security: Option<&str>, messaging: &str) -> String {
    let (soap, wsse, wsu) = (ns::SOAP, ns::WSSE, ns::WSU);
    let security = security.map_or(String::new(), |content| {
        format!(
            r#"<wsse:Security xmlns:wsse="{wsse}" xmlns:wsu="{wsu}" S12:mustUnderstand="true">{content}</wsse:Security>"#
        )
    });
    let body = body();
    format!(
        r#"<S12:Envelope xmlns:S12="{soap}"><S12:Header>{security}{messaging}</S12:Header>{body}</S12:Envelope>"#
    )
}

/// Signs `messaging`, the Body and the attachment. Returns token and signature, and the references.
pub(super) async fn sign(
    messaging: &str,
    attachment: Option<Reference>,
    signer: &dyn Signer,
) -> Result<(String, References), KeyError> {
    let references = signed_references(messaging, attachment);
    let info = signed_info(&references);
    let value = BASE64.encode(signer.sign(info.as_bytes()).await?);
    let (token, key) = (binary_token(SIGNER_TOKEN, signer.certificate()), key_info(SIGNER_TOKEN));
    let ds = ns::DS;
    let signature = format!(
        r#"{token}<ds:Signature xmlns:ds="{ds}">{info}<ds:SignatureValue>{value}</ds:SignatureValue>{key}</ds:Signature>"#
    );
    let references = references.into_iter().map(|signed| signed.reference).collect();
    Ok((signature, References(references)))
}

fn signed_references(messaging: &str, attachment: Option<Reference>) -> Vec<SignedReference> {
    let local = |target, id: &str, canonical: &str| SignedReference {
        target,
        reference: Reference { uri: format!("#{id}"), digest: Digest::of(canonical.as_bytes()) },
        prefixes: None,
    };
    let mut references = vec![
        local(Target::Messaging, MESSAGING_ID, messaging),
        local(Target::Body, BODY_ID, &body()),
    ];
    references.extend(attachment.map(|reference| SignedReference {
        target: Target::Attachment(reference.uri.clone()),
        reference,
        prefixes: None,
    }));
    references
}

/// `ds:SignedInfo` in canonical form.
pub(super) fn signed_info(references: &[SignedReference]) -> String {
    let (ds, c14n, rsa) = (ns::DS, algorithm::EXCLUSIVE_C14N, algorithm::RSA_SHA256);
    let mut info = format!(
        r#"<ds:SignedInfo xmlns:ds="{ds}"><ds:CanonicalizationMethod Algorithm="{c14n}"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="{rsa}"></ds:SignatureMethod>"#
    );
    for signed in references {
        reference(&mut info, "<ds:Reference", signed);
    }
    info.push_str("</ds:SignedInfo>");
    info
}

/// One `ds:Reference`. `opening` has its name and the namespaces that it must declare.
pub(super) fn reference(out: &mut String, opening: &str, signed: &SignedReference) {
    let SignedReference { target, reference: Reference { uri, digest }, prefixes } = signed;
    let transform = match target {
        Target::Attachment(_) => algorithm::ATTACHMENT_CONTENT,
        Target::Messaging | Target::Body => algorithm::EXCLUSIVE_C14N,
    };
    let (uri, sha256, ec) = (attribute(uri), algorithm::SHA256, ns::EC);
    let prefixes = prefixes.as_deref().map_or(String::new(), |list| {
        let list = attribute(list);
        format!(
            r#"<ec:InclusiveNamespaces xmlns:ec="{ec}" PrefixList="{list}"></ec:InclusiveNamespaces>"#
        )
    });
    let _ = write!(
        out,
        r#"{opening} URI="{uri}"><ds:Transforms><ds:Transform Algorithm="{transform}">{prefixes}</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="{sha256}"></ds:DigestMethod><ds:DigestValue>{digest}</ds:DigestValue></ds:Reference>"#
    );
}

/// A `wsse:BinarySecurityToken`.
pub(super) fn binary_token(id: &str, certificate: &Certificate) -> String {
    let (encoding, kind) = (token::BASE64, token::X509_V3);
    let der = BASE64.encode(certificate.der());
    format!(
        r#"<wsse:BinarySecurityToken EncodingType="{encoding}" ValueType="{kind}" wsu:Id="{id}">{der}</wsse:BinarySecurityToken>"#
    )
}

/// A `ds:KeyInfo` that refers to a token.
pub(super) fn key_info(id: &str) -> String {
    let kind = token::X509_V3;
    format!(
        r##"<ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference URI="#{id}" ValueType="{kind}"></wsse:Reference></wsse:SecurityTokenReference></ds:KeyInfo>"##
    )
}

/// An instant as `xs:dateTime` in UTC, always with milliseconds.
pub(super) fn date_time(instant: Timestamp) -> String {
    format!("{instant:.3}")
}

/// Text of an element: Canonical XML 1.0, 2.3.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\r' => Some("&#xD;"),
        _ => None,
    })
}

/// Value of an attribute: Canonical XML 1.0, 2.3.
pub(super) fn attribute(text: &str) -> Cow<'_, str> {
    escaped(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '"' => Some("&quot;"),
        '\t' => Some("&#x9;"),
        '\n' => Some("&#xA;"),
        '\r' => Some("&#xD;"),
        _ => None,
    })
}

fn escaped(text: &str, entity: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    if !text.contains(|c| entity(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match entity(c) {
            Some(entity) => escaped.push_str(entity),
            None => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}
