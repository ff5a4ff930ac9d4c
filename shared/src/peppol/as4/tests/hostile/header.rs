//! Wrong ebMS headers: signed by a trusted access point, or changed by a stranger.

use super::{Case, forge::Forge};
use crate::peppol::as4::Rule;

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = signed(forge);
    cases.extend(replaced(forge));
    cases.extend(changed(forge));
    cases.extend(split(forge));
    cases
}

/// Each piece omitted, repeated, in another namespace, or with an element inside.
fn signed(forge: &Forge<'_>) -> Vec<Case> {
    use Rule::{
        Agreement, Conversation, MessageId, OnlyOnce, PartInfo, PartProperties, Participants,
        Party, Service, Timestamp, UserMessage,
    };
    let info = ("<eb:MessageInfo>", "</eb:MessageInfo>");
    let pieces = [
        (("<eb:UserMessage>", "</eb:UserMessage>"), UserMessage, Some(OnlyOnce)),
        (info, MessageId, Some(MessageId)),
        (("<eb:Timestamp>", "</eb:Timestamp>"), Timestamp, Some(Timestamp)),
        (("<eb:MessageId>", "</eb:MessageId>"), MessageId, Some(MessageId)),
        (("<eb:PartyInfo>", "</eb:PartyInfo>"), Party, Some(Party)),
        (("<eb:From>", "</eb:From>"), Party, Some(Party)),
        (("<eb:To>", "</eb:To>"), Party, Some(Party)),
        (("<eb:PartyId", "</eb:PartyId>"), Party, Some(Party)),
        (("<eb:CollaborationInfo>", "</eb:CollaborationInfo>"), Service, Some(Service)),
        (("<eb:AgreementRef>", "</eb:AgreementRef>"), Agreement, Some(Agreement)),
        (("<eb:Service", "</eb:Service>"), Service, Some(Service)),
        (("<eb:Action>", "</eb:Action>"), Service, Some(Service)),
        (("<eb:ConversationId>", "</eb:ConversationId>"), Conversation, Some(Conversation)),
        (("<eb:MessageProperties>", "</eb:MessageProperties>"), Participants, Some(Participants)),
        (
            ("<eb:Property name=\"originalSender\"", "</eb:Property>"),
            Participants,
            Some(Participants),
        ),
        (
            ("<eb:Property name=\"finalRecipient\"", "</eb:Property>"),
            Participants,
            Some(Participants),
        ),
        (("<eb:PayloadInfo>", "</eb:PayloadInfo>"), PartInfo, Some(PartInfo)),
        (("<eb:PartInfo", "</eb:PartInfo>"), PartInfo, Some(PartInfo)),
        (("<eb:PartProperties>", "</eb:PartProperties>"), PartProperties, Some(PartProperties)),
        (
            ("<eb:Property name=\"MimeType\"", "</eb:Property>"),
            PartProperties,
            Some(PartProperties),
        ),
        (
            ("<eb:Property name=\"CompressionType\"", "</eb:Property>"),
            PartProperties,
            Some(PartProperties),
        ),
    ];
    let mut cases = Vec::new();
    for ((from, to), rule, doubled) in pieces {
        let piece = forge.piece(from, to);
        let mut case = |what: &str, rule, changed: String| {
            let soap = forge.resign(&forge.soap.replacen(piece, &changed, 1));
            cases.push(forge.case(format!("{what} {from}"), rule, soap));
        };
        case("without", rule, String::new());
        case("elsewhere", rule, foreign(piece));
        if let Some(rule) = doubled {
            case("twice", rule, format!("{piece}{piece}"));
        }
    }
    cases
}

/// The piece in a similar namespace.
fn foreign(piece: &str) -> String {
    let wrong = piece.replacen("<eb:", "<e:", 1);
    let end = wrong.rfind("</eb:").unwrap();
    let name = wrong[1..].find([' ', '>']).unwrap() + 1;
    let (wrong, tail) = (&wrong[..end], &wrong[end..]);
    let near = " xmlns:e=\"http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704\"";
    format!("{}{near}{}{}", &wrong[..name], &wrong[name..], tail.replace("</eb:", "</e:"))
}

