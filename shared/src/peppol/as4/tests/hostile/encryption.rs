//! Ciphertexts and keys that do not open; all give the same error.

use super::{
    Case,
    forge::{Forge, SBDH, sealed},
};
use crate::peppol::as4::{
    Rule::{self, Decryption, EncryptedForAnother, EncryptedForm, Unencrypted},
    payload::compress,
};

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = ciphertexts(forge);
    cases.extend(keys(forge));
    cases.extend(forms(forge));
    cases
}

fn ciphertexts(forge: &Forge<'_>) -> Vec<Case> {
    let good = &forge.attachment;
    let mut cases = Vec::new();
    let mut case = |name: String, attachment: &[u8]| {
        cases.push(forge.body_case(name, Decryption, forge.assemble(&forge.soap, attachment)));
    };
    for missing in 1..=17 {
        case(format!("a tag without {missing} bytes"), &good[..good.len() - missing]);
    }
    for length in [0, 1, 11, 12, 13, 27, 28, 29] {
        case(format!("{length} bytes"), &good[..length]);
    }
    for at in (0..good.len()).step_by(5) {
        let mut changed = good.clone();
        changed[at] ^= 1;
        case(format!("byte {at} changed"), &changed);
    }
    case("a byte more".into(), &[&good[..], b"x"].concat());
    case("a byte before".into(), &[b"x", &good[..]].concat());
    case("twice".into(), &[&good[..], good].concat());
    case("plaintext".into(), &compress(SBDH, Vec::new()).unwrap());
    case("an envelope".into(), SBDH);
    case("another key".into(), &sealed(&[8; 16], SBDH));
    // A refused key must not be replaced by a key of zeros.
    case("a key of zeros".into(), &sealed(&[0; 16], SBDH));
    cases
}

/// Content keys of a wrong length or content, and invalid wrapped keys.
fn keys(forge: &Forge<'_>) -> Vec<Case> {
    let gzip = compress(SBDH, Vec::new()).unwrap();
    let zeros = sealed(&[0; 16], &gzip);
    let mut cases = Vec::new();
    let mut case = |name: String, soap: String, attachment: &[u8]| {
        cases.push(forge.body_case(name, Decryption, forge.assemble(soap, attachment)));
    };
    for length in [0, 1, 8, 15, 17, 24, 32, 64] {
        case(format!("a content key of {length} bytes"), forge.with_key(&vec![0; length]), &zeros);
    }
    case("another content key".into(), forge.with_key(&[8; 16]), &forge.attachment);
    for (name, wrapped) in [
        ("zeros", vec![0; 256]),
        ("ones", vec![0xff; 256]),
        ("a short one", vec![1; 255]),
        ("a long one", vec![1; 257]),
        ("a single byte", vec![1]),
        ("none", Vec::new()),
        ("a very long one", vec![1; 20_000]),
    ] {
        let soap = forge.with_digest(&forge.with_wrapped(&wrapped), &gzip);
        case(format!("a wrapped key of {name}"), forge.resign(&soap), &zeros);
    }
    cases
}

/// EncryptedKey and EncryptedData with wrong content.
fn forms(forge: &Forge<'_>) -> Vec<Case> {
    let uri = format!("CipherReference URI=\"cid:{}\"", forge.content_id);
    let key = forge.piece("<xenc:EncryptedKey ", "</xenc:EncryptedKey>");
    let data = forge.piece("<xenc:EncryptedData ", "</xenc:EncryptedData>");
    let reference = forge.piece("<xenc:CipherReference ", "</xenc:CipherReference>");
    let wrapped = forge.piece("<xenc:CipherValue>", "</xenc:CipherValue>");
    let transform = forge.piece("<xenc:Transforms>", "</xenc:Transforms>");
    let info =
        forge.piece("<ds:KeyInfo><wsse:SecurityTokenReference xmlns:wsse11", "</ds:KeyInfo>");
    let table: &[(Rule, &str, &str)] = &[
        (Unencrypted, key, ""),
        (Unencrypted, data, ""),
        (Unencrypted, &format!("{key}{data}"), ""),
        (EncryptedForm, "#Attachment-Content-Only", "#Attachment-Complete"),
        (EncryptedForm, " Type=\"http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Content-Only\"", ""),
        (EncryptedForm, "#Attachment-Content-Only", "#Element"),
        (EncryptedForm, &uri, "CipherReference URI=\"\""),
        (EncryptedForm, &uri, "CipherReference URI=\"cid:other@payload\""),
        (EncryptedForm, &uri, "CipherReference URI=\"#messaging\""),
        (EncryptedForm, &uri, "CipherReference URI=\"http://example.com/\""),
        (EncryptedForm, &uri, "CipherReference URI=\"file:///etc/passwd\""),
        (EncryptedForm, &uri, "CipherReference"),
        (EncryptedForm, reference, ""),
        (EncryptedForm, reference, &format!("{reference}{reference}")),
        (EncryptedForm, reference, "<xenc:CipherValue>AAAA</xenc:CipherValue>"),
        (EncryptedForm, wrapped, ""),
        (EncryptedForm, wrapped, &format!("{wrapped}{wrapped}")),
        (EncryptedForm, wrapped, "<xenc:CipherValue>***</xenc:CipherValue>"),
        (EncryptedForm, wrapped, "<xenc:CipherValue><a/></xenc:CipherValue>"),
        (EncryptedForm, wrapped, "<xenc:CipherReference URI=\"http://example.com/key\"/>"),
        (EncryptedForm, transform, "<xenc:Transforms/>"),
        (EncryptedForm, transform, &transform.replace("<xenc:Transforms>", "<xenc:Transforms><ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xslt-19991116\"/>")),
        (EncryptedForm, "DataReference URI=\"#data\"", "DataReference URI=\"#other\""),
        (EncryptedForm, "DataReference URI=\"#data\"", "DataReference URI=\"#messaging\""),
        (EncryptedForm, "DataReference URI=\"#data\"", "DataReference URI=\"\""),
        (EncryptedForm, "DataReference URI=\"#data\"", "DataReference"),
        (EncryptedForm, "Reference URI=\"#key\"", "Reference URI=\"#other\""),
        (EncryptedForm, "Reference URI=\"#key\"", "Reference URI=\"\""),
        (EncryptedForm, "Reference URI=\"#key\"", "Reference"),
        (Rule::KeyReference, info, "<ds:KeyInfo></ds:KeyInfo>"),
        (Rule::KeyReference, info, "<ds:KeyInfo><ds:KeyName>x</ds:KeyName></ds:KeyInfo>"),
    ];
    let case = |(rule, from, to): &(Rule, &str, &str)| {
        forge.case(format!("{:.60} as {to:.60}", from), *rule, forge.edit(from, to))
    };
    let mut cases: Vec<Case> = table.iter().map(case).collect();
    let sender = forge.piece("<wsse:Reference URI=\"#receiver\"", ">");
    let other = forge.edit(sender, &sender.replace("#receiver", "#signer"));
    cases.push(forge.case("encrypted for the sender", EncryptedForAnother, other));
    cases
}
