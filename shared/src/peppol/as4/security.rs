//! The WS-Security header: one signature, at most one encrypted key with its data, and tokens.

use super::{
    mime,
    names::{algorithm, ns, token},
    refusal::Refusal,
    rule::Rule,
};
use crate::peppol::dom::{El, unwrap_base64};

/// The encryption of the attachment.
pub(super) struct Encryption {
    /// The certificate that the content key is encrypted for, in DER.
    pub(super) recipient: Vec<u8>,
    /// The encrypted content key.
    pub(super) wrapped_key: Vec<u8>,
    pub(super) content_id: String,
}

/// Reads the encryption of the attachment; `None` without EncryptedKey and EncryptedData.
pub(super) fn encryption(security: El<'_, '_>) -> Result<Option<Encryption>, Refusal> {
    check_content(security)?;
    let key = security.single(ns::XENC, "EncryptedKey");
    let data = security.single(ns::XENC, "EncryptedData");
    let (key, data) = match (key, data) {
        (Ok(key), Ok(data)) => (key, data),
        (Err(0), Err(0)) => return Ok(None),
        _ => {
            return Err(Refusal::new(Rule::Unencrypted, "a key without data, or data without key"));
        }
    };
    let content_id = encrypted_data(data, key)?;
    let (recipient, wrapped_key) = encrypted_key(key, security)?;
    check_reference_list(key, data)?;
    Ok(Some(Encryption { recipient, wrapped_key, content_id }))
}

/// Checks the children of the header. A Timestamp is optional and ignored.
fn check_content(security: El<'_, '_>) -> Result<(), Refusal> {
    let known = |child: &El<'_, '_>| {
        child.is(ns::WSSE, "BinarySecurityToken")
            || child.is(ns::XENC, "EncryptedKey")
            || child.is(ns::XENC, "EncryptedData")
            || child.is(ns::DS, "Signature")
            || child.is(ns::WSU, "Timestamp")
    };
    match security.children().find(|child| !known(child)) {
        Some(child) => Err(Refusal::new(Rule::SecurityContent, child.path())),
        None => Ok(()),
    }
}

/// Checks the EncryptedData of an attachment (SwA profile 1.1, 5.5) and returns its Content-ID.
fn encrypted_data(data: El<'_, '_>, key: El<'_, '_>) -> Result<String, Refusal> {
    let kind = data.attribute("Type").unwrap_or_default();
    if kind != token::ATTACHMENT_CONTENT_ONLY {
        return Err(Refusal::new(Rule::EncryptedForm, format!("Type {kind}")));
    }
    algorithm_of(data, ns::XENC, "EncryptionMethod", algorithm::AES128_GCM)?;
    // Some implementations omit KeyInfo, because there is only one key.
    if let Ok(info) = data.single(ns::DS, "KeyInfo") {
        let uri = reference_in(info)?.attribute("URI").unwrap_or_default();
        if uri.strip_prefix('#').is_none_or(|id| Some(id) != key.wsu_id()) {
            return Err(Refusal::new(Rule::EncryptedForm, format!("KeyInfo that refers to {uri}")));
        }
    }
    let cipher = data.require(ns::XENC, "CipherData", Rule::EncryptedForm)?;
    let reference = cipher.require(ns::XENC, "CipherReference", Rule::EncryptedForm)?;
    if let Ok(transforms) = reference.single(ns::XENC, "Transforms") {
        let all: Vec<_> = transforms.children().collect();
        let known = matches!(all[..], [only] if only.is(ns::DS, "Transform")
            && only.attribute("Algorithm") == Some(algorithm::ATTACHMENT_CIPHERTEXT));
        if !known {
            return Err(Refusal::new(Rule::EncryptedForm, "other transforms of the ciphertext"));
        }
    }
    let uri = reference.attribute("URI").unwrap_or_default();
    let id = mime::content_id_of_url(uri);
    id.map(String::from).ok_or_else(|| Refusal::new(Rule::EncryptedForm, format!("URI {uri}")))
}