/// Values and attributes that are signed, but wrong.
fn replaced(forge: &Forge<'_>) -> Vec<Case> {
    use Rule::{
        Agreement, AttachmentId, EncryptedForm, MessageId, PartInfo, PartProperties, Participants,
        Party, PartyType, ReceiverParty, Service, SignerParty, Timestamp,
    };
    let id = forge.world.message_id.as_str();
    let long = format!(">{}<", "x".repeat(256));
    let content_id = format!("href=\"cid:{}\"", forge.content_id);
    let party = "urn:fdc:peppol.eu:2017:identifiers:ap\">PAE000001";
    let agreement = ">urn:fdc:peppol.eu:2017:agreements:tia:ap_provider<";
    let table: &[(Rule, &str, &str)] = &[
        (MessageId, id, ""),
        (MessageId, id, "a b"),
        (MessageId, id, "a\nb"),
        (MessageId, id, "a&#13;b"),
        (MessageId, id, "<x>a</x>"),
        (MessageId, &format!(">{id}<"), &long),
        (Timestamp, ">2026-06-15T12:00:00.000Z<", "><"),
        (Timestamp, ">2026-06-15T12:00:00.000Z<", ">yesterday<"),
        (Timestamp, ">2026-06-15T12:00:00.000Z<", ">2026-13-45T99:00:00Z<"),
        (Timestamp, ">2026-06-15T12:00:00.000Z<", ">2026-06-15<"),
        (SignerParty, party, "urn:fdc:peppol.eu:2017:identifiers:ap\">PAE000009"),
        (SignerParty, party, "urn:fdc:peppol.eu:2017:identifiers:ap\">PAE000002"),
        (Party, party, "urn:fdc:peppol.eu:2017:identifiers:ap\">"),
        (Party, party, "urn:fdc:peppol.eu:2017:identifiers:ap\">pae000001"),
        (Party, party, "urn:fdc:peppol.eu:2017:identifiers:ap\">PAE000001,CN=PAE000009"),
        (Party, party, "urn:fdc:peppol.eu:2017:identifiers:ap\">PAE<x/>000001"),
        (PartyType, party, "urn:fdc:peppol.eu:2017:identifiers:xx\">PAE000001"),
        (PartyType, " type=\"urn:fdc:peppol.eu:2017:identifiers:ap\">PAE000002", ">PAE000002"),
        (ReceiverParty, ">PAE000002<", ">PAE000009<"),
        (ReceiverParty, ">PAE000002<", ">PAE000001<"),
        (Agreement, agreement, "><"),
        (Agreement, agreement, ">urn:other<"),
        (Agreement, agreement, " type=\"x\">urn:fdc:peppol.eu:2017:agreements:tia:ap_provider<"),
        (Service, ">urn:peppol:bis:billing<", "><"),
        (Service, ">urn:peppol:bis:billing<", "> \n <"),
        (
            Participants,
            "type=\"iso6523-actorid-upis\">0235:1001234501",
            "type=\"x\">0235:1001234501",
        ),
        (Participants, " type=\"iso6523-actorid-upis\">0235:1001234501", ">0235:1001234501"),
        (Participants, "0235:1001234501", ""),
        (Participants, "0235:1001234501", "1001234501"),
        (Participants, "0235:1001234501", "0235:"),
        (Participants, "0235:1001234502", "0235:1001 234502"),
        (Participants, "\"originalSender\"", "\"OriginalSender\""),
        (Participants, "\"finalRecipient\"", "\"originalSender\""),
        (PartInfo, &content_id, "href=\"\""),
        (PartInfo, &content_id, ""),
        (PartInfo, &content_id, "href=\"#body\""),
        (PartInfo, &content_id, "href=\"cid:\""),
        (PartInfo, &content_id, "href=\"cid:%zz\""),
        (PartInfo, &content_id, "href=\"http://example.com/\""),
        (AttachmentId, &content_id, "href=\"cid:other@payload\""),
        (AttachmentId, &content_id, "href=\"cid:a%0d%0aX: y\""),
        (PartProperties, ">application/gzip</eb", "></eb"),
        (PartProperties, ">application/gzip</eb", ">application/zip</eb"),
        (PartProperties, ">application/gzip</eb", ">APPLICATION/GZIP</eb"),
        (PartProperties, ">application/xml</eb", "></eb"),
    ];
    let case = |(rule, from, to): &(Rule, &str, &str)| {
        let soap = forge.resign(&forge.edit(from, to));
        forge.case(format!("signed {from} as {to}"), *rule, soap)
    };
    let mut cases: Vec<Case> = table.iter().map(case).collect();
    let elsewhere = format!("CipherReference URI=\"cid:{}\"", forge.content_id);
    let soap = forge.edit(&elsewhere, "CipherReference URI=\"cid:other\"");
    cases.push(forge.case("ciphertext elsewhere", EncryptedForm, soap));
    cases
}

/// Each value changed by a stranger, who cannot sign.
fn changed(forge: &Forge<'_>) -> Vec<Case> {
    let values = [
        "2026-06-15T12:00:00.000Z",
        forge.world.message_id.as_str(),
        "200704/initiator",
        "200704/responder",
        "urn:peppol:bis:billing",
        "Invoice##urn",
        "a &amp; b &lt;c&gt;",
        "0235:1001234501",
        "0235:1001234502",
        "utf-8",
        "name=\"CharacterSet",
    ];
    let mut cases = Vec::new();
    for value in values {
        // White space within an element is signed too.
        for change in [value.replacen(['0', 'u', 'I', 'a'], "8", 1), format!("{value} ")] {
            let soap = forge.edit(value, &change);
            cases.push(forge.case(format!("changed to {change}"), Rule::Digest, soap));
        }
    }
    cases
}

/// Line ends in ids that are used in headers.
fn split(forge: &Forge<'_>) -> Vec<Case> {
    let good = format!("Content-ID: <{}>", forge.content_id);
    let body = String::from_utf8_lossy(&forge.assemble("", b"")).into_owned();
    let ids =
        ["<a\r\nContent-ID: <b>", "<a>\r\n\tb", "<a>\rX: y", "<a>\nX: y", "<a\0>", "<\u{7f}>"];
    let case = |id: &&str| {
        let written = body.replace(&good, &format!("Content-ID: {id}"));
        // The headers are read before the envelope, unless they still parse with another id.
        let rule = if id.contains("\r\n\t") { Rule::WellFormed } else { Rule::PartHeaders };
        forge.body_case(format!("header split {id:?}"), rule, written.into_bytes())
    };
    ids.iter().map(case).collect()
}
