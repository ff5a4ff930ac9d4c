//! Messages signed by a trusted access point, with each algorithm replaced by another.

use super::{Case, forge::Forge};
use crate::peppol::as4::{
    Rule::{self, Algorithm, EncryptedForm, Transforms},
    names::algorithm::{
        AES128_GCM, ATTACHMENT_CIPHERTEXT, ATTACHMENT_CONTENT, EXCLUSIVE_C14N, MGF1_SHA256,
        RSA_OAEP, RSA_SHA256, SHA256,
    },
};

const CANONICALIZATIONS: [&str; 9] = [
    "",
    "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
    "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments",
    "http://www.w3.org/2006/12/xml-c14n11",
    "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
    "http://www.w3.org/2010/xml-c14n2",
    "http://www.w3.org/2001/10/XML-EXC-C14N#",
    "http://www.w3.org/TR/1999/REC-xslt-19991116",
    "urn:identity",
];
const SIGNATURES: [&str; 10] = [
    "",
    "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
    "http://www.w3.org/2000/09/xmldsig#dsa-sha1",
    "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
    "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
    "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
    "none",
];
const DIGESTS: [&str; 5] = [
    "",
    "http://www.w3.org/2000/09/xmldsig#sha1",
    "http://www.w3.org/2001/04/xmldsig-more#md5",
    "http://www.w3.org/2001/04/xmldsig-more#sha384",
    "http://www.w3.org/2001/04/xmlenc#sha512",
];
const TRANSFORMS: [&str; 10] = [
    "",
    "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
    "http://www.w3.org/2000/09/xmldsig#base64",
    "http://www.w3.org/TR/1999/REC-xpath-19991116",
    "http://www.w3.org/2002/06/xmldsig-filter2",
    "http://www.w3.org/TR/1999/REC-xslt-19991116",
    "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform",
    "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Complete-Signature-Transform",
    "http://www.w3.org/2002/07/decrypt#XML",
];
const CIPHERS: [&str; 7] = [
    "",
    "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
    "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
    "http://www.w3.org/2001/04/xmlenc#tripledes-cbc",
    "http://www.w3.org/2009/xmlenc11#aes192-gcm",
    "http://www.w3.org/2009/xmlenc11#aes256-gcm",
    "none",
];
const TRANSPORTS: [&str; 6] = [
    "",
    "http://www.w3.org/2001/04/xmlenc#rsa-1_5",
    "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
    "http://www.w3.org/2001/04/xmlenc#kw-aes128",
    "http://www.w3.org/2009/xmlenc11#ECDH-ES",
    "none",
];
const MASKS: [&str; 4] = [
    "",
    "http://www.w3.org/2009/xmlenc11#mgf1sha1",
    "http://www.w3.org/2009/xmlenc11#mgf1sha384",
    "http://www.w3.org/2009/xmlenc11#mgf1sha512",
];

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let slots: [(&str, &str, &[&str], Rule); 8] = [
        ("CanonicalizationMethod", EXCLUSIVE_C14N, &CANONICALIZATIONS, Algorithm),
        ("SignatureMethod", RSA_SHA256, &SIGNATURES, Algorithm),
        ("Transform", EXCLUSIVE_C14N, &TRANSFORMS, Transforms),
        ("Transform", ATTACHMENT_CONTENT, &TRANSFORMS, Transforms),
        ("Transform", ATTACHMENT_CIPHERTEXT, &TRANSFORMS, EncryptedForm),
        ("EncryptionMethod", AES128_GCM, &CIPHERS, Algorithm),
        ("EncryptionMethod", RSA_OAEP, &TRANSPORTS, Algorithm),
        ("MGF xmlns:xenc11=\"http://www.w3.org/2009/xmlenc11#\"", MGF1_SHA256, &MASKS, Algorithm),
    ];
    let mut cases = Vec::new();
    for (element, good, others, rule) in slots {
        for other in others {
            let from = format!("{element} Algorithm=\"{good}\"");
            let to = format!("{element} Algorithm=\"{other}\"");
            let soap = forge.resign(&forge.soap.replacen(&from, &to, 1));
            assert!(soap.contains(&to));
            cases.push(forge.case(format!("{element} {other}"), rule, soap));
        }
    }
    cases.extend(digests(forge));
    cases.extend(missing(forge));
    cases
}

/// Each of the four digest methods: of the key transport, and of the references.
fn digests(forge: &Forge<'_>) -> Vec<Case> {
    let good = format!("DigestMethod Algorithm=\"{SHA256}\"");
    let places: Vec<usize> = forge.soap.match_indices(&good).map(|(at, _)| at).collect();
    assert_eq!(places.len(), 4);
    let mut cases = Vec::new();
    for at in places {
        for other in DIGESTS {
            let mut soap = forge.soap.clone();
            let changed = format!("DigestMethod Algorithm=\"{other}\"");
            soap.replace_range(at..at + good.len(), &changed);
            let soap = forge.resign(&soap);
            cases.push(forge.case(format!("digest {other} at {at}"), Algorithm, soap));
        }
    }
    cases
}

/// Each method omitted, or with parameters.
fn missing(forge: &Forge<'_>) -> Vec<Case> {
    let ec = "<ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" PrefixList=\"";
    let many = format!("{ec}{}\"/>", "a b ".repeat(40));
    let twice = format!("{ec}a\"/>{ec}b\"/>");
    let attachment = format!("{ATTACHMENT_CONTENT}\">");
    let first = format!("<ds:Transform Algorithm=\"{EXCLUSIVE_C14N}\"></ds:Transform>");
    let table: &[(Rule, &str, &str)] = &[
        (
            Algorithm,
            &format!(
                "<ds:CanonicalizationMethod Algorithm=\"{EXCLUSIVE_C14N}\"></ds:CanonicalizationMethod>"
            ),
            "",
        ),
        (
            Algorithm,
            &format!("<ds:SignatureMethod Algorithm=\"{RSA_SHA256}\"></ds:SignatureMethod>"),
            "",
        ),
        (Algorithm, &format!("<xenc:EncryptionMethod Algorithm=\"{AES128_GCM}\"/>"), ""),
        (Algorithm, "<xenc11:MGF", "<xenc11:Mgf"),
        (
            Algorithm,
            "</xenc:EncryptionMethod>",
            "<xenc:OAEPparams>AA==</xenc:OAEPparams></xenc:EncryptionMethod>",
        ),
        (
            Transforms,
            "</ds:CanonicalizationMethod>",
            &format!("{many}</ds:CanonicalizationMethod>"),
        ),
        (
            Transforms,
            "</ds:CanonicalizationMethod>",
            &format!("{twice}</ds:CanonicalizationMethod>"),
        ),
        (Transforms, "</ds:CanonicalizationMethod>", "<x/></ds:CanonicalizationMethod>"),
        (Transforms, &attachment, &format!("{attachment}{ec}a\"/>")),
        (Transforms, &first, ""),
        (Transforms, &first, &format!("{first}{first}")),
        (
            Transforms,
            "<ds:Reference URI=\"#messaging\"><ds:Transforms>",
            "<ds:Reference URI=\"#messaging\"><ds:Transforms><ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\"><ds:XPath>/</ds:XPath></ds:Transform>",
        ),
    ];
    let case = |(rule, from, to): &(Rule, &str, &str)| {
        let soap = forge.resign(&forge.soap.replacen(from, to, 1));
        forge.case(format!("{from} as {to}"), *rule, soap)
    };
    table.iter().map(case).collect()
}
