//! Too many or too few references, and references to other targets.

use super::{Case, forge::Forge};
use crate::peppol::as4::{
    Rule::{
        self, Coverage, Digest, KeyReference, ReferenceTarget, Signature, SignatureForm, Token,
        Unsigned,
    },
    names::{algorithm::EXCLUSIVE_C14N, token::X509_V3},
};

const MESSAGING: (&str, &str) = ("<ds:Reference URI=\"#messaging\"", "</ds:Reference>");
const BODY: (&str, &str) = ("<ds:Reference URI=\"#body\"", "</ds:Reference>");
const ATTACHMENT: (&str, &str) = ("<ds:Reference URI=\"cid:", "</ds:Reference>");
const VALUE: (&str, &str) = ("<ds:SignatureValue>", "</ds:SignatureValue>");
const DIGEST: (&str, &str) = ("<ds:DigestValue>", "</ds:DigestValue>");

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = targets(forge);
    cases.extend(coverage(forge));
    cases.extend(values(forge));
    cases.extend(keys(forge));
    cases
}

/// An additional or a replaced reference to each of these targets.
fn targets(forge: &Forge<'_>) -> Vec<Case> {
    let uris = [
        "",
        "#",
        "#nothing",
        "#signer",
        "#receiver",
        "#key",
        "#data",
        "#Messaging",
        "#messaging ",
        "#xpointer(/)",
        "#xpointer(id('messaging'))",
        "messaging",
        "cid",
        "CID:x",
        "http://example.com/a.xml",
        "file:///etc/passwd",
        "https://169.254.169.254/latest",
        "cid:other@payload",
        "cid:%ff",
        "cid:",
    ];
    let mut cases = Vec::new();
    for uri in uris {
        for (place, (from, to)) in
            [("messaging", MESSAGING), ("body", BODY), ("attachment", ATTACHMENT)]
        {
            let piece = forge.piece(from, to);
            let start = piece.find("URI=\"").unwrap() + 5;
            let end = start + piece[start..].find('"').unwrap();
            let changed = format!("{}{uri}{}", &piece[..start], &piece[end..]);
            let transform = match uri {
                "cid:other@payload" | "cid:" => place == "attachment",
                _ => true,
            };
            let rule = if transform { ReferenceTarget } else { Rule::Transforms };
            // A reference to a missing attachment leaves the real attachment without a reference.
            let rule = match (uri, place) {
                ("cid:other@payload" | "cid:", "attachment") => Coverage,
                _ => rule,
            };
            let soap = forge.resign(&forge.edit(piece, &changed));
            cases.push(forge.case(format!("{place} reference to {uri:?}"), rule, soap));
        }
        let piece = forge.piece(MESSAGING.0, MESSAGING.1);
        let more = piece.replacen("#messaging", uri, 1);
        let soap = forge.resign(&forge.edit(piece, &format!("{piece}{more}")));
        let rule = if uri.starts_with("cid:") && !uri.contains("%f") {
            Rule::Transforms
        } else {
            ReferenceTarget
        };
        cases.push(forge.case(format!("one more reference to {uri:?}"), rule, soap));
    }
    for (from, to) in [MESSAGING, BODY, ATTACHMENT] {
        let piece = forge.piece(from, to);
        let soap = forge.resign(&forge.edit(piece, &format!("{piece}{piece}")));
        cases.push(forge.case(format!("{from} twice"), ReferenceTarget, soap));
        let without = piece.replace(&forge.piece(from, "\">")[13..], ">");
        let soap = forge.resign(&forge.edit(piece, &without));
        cases.push(forge.case(format!("{from} without URI"), ReferenceTarget, soap));
    }
    cases
}

/// Content that is not signed.
fn coverage(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    for (from, to) in [MESSAGING, BODY, ATTACHMENT] {
        let soap = forge.resign(&forge.edit(forge.piece(from, to), ""));
        cases.push(forge.case(format!("without {from}"), Coverage, soap));
    }
    let all = [MESSAGING, BODY, ATTACHMENT].map(|(from, to)| forge.piece(from, to)).concat();
    let none = forge.edit(&all, "");
    cases.push(forge.case("no reference", Coverage, forge.resign(&none)));
    let signature = forge.piece("<ds:Signature ", "</ds:Signature>");
    cases.push(forge.case("no signature", Unsigned, forge.edit(signature, "")));
    let security = forge.piece("<wsse:Security ", "</wsse:Security>");
    cases.push(forge.case("no security", Unsigned, forge.edit(security, "")));
    for piece in [
        "<ds:SignedInfo",
        VALUE.0,
        "<ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference URI=\"#signer\"",
    ] {
        let name = piece[1..].split([' ', '>']).next().unwrap();
        let piece = forge.piece(piece, &format!("</{name}>"));
        cases.push(forge.case(format!("without {name}"), SignatureForm, forge.edit(piece, "")));
        let twice = format!("{piece}{piece}");
        cases.push(forge.case(format!("{name} twice"), SignatureForm, forge.edit(piece, &twice)));
    }
    let object = "</ds:KeyInfo><ds:Object><a/></ds:Object></ds:Signature>";
    let soap = forge.edit("</ds:KeyInfo></ds:Signature>", object);
    cases.push(forge.case("an Object", SignatureForm, soap));
    cases
}

