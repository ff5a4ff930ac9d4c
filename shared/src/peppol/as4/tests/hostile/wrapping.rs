//! Signature wrapping: the signed element moves to a place where it is verified, and a forged one takes its place
//! where it is read (McIntosh and Austel, "XML signature element wrapping attacks", 2005; Somorovsky et al., "On
//! breaking SAML", 2012, XSW 1 to 8; Gruschka and Lo Iacono, 2009).

use super::{Case, forge::Forge};
use crate::peppol::as4::{
    Rule::{
        self, Envelope, KeyReference, OnlyOnce, ReferenceTarget, SecurityContent, SignatureForm,
        UniqueIds, Unsigned,
    },
    names::ns,
};

const MESSAGING: (&str, &str) = ("<eb:Messaging ", "</eb:Messaging>");
const BODY: (&str, &str) = ("<S12:Body ", "</S12:Body>");
const SIGNATURE: (&str, &str) = ("<ds:Signature ", "</ds:Signature>");

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = wrapped(forge, MESSAGING, "messaging");
    cases.extend(wrapped(forge, BODY, "body"));
    cases.extend(doubled(forge));
    cases.extend(moved(forge));
    cases
}

/// The signed element in each place, and a forged one in its original place, with each kind of id.
fn wrapped(forge: &Forge<'_>, (from, to): (&str, &str), id: &str) -> Vec<Case> {
    let signed = forge.piece(from, to);
    let forged =
        signed.replace(">PAE000002<", ">PAE000009<").replace("0235:1001234502", "0235:9999999999");
    let (soap, wsse) = (ns::SOAP, ns::WSSE);
    let holders: [(&str, &str, &str); 14] = [
        ("</S12:Header>", "<w>{}</w></S12:Header>", "another header"),
        ("<S12:Header>", "<S12:Header><w>{}</w>", "a first header"),
        ("</S12:Header>", "{}</S12:Header>", "the header beside"),
        ("<S12:Header>", "<S12:Header>{}", "the header before"),
        ("</S12:Envelope>", "<w>{}</w></S12:Envelope>", "another child of the envelope"),
        ("</S12:Envelope>", "{}</S12:Envelope>", "the envelope"),
        ("</S12:Body>", "{}</S12:Body>", "the body"),
        ("</S12:Body>", "<w>{}</w></S12:Body>", "within the body"),
        (
            "</ds:Signature>",
            "<ds:Object>{}</ds:Object></ds:Signature>",
            "an Object of the signature",
        ),
        ("</ds:SignatureValue>", "</ds:SignatureValue><w>{}</w>", "the signature"),
        ("</wsse:Security>", "<w>{}</w></wsse:Security>", "the security header"),
        ("</eb:UserMessage>", "<w>{}</w></eb:UserMessage>", "the message itself"),
        ("</eb:Messaging>", "<w>{}</w></eb:Messaging>", "the messaging header"),
        ("</ds:KeyInfo></ds:Signature>", "<w>{}</w></ds:KeyInfo></ds:Signature>", "the key info"),
    ];
    let good = format!("wsu:Id=\"{id}\"");
    assert!(signed.contains(&good));
    let mut cases = Vec::new();
    for (place, holder, name) in holders {
        for (kind, own) in [
            ("the same id", good.clone()),
            ("another id", "wsu:Id=\"forged\"".to_owned()),
            ("no id", String::new()),
        ] {
            let read = forged.replace(&good, &own);
            let without = forge.soap.replace(signed, "\u{1}");
            // A place inside the signed element is created in the forged one.
            let (mut text, read) = match without.contains(place) {
                true => (without.replacen(place, &holder.replace("{}", signed), 1), read),
                false => (without, read.replacen(place, &holder.replace("{}", signed), 1)),
            };
            text = text.replace('\u{1}', &read);
            if !text.contains(signed) {
                continue;
            }
            let rule = if own == good { UniqueIds } else { OnlyOnce };
            cases.push(forge.case(format!("{id} in {name}, forged with {kind}"), rule, text));
        }
    }
    // The same attack with similar namespaces.
    for near in [soap.to_uppercase(), format!("{soap}/"), wsse.to_owned()] {
        let other =
            forged.replace(&format!("xmlns:S12=\"{soap}\""), &format!("xmlns:S12=\"{near}\""));
        let text = forge.soap.replace(signed, &other);
        let rule = if id == "body" { Envelope } else { Rule::Digest };
        cases.push(forge.case(format!("{id} under {near}"), rule, text));
    }
    cases
}

