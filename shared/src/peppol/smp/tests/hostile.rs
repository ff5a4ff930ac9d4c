//! Malicious and malformed documents.

use super::*;

/// The reason of a refusal, before or after the check of the signature.
fn refusal(document: &str) -> String {
    let read = match SignedMetadata::read(document.as_bytes()) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let signer = PKI.trusted(read.signer(), Role::Publisher);
    read.verify(&signer).unwrap_err().to_string()
}

#[test]
fn a_signature_of_somebody_else_proves_nothing() {
    let read = || SignedMetadata::read(signed(&metadata()).as_bytes()).unwrap();
    let other = PKI.issue(&PKI.smp, "PAE000902", Flaw::None).certificate;
    let other = PKI.trusted(&other, Role::Publisher);
    assert!(matches!(read().verify(&other), Err(SignatureFault::Signer(_))));
    // The signer is trusted, but as an access point.
    let seat = PKI.seat("PAE000001");
    let document = ready(metadata().sign(&seat.key())).unwrap();
    let trusted = PKI.trusted(&seat.certificate, Role::AccessPoint);
    let read = SignedMetadata::read(document.as_bytes()).unwrap();
    assert!(matches!(read.verify(&trusted), Err(SignatureFault::Signer(_))));
    // The certificate is right, but another key signed.
    let certificate = |leaf: &Certificate| STANDARD.encode(leaf.der());
    let forged =
        ready(metadata().sign(&PKI.issue(&PKI.smp, "PAE000902", Flaw::None).key())).unwrap();
    let forged = forged.replace(&certificate(&other), &certificate(&PKI.publisher().certificate));
    let error = refusal(&forged);
    assert_eq!(error, "the signature does not belong to these bytes and this certificate");
}

#[test]
fn every_form_but_the_one_that_smps_use_is_refused() {
    let good = signed(&metadata());
    let signature = good
        [good.find("<ds:Signature ").unwrap()..good.find("</SignedServiceMetadata>").unwrap()]
        .to_owned();
    let replaced = |from: &str, to: &str| {
        let document = good.replacen(from, to, 1);
        assert_ne!(document, good, "{from}");
        document
    };
    let transform = |uri: &str| {
        let enveloped =
            "<ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>";
        replaced(enveloped, &format!("{enveloped}<ds:Transform Algorithm=\"{uri}\"/>"))
    };
    let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
    for (document, part) in [
        (good.replace(&signature, ""), "there are 0 signatures"),
        (good.replace(&signature, &signature.repeat(2)), "there are 2 signatures"),
        (
            // Signature wrapping: the signed document moves to a place where it is not read, and another takes its
            // place.
            replaced(
                "<ServiceMetadata>",
                &format!("<Extension>{signature}</Extension><ServiceMetadata>"),
            ),
            "there are 2 signatures",
        ),
        (
            good.replace(&signature, &format!("<Extension>{signature}</Extension>")),
            "has 0 of Signature",
        ),
        (replaced("xmldsig-more#rsa-sha256", "xmldsig-more#rsa-sha512"), "SignatureMethod"),
        (
            replaced(
                "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
            ),
            "rsa-sha1\" is not allowed",
        ),
        (
            replaced(
                "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
            ),
            "hmac-sha1\" is not allowed",
        ),
        (
            replaced(
                "http://www.w3.org/2001/04/xmlenc#sha256",
                "http://www.w3.org/2000/09/xmldsig#sha1",
            ),
            "the DigestMethod",
        ),
        (
            replaced("REC-xml-c14n-20010315", "REC-xml-c14n-20010315#WithComments"),
            "the canonicalization",
        ),
        (
            replaced(
                "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
                "http://www.w3.org/2006/12/xml-c14n11",
            ),
            "the canonicalization",
        ),
        (replaced(" URI=\"\"", " URI=\"#a\""), "it covers \"#a\""),
        (replaced(" URI=\"\"", " URI=\"https://smp.example/\""), "it covers \"https"),
        (replaced(" URI=\"\"", ""), "it covers \"nothing that is named\""),
        (transform("http://www.w3.org/TR/1999/REC-xpath-19991116"), "the transform"),
        (transform("http://www.w3.org/TR/1999/REC-xslt-19991116"), "the transform"),
        (transform("http://www.w3.org/2001/10/xml-exc-c14n#WithComments"), "the transform"),
        (replaced("xmldsig#enveloped-signature", "xmldsig#base64"), "the transform"),
        (
            replaced("http://www.w3.org/2000/09/xmldsig#enveloped-signature", exclusive),
            "the transform",
        ),
        (replaced("<ds:Transforms>", "<ds:Transforms/><ds:Transforms>"), "has 2 of Transforms"),
        (
            replaced("</ds:SignedInfo>", "<ds:Reference URI=\"\"/></ds:SignedInfo>"),
            "has 2 of Reference",
        ),
        (
            replaced("<ServiceMetadata>", "<ServiceMetadata Id=\"a\" xml:id=\"a\">"),
            "the id \"a\" occurs twice",
        ),
        (replaced("<ds:DigestValue>", "<ds:DigestValue>*"), "not base64"),
        (replaced("<ds:SignatureValue>", "<ds:SignatureValue>*"), "not base64"),
        (replaced("<ds:X509Certificate>", "<ds:X509Certificate>AAAA"), "not a certificate in DER"),
        (
            replaced("ds:X509Certificate>", "ds:X509SKI>").replacen(
                "/ds:X509Certificate>",
                "/ds:X509SKI>",
                1,
            ),
            "has 0 of X509Certificate",
        ),
        (
            replaced("<ServiceMetadata>", "<ServiceMetadata></ServiceMetadata><ServiceMetadata>"),
            "changed after it was signed",
        ),
    ] {
        let refusal = refusal(&document);
        assert!(refusal.contains(part), "{part}: {refusal}");
        assert!(
            !SignedMetadata::read(document.as_bytes()).is_err_and(|error| error.is_retryable())
        );
    }
}