/// XML Encryption 1.1, 5.5.2: RSA-OAEP with the digests of the profile.
fn encrypted_key(key: El<'_, '_>, security: El<'_, '_>) -> Result<(Vec<u8>, Vec<u8>), Refusal> {
    let method = algorithm_of(key, ns::XENC, "EncryptionMethod", algorithm::RSA_OAEP)?;
    algorithm_of(method, ns::DS, "DigestMethod", algorithm::SHA256)?;
    algorithm_of(method, ns::XENC11, "MGF", algorithm::MGF1_SHA256)?;
    if method.all(ns::XENC, "OAEPparams").next().is_some() {
        return Err(Refusal::new(Rule::Algorithm, "OAEPparams"));
    }
    let info = key.require(ns::DS, "KeyInfo", Rule::KeyReference)?;
    let recipient = certificate(info, security)?;
    let value = key.require(ns::XENC, "CipherData", Rule::EncryptedForm)?.require(
        ns::XENC,
        "CipherValue",
        Rule::EncryptedForm,
    )?;
    let wrapped = value.text_alone().as_deref().and_then(unwrap_base64);
    let wrapped = wrapped
        .ok_or_else(|| Refusal::new(Rule::EncryptedForm, "a CipherValue that is not base64"))?;
    Ok((recipient, wrapped))
}

/// XML Encryption 1.1, 3.6: the ReferenceList names the one EncryptedData. Some implementations omit the list.
fn check_reference_list(key: El<'_, '_>, data: El<'_, '_>) -> Result<(), Refusal> {
    let Ok(list) = key.single(ns::XENC, "ReferenceList") else { return Ok(()) };
    for reference in list.children() {
        let uri = reference.attribute("URI").unwrap_or_default();
        if uri.strip_prefix('#').is_none_or(|id| Some(id) != data.wsu_id()) {
            return Err(Refusal::new(Rule::EncryptedForm, format!("DataReference to {uri}")));
        }
    }
    Ok(())
}

/// The one child of that name. Its algorithm must be `demanded`.
pub(super) fn algorithm_of<'d, 's>(
    parent: El<'d, 's>,
    namespace: &str,
    name: &str,
    demanded: &str,
) -> Result<El<'d, 's>, Refusal> {
    let method = parent.require(namespace, name, Rule::Algorithm)?;
    match method.attribute("Algorithm") {
        Some(found) if found == demanded => Ok(method),
        found => {
            let found = found.unwrap_or("no algorithm");
            Err(Refusal::new(Rule::Algorithm, format!("{name} {found}")))
        }
    }
}

/// The one wsse:Reference of a KeyInfo.
fn reference_in<'d, 's>(info: El<'d, 's>) -> Result<El<'d, 's>, Refusal> {
    let [only] = info.children().collect::<Vec<_>>()[..] else {
        return Err(Refusal::new(Rule::KeyReference, "KeyInfo of several or no children"));
    };
    if !only.is(ns::WSSE, "SecurityTokenReference") {
        return Err(Refusal::new(Rule::KeyReference, only.path()));
    }
    match only.children().collect::<Vec<_>>()[..] {
        [reference] if reference.is(ns::WSSE, "Reference") => Ok(reference),
        _ => Err(Refusal::new(Rule::KeyReference, "a SecurityTokenReference without Reference")),
    }
}

/// The certificate behind a KeyInfo, in DER: X.509 token profile 1.1, 3.2.2. Only the direct reference is accepted.
pub(super) fn certificate(info: El<'_, '_>, security: El<'_, '_>) -> Result<Vec<u8>, Refusal> {
    let reference = reference_in(info)?;
    let kind = reference.attribute("ValueType").unwrap_or(token::X509_V3);
    if kind != token::X509_V3 {
        return Err(Refusal::new(Rule::KeyReference, format!("ValueType {kind}")));
    }
    let uri = reference.attribute("URI").unwrap_or_default();
    let missing = || Refusal::new(Rule::KeyReference, format!("a reference to {uri:?}"));
    let id = uri.strip_prefix('#').filter(|id| !id.is_empty()).ok_or_else(missing)?;
    let mut tokens = security.all(ns::WSSE, "BinarySecurityToken");
    let token = tokens.find(|token| token.wsu_id() == Some(id)).ok_or_else(missing)?;
    if token.attribute("ValueType") != Some(token::X509_V3) {
        return Err(Refusal::new(Rule::KeyReference, "a token of another ValueType"));
    }
    if token.attribute("EncodingType").is_some_and(|encoding| encoding != token::BASE64) {
        return Err(Refusal::new(Rule::KeyReference, "a token of another EncodingType"));
    }
    let der = token.text_alone().as_deref().and_then(unwrap_base64);
    der.ok_or_else(|| Refusal::new(Rule::Token, "a token that is not base64"))
}