/// A second copy of elements that may occur once.
fn doubled(forge: &Forge<'_>) -> Vec<Case> {
    let security = forge.piece("<wsse:Security ", "</wsse:Security>");
    let signature = forge.piece(SIGNATURE.0, SIGNATURE.1);
    let key = forge.piece("<xenc:EncryptedKey ", "</xenc:EncryptedKey>");
    let data = forge.piece("<xenc:EncryptedData ", "</xenc:EncryptedData>");
    let bare = |piece: &str| {
        ["messaging", "body", "signer", "receiver", "key", "data"]
            .iter()
            .fold(piece.to_owned(), |piece, id| {
                piece.replace(&format!("Id=\"{id}\""), &format!("Id=\"{id}2\""))
            })
    };
    let actor = bare(security).replacen(
        "S12:mustUnderstand",
        "S12:role=\"urn:other\" S12:mustUnderstand",
        1,
    );
    let empty = "<wsse:Security xmlns:wsse=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\"></wsse:Security>";
    let mut cases = Vec::new();
    for (name, piece) in [
        ("security", security),
        ("signature", signature),
        ("encrypted key", key),
        ("encrypted data", data),
    ] {
        for (how, second) in [("bare", bare(piece)), ("as it is", piece.to_owned())] {
            let repeats_id = second.contains("Id=\"") && how == "as it is" && name != "signature";
            let rule = if repeats_id { UniqueIds } else { OnlyOnce };
            for place in [
                "</wsse:Security>",
                "</S12:Header>",
                "</S12:Body>",
                "</eb:UserMessage>",
                "</S12:Envelope>",
            ] {
                let declared = declare(&second);
                let soap = forge.edit(place, &format!("{declared}{place}"));
                cases.push(forge.case(format!("a second {name} {how} in {place}"), rule, soap));
            }
        }
    }
    for second in [actor.as_str(), empty] {
        let soap = forge.edit("<S12:Header>", &format!("<S12:Header>{second}"));
        cases.push(forge.case("a second security header first", OnlyOnce, soap));
    }
    let header = forge.piece("<S12:Header>", "</S12:Header>");
    let body = forge.piece(BODY.0, BODY.1);
    for (name, soap, rule) in [
        (
            "two headers",
            forge.edit(header, &format!("<S12:Header></S12:Header>{header}")),
            OnlyOnce,
        ),
        ("two bodies", forge.edit(body, &format!("<S12:Body></S12:Body>{body}")), OnlyOnce),
        (
            "an envelope in the body",
            forge.edit("</S12:Body>", "<S12:Envelope></S12:Envelope></S12:Body>"),
            OnlyOnce,
        ),
        (
            "an envelope in an envelope",
            format!("<S12:Envelope xmlns:S12=\"{}\">{}</S12:Envelope>", ns::SOAP, forge.soap),
            OnlyOnce,
        ),
        ("no header", forge.edit(header, ""), Envelope),
        ("no body", forge.edit(body, ""), Envelope),
        ("body first", forge.edit(header, "").replace(body, &format!("{body}{header}")), Envelope),
        ("a third child", forge.edit("</S12:Envelope>", "<w></w></S12:Envelope>"), Envelope),
        (
            "a signal beside",
            forge.resign(&forge.edit(
                "</eb:UserMessage>",
                "</eb:UserMessage><eb:SignalMessage></eb:SignalMessage>",
            )),
            OnlyOnce,
        ),
        (
            "a signal alone",
            forge.resign(&forge.edit(
                forge.piece("<eb:UserMessage>", "</eb:UserMessage>"),
                "<eb:SignalMessage></eb:SignalMessage>",
            )),
            Rule::UserMessage,
        ),
        (
            "no message",
            forge.resign(&forge.edit(forge.piece("<eb:UserMessage>", "</eb:UserMessage>"), "")),
            Rule::UserMessage,
        ),
        ("another root", forge.soap.replace("S12:Envelope", "S12:Envelop"), Envelope),
        (
            "SOAP 1.1",
            forge.soap.replace(ns::SOAP, "http://schemas.xmlsoap.org/soap/envelope/"),
            Envelope,
        ),
        (
            "a foreign header that must be understood",
            forge.edit("<S12:Header>", "<S12:Header><w S12:mustUnderstand=\"true\"></w>"),
            Rule::MustUnderstand,
        ),
        (
            "the same as number",
            forge.edit("<S12:Header>", "<S12:Header><w S12:mustUnderstand=\"1\"></w>"),
            Rule::MustUnderstand,
        ),
        (
            "text in the body",
            forge.resign(&forge.edit("</S12:Body>", "x</S12:Body>")),
            Rule::EmptyBody,
        ),
        (
            "a payload in the body",
            forge.resign(&forge.edit("</S12:Body>", "<a></a></S12:Body>")),
            Rule::EmptyBody,
        ),
    ] {
        cases.push(forge.case(name, rule, soap));
    }
    cases
}