/// Changed digests and signatures.
fn values(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    let value = forge.piece(VALUE.0, VALUE.1);
    for at in (VALUE.0.len()..VALUE.0.len() + 300).step_by(30) {
        let soap = forge.edit(value, &flipped(value, at));
        cases.push(forge.case(format!("signature changed at {at}"), Signature, soap));
    }
    let forms = ["", "AAAA", "!!!!", "A", &"A".repeat(342), &"/".repeat(684)];
    for form in forms {
        let soap = forge.edit(value, &format!("{}{form}{}", VALUE.0, VALUE.1));
        let base64 = form != "!!!!" && form != "A" && form.len() != 342;
        let rule = if base64 { Signature } else { SignatureForm };
        cases.push(forge.case(format!("signature of {} characters", form.len()), rule, soap));
    }
    for (from, to) in [MESSAGING, BODY, ATTACHMENT] {
        let reference = forge.piece(from, to);
        let start = reference.find(DIGEST.0).unwrap() + DIGEST.0.len();
        let changes = [(flipped(reference, start + 5), from == ATTACHMENT.0)];
        for (changed, is_attachment) in changes {
            // A stranger changes signed content.
            let rule = if is_attachment { Signature } else { Digest };
            cases.push(forge.case(
                format!("digest of {from}"),
                rule,
                forge.edit(reference, &changed),
            ));
        }
        for form in ["", "AAAA", "!", "<a/>"] {
            let end = start + reference[start..].find('<').unwrap();
            let changed = format!("{}{form}{}", &reference[..start], &reference[end..]);
            let soap = forge.edit(reference, &changed);
            cases.push(forge.case(format!("digest {form:?} of {from}"), Digest, soap));
        }
    }
    let other = forge.soap.replace("<eb:Role>", "<eb:Role> ");
    cases.push(forge.case("content changed", Digest, other));
    cases
}

fn flipped(text: &str, at: usize) -> String {
    let other = if &text[at..=at] == "A" { "B" } else { "A" };
    format!("{}{other}{}", &text[..at], &text[at + 1..])
}

/// Other kinds of key references, and other keys.
fn keys(forge: &Forge<'_>) -> Vec<Case> {
    let direct = |id: &str| {
        format!("<wsse:Reference URI=\"#{id}\" ValueType=\"{X509_V3}\"></wsse:Reference>")
    };
    let (signer, receiver) = (direct("signer"), direct("receiver"));
    let embedded = "<wsse:KeyIdentifier ValueType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509SubjectKeyIdentifier\">AAAA</wsse:KeyIdentifier>";
    let issuer = "<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName><ds:X509SerialNumber>1</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>";
    let (wrong_type, far) = (signer.replace("#X509v3", "#X509PKIPathv1"), direct("nothing"));
    let forms = [
        "",
        embedded,
        issuer,
        &wrong_type,
        &far,
        &direct(""),
        &direct("key"),
        &direct("messaging"),
        "<wsse:Reference URI=\"http://example.com/cert.pem\"></wsse:Reference>",
        "<wsse:Reference></wsse:Reference>",
        "<wsse:Embedded></wsse:Embedded>",
        &format!("{signer}{receiver}"),
    ];
    let mut cases = Vec::new();
    for (whose, good) in [("signer", &signer), ("receiver", &receiver)] {
        for form in forms {
            let soap = forge.edit(good, form);
            cases.push(forge.case(format!("{whose} by {form}"), KeyReference, soap));
        }
        let wrapped = format!("<wsse:SecurityTokenReference>{good}</wsse:SecurityTokenReference>");
        for form in [
            "",
            "<ds:KeyName>PAE000001</ds:KeyName>",
            "<ds:KeyValue><ds:RSAKeyValue/></ds:KeyValue>",
            issuer,
        ] {
            let soap = forge.edit(&wrapped, form);
            cases.push(forge.case(format!("{whose} by KeyInfo {form}"), KeyReference, soap));
        }
    }
    cases.push(forge.case("receiver as signer", Signature, forge.edit(&signer, &receiver)));
    cases.push(forge.case(
        "signer as receiver",
        Rule::EncryptedForAnother,
        forge.edit(&receiver, &signer),
    ));
    let token = forge.piece("<wsse:BinarySecurityToken", "</wsse:BinarySecurityToken>");
    for (name, rule, changed) in [
        ("no token", KeyReference, String::new()),
        ("two tokens of one id", Rule::UniqueIds, format!("{token}{token}")),
        ("token of no base64", Token, replace_text(token, "***")),
        ("empty token", Rule::EncryptedForAnother, replace_text(token, "")),
        ("token of zeros", Rule::EncryptedForAnother, replace_text(token, &"A".repeat(2000))),
        ("long token", Rule::EncryptedForAnother, replace_text(token, &"A".repeat(40_000))),
        ("token of another kind", KeyReference, token.replace("#X509v3", "#PKCS7")),
        ("token of another encoding", KeyReference, token.replace("#Base64Binary", "#HexBinary")),
    ] {
        cases.push(forge.case(name, rule, forge.edit(token, &changed)));
    }
    let token = forge.piece(
        "<wsse:BinarySecurityToken EncodingType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary\" ValueType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3\" wsu:Id=\"signer\"",
        "</wsse:BinarySecurityToken>",
    );
    for text in ["", "***", &"A".repeat(2000), &"A".repeat(40_000)] {
        let soap = forge.edit(token, &replace_text(token, text));
        cases.push(forge.case(format!("signer's token {text:.5}"), Token, soap));
    }
    let prefixed = format!(
        "{EXCLUSIVE_C14N}\"><ec:InclusiveNamespaces xmlns:ec=\"{EXCLUSIVE_C14N}\" PrefixList=\"eb\"/>"
    );
    let soap = forge.soap.replacen(&format!("{EXCLUSIVE_C14N}\">"), &prefixed, 1);
    cases.push(forge.case("another canonical form", Signature, soap));
    cases
}

fn replace_text(element: &str, text: &str) -> String {
    let (start, end) = (element.find('>').unwrap() + 1, element.rfind('<').unwrap());
    format!("{}{text}{}", &element[..start], &element[end..])
}