#[test]
fn what_is_no_such_document_is_garbage_that_may_pass() {
    let good = signed(&metadata());
    let flood: String = (0..100_000).map(|n| format!(" a{n}=\"\"")).collect();
    let flood = good.replacen("<ServiceMetadata>", &format!("<ServiceMetadata{flood}>"), 1);
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let doctype = good.replacen("?>", "?><!DOCTYPE SignedServiceMetadata>", 1);
    let utf_16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [
        b"".as_slice(),
        b"<html><body>502 Bad Gateway</body></html>",
        b"{\"error\": 1}",
        &good.as_bytes()[..good.len() / 2],
        &vec![b' '; MAX_BYTES + 1],
        doctype.as_bytes(),
        flood.as_bytes(),
        deep.as_bytes(),
        &utf_16,
        b"\xff\xfe",
    ] {
        let error = SignedMetadata::read(bytes).unwrap_err();
        assert!(
            error.is_retryable() && error.to_string().starts_with("not a SignedServiceMetadata: "),
            "{error}"
        );
        assert!(ServiceGroup::read(bytes).unwrap_err().is_retryable());
        assert!(BusinessCard::read(bytes).unwrap_err().is_retryable());
    }
}

#[test]
fn values_that_are_none_are_named() {
    for (from, to, part) in [
        (
            "0235:1234567890",
            "1234567890",
            "ParticipantIdentifier \"iso6523-actorid-upis::1234567890\"",
        ),
        ("iso6523-actorid-upis", "other", "the scheme is not iso6523-actorid-upis"),
        ("peppol-doctype-wildcard", "other", "DocumentIdentifier \"other::urn"),
        ("<wsa:Address>", "<wsa:Address/><wsa:Address>", "EndpointReference has 2 of Address"),
        (" transportProfile=", " profile=", "Endpoint has 0 of transportProfile"),
        (
            "<Certificate>",
            "<ServiceActivationDate>soon</ServiceActivationDate><Certificate>",
            "ServiceActivationDate \"soon\"",
        ),
    ] {
        let changed = resigned(&signed(&metadata()).replacen(from, to, 1));
        let error = SignedMetadata::read(changed.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// The document with the digest of its current content.
fn resigned(document: &str) -> String {
    let mut dom = dom::parse(document.as_bytes(), SMP, "SignedServiceMetadata").unwrap();
    let signature = dom.root().only(DS, "Signature").unwrap();
    let info = signature.only(DS, "SignedInfo").unwrap();
    let old = info.only(DS, "Reference").unwrap().only(DS, "DigestValue").unwrap().text();
    let signature = signature.id;
    dom.remove(signature);
    let content = dom.canonical(&Canonicalization::INCLUSIVE).unwrap();
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &content);
    document.replace(&old, &STANDARD.encode(digest))
}