/// Adds declarations for the prefixes that are undeclared at the new place of a piece.
fn declare(piece: &str) -> String {
    let end = piece[1..].find([' ', '>']).unwrap() + 1;
    let spaces = [("wsse", ns::WSSE), ("wsu", ns::WSU), ("ds", ns::DS), ("xenc", ns::XENC)];
    let open = &piece[..piece.find('>').unwrap()];
    let missing = spaces.iter().filter(|(prefix, _)| !open.contains(&format!("xmlns:{prefix}=")));
    let declared: String =
        missing.map(|(prefix, uri)| format!(" xmlns:{prefix}=\"{uri}\"")).collect();
    format!("{}{declared}{}", &piece[..end], &piece[end..])
}

/// Verified elements moved to wrong places.
fn moved(forge: &Forge<'_>) -> Vec<Case> {
    let signature = declare(forge.piece(SIGNATURE.0, SIGNATURE.1));
    let without = forge.edit(forge.piece(SIGNATURE.0, SIGNATURE.1), "");
    let into = |place: &str| without.replacen(place, &format!("{signature}{place}"), 1);
    let token =
        forge.piece("<wsse:BinarySecurityToken EncodingType", "</wsse:BinarySecurityToken>");
    let tokenless = forge.edit(token, "");
    let token = declare(token);
    let held = |place: &str| tokenless.replacen(place, &format!("{token}{place}"), 1);
    let messaging = forge.piece(MESSAGING.0, MESSAGING.1);
    let without_messaging = forge.edit(messaging, "");
    let key = forge.piece("<xenc:EncryptedKey ", "</xenc:EncryptedKey>");
    let data = forge.piece("<xenc:EncryptedData ", "</xenc:EncryptedData>");
    let info = "<ds:KeyInfo><wsse:SecurityTokenReference xmlns:wsse11";
    let table = [
        ("the signature in the header", Unsigned, into("</S12:Header>")),
        ("the signature in another element", Unsigned, into("</wsse:Security>").replace(&signature, &format!("<w>{signature}</w>"))),
        ("the signature in the body", Rule::EmptyBody, into("</S12:Body>")),
        ("a token in the header", KeyReference, held("</S12:Header>")),
        ("a token in the body", Rule::EmptyBody, held("</S12:Body>")),
        ("a token in the message", KeyReference, forge.resign(&held("</eb:UserMessage>"))),
        ("the message in the body", OnlyOnce, without_messaging.replace("</S12:Body>", &format!("{messaging}</S12:Body>"))),
        ("the message in the security header", OnlyOnce, without_messaging.replace("</wsse:Security>", &format!("{messaging}</wsse:Security>"))),
        ("no message", OnlyOnce, without_messaging.clone()),
        ("the id of the message on another", ReferenceTarget, forge.edit("wsu:Id=\"messaging\"", "wsu:Id=\"other\"").replace("<S12:Header>", "<S12:Header><w xmlns:wsu=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\" wsu:Id=\"messaging\"></w>")),
        ("an id without namespace", ReferenceTarget, forge.edit("wsu:Id=\"messaging\"", "Id=\"messaging\"")),
        ("an id of another namespace", ReferenceTarget, forge.edit("wsu:Id=\"body\"", "xml:id=\"body\"")),
        ("the encrypted key in the header", Rule::Unencrypted, forge.edit(key, "").replace("</S12:Header>", &format!("{}</S12:Header>", declare(key)))),
        ("the encrypted data in the header", Rule::Unencrypted, forge.edit(data, "").replace("</S12:Header>", &format!("{}</S12:Header>", declare(data)))),
        ("the encrypted key in the data", Rule::Unencrypted, forge.edit(key, "").replace(info, &format!("{key}{info}"))),
        ("an unknown element", SecurityContent, forge.edit("</wsse:Security>", "<w></w></wsse:Security>")),
        ("a SAML assertion", SecurityContent, forge.edit("</wsse:Security>", "<s:Assertion xmlns:s=\"urn:oasis:names:tc:SAML:2.0:assertion\"></s:Assertion></wsse:Security>")),
        ("a user name", SecurityContent, forge.edit("</wsse:Security>", "<wsse:UsernameToken></wsse:UsernameToken></wsse:Security>")),
        ("a manifest", SignatureForm, forge.edit("</ds:Signature>", "<ds:Object><ds:Manifest></ds:Manifest></ds:Object></ds:Signature>")),
    ];
    table.into_iter().map(|(name, rule, soap)| forge.case(name, rule, soap)).collect()
}
