//! Messages and signals in the form of Oxalis AS4 7.1 (CXF, WSS4J). It differs from the form of phase4 and from ours
//! wherever the specifications allow it.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

use super::{
    sign::resign,
    world::{Both as _, World, trusted},
};
use crate::peppol::{
    as4::{
        Answer, Authenticity, Digest, Verdict,
        names::{ns, token::X509_V3},
        payload, read_answer,
    },
    pki::LocalKey,
};

const ALGORITHMS: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
const SBDH: &[u8] = b"<?xml version='1.0' encoding='UTF-8'?><StandardBusinessDocument/>";
const CONTENT_ID: &str = "2f1d7c0e-0d0e-4e3a-9d05-0c9c1d3f2a11@oxalis.example";
const MESSAGE_ID: &str = "5d1b6f5c-2f0c-4f5b-8a55-5b1d7b3c9e21@oxalis.example";

fn token(id: &str, key: &LocalKey) -> String {
    let der = BASE64.encode(key.certificate_of_both().der());
    // CXF wraps base64 with LF line ends, without &#13;.
    let lines: Vec<&str> =
        (0..der.len()).step_by(76).map(|at| &der[at..der.len().min(at + 76)]).collect();
    let der = lines.join("\n");
    format!(
        r#"<wsse:BinarySecurityToken xmlns:wsu="{}" EncodingType="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary" ValueType="{X509_V3}" wsu:Id="{id}">{der}</wsse:BinarySecurityToken>"#,
        ns::WSU
    )
}

fn reference(uri: &str, transform: &str, digest: &str) -> String {
    format!(
        r#"<ds:Reference URI="{uri}"><ds:Transforms><ds:Transform Algorithm="{transform}"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>{digest}</ds:DigestValue></ds:Reference>"#
    )
}

fn signature(references: &str) -> String {
    format!(
        r##"<ds:Signature xmlns:ds="{ds}" Id="SIG-1"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="{ALGORITHMS}"><ec:InclusiveNamespaces xmlns:ec="{ALGORITHMS}" PrefixList="env"/></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>{references}</ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue><ds:KeyInfo Id="KI-1"><wsse:SecurityTokenReference wsu:Id="STR-1" xmlns:wsu="{wsu}"><wsse:Reference URI="#X509-1" ValueType="{X509_V3}"/></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>"##,
        ds = ns::DS,
        wsu = ns::WSU
    )
}

/// Messaging before Security, and unused namespaces.
fn envelope(message: &str, security: &str) -> String {
    let (soap, eb, wsse, wsu) = (ns::SOAP, ns::EB, ns::WSSE, ns::WSU);
    format!(
        r#"<env:Envelope xmlns:env="{soap}"><env:Header><eb:Messaging xmlns:eb="{eb}" xmlns:ns2="http://schemas.xmlsoap.org/soap/envelope/" xmlns:ns4="http://www.w3.org/1999/xlink" xmlns:wsu="{wsu}" env:mustUnderstand="true" wsu:Id="_messaging">{message}</eb:Messaging>
<wsse:Security xmlns:wsse="{wsse}" env:mustUnderstand="true">{security}</wsse:Security></env:Header><env:Body xmlns:wsu="{wsu}" wsu:Id="_body"/></env:Envelope>"#
    )
}

fn user_message(service: &str, action: &str) -> String {
    let eb = ns::EB;
    format!(
        r#"<eb:UserMessage xmlns=""><eb:MessageInfo><eb:Timestamp>2026-06-15T16:00:00.178+04:00</eb:Timestamp><eb:MessageId>{MESSAGE_ID}</eb:MessageId></eb:MessageInfo><eb:PartyInfo><eb:From><eb:PartyId type="urn:fdc:peppol.eu:2017:identifiers:ap">PAE000001</eb:PartyId><eb:Role>{eb}initiator</eb:Role></eb:From><eb:To><eb:PartyId type="urn:fdc:peppol.eu:2017:identifiers:ap">PAE000002</eb:PartyId><eb:Role>{eb}responder</eb:Role></eb:To></eb:PartyInfo><eb:CollaborationInfo><eb:AgreementRef>urn:fdc:peppol.eu:2017:agreements:tia:ap_provider</eb:AgreementRef>{service}<eb:Action>{action}</eb:Action><eb:ConversationId>{MESSAGE_ID}</eb:ConversationId></eb:CollaborationInfo><eb:MessageProperties><eb:Property name="originalSender" type="iso6523-actorid-upis">0235:1001234501</eb:Property><eb:Property name="finalRecipient" type="iso6523-actorid-upis">0235:1001234502</eb:Property></eb:MessageProperties><eb:PayloadInfo><eb:PartInfo href="cid:{CONTENT_ID}"><eb:PartProperties><eb:Property name="CompressionType">application/gzip</eb:Property><eb:Property name="MimeType">application/xml</eb:Property></eb:PartProperties></eb:PartInfo></eb:PayloadInfo></eb:UserMessage>"#
    )
}

/// A whole request: Content-Type and body.
fn request(world: &World, service: &str, action: &str, base64: bool) -> (String, Vec<u8>) {
    let secret = [3; 16];
    let mut sealed = payload::compress(SBDH, Vec::new()).unwrap();
    let digest = Digest::of(&sealed).to_string();
    let tag = payload::seal(&secret, [4; 12], &mut sealed).unwrap();
    let sealed = [&[4; 12][..], &sealed, tag.as_ref()].concat();
    let wrapped = BASE64.encode(world.receiver.certificate_of_both().encrypt(&secret).unwrap());
    let (ds, xenc, xenc11) = (ns::DS, ns::XENC, ns::XENC11);
    let swa = "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1";
    let encryption = format!(
        r##"{}<xenc:EncryptedKey xmlns:xenc="{xenc}" Id="EK-1"><xenc:EncryptionMethod Algorithm="{xenc11}rsa-oaep"><ds:DigestMethod xmlns:ds="{ds}" Algorithm="{xenc}sha256"/><xenc11:MGF xmlns:xenc11="{xenc11}" Algorithm="{xenc11}mgf1sha256"/></xenc:EncryptionMethod><ds:KeyInfo xmlns:ds="{ds}"><wsse:SecurityTokenReference><wsse:Reference URI="#G1" ValueType="{X509_V3}"/></wsse:SecurityTokenReference></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>{wrapped}</xenc:CipherValue></xenc:CipherData><xenc:ReferenceList><xenc:DataReference URI="#ED-1"/></xenc:ReferenceList></xenc:EncryptedKey><xenc:EncryptedData xmlns:xenc="{xenc}" Id="ED-1" MimeType="application/octet-stream" Type="{swa}#Attachment-Content-Only"><xenc:EncryptionMethod Algorithm="{xenc11}aes128-gcm"/><xenc:CipherData><xenc:CipherReference URI="cid:{CONTENT_ID}"><xenc:Transforms><ds:Transform xmlns:ds="{ds}" Algorithm="{swa}#Attachment-Ciphertext-Transform"/></xenc:Transforms></xenc:CipherReference></xenc:CipherData></xenc:EncryptedData>"##,
        token("G1", &world.receiver)
    );
    let references = [
        reference("#_body", ALGORITHMS, "AAAA"),
        reference("#_messaging", ALGORITHMS, "AAAA"),
        reference(
            &format!("cid:{CONTENT_ID}"),
            &format!("{swa}#Attachment-Content-Signature-Transform"),
            &digest,
        ),
    ];
    let security =
        [encryption, token("X509-1", &world.sender), signature(&references.concat())].concat();
    let soap = resign(&envelope(&user_message(service, action), &security), &world.sender);
    let boundary = "uuid:0b8a4a0a-3a3e-4e2a-8a8e-1c1d1e1f2021";
    let (encoding, content) = match base64 {
        true => ("base64", BASE64.encode(&sealed).into_bytes()),
        false => ("binary", sealed),
    };
    let head = format!(
        "\r\n--{boundary}\r\nContent-Type: application/soap+xml; charset=UTF-8\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <root.message@cxf.apache.org>\r\n\r\n{soap}\r\n--{boundary}\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: {encoding}\r\nContent-ID: <{CONTENT_ID}>\r\nCompressionType: application/gzip\r\nMimeType: application/xml\r\n\r\n"
    );
    let body = [head.as_bytes(), &content, format!("\r\n--{boundary}--").as_bytes()].concat();
    let content_type = format!(
        "multipart/related; type=\"application/soap+xml\"; boundary=\"{boundary}\"; start=\"<root.message@cxf.apache.org>\"; start-info=\"application/soap+xml\""
    );
    (content_type, body)
}

#[test]
fn a_document_in_its_form_is_received() {
    let world = World::new();
    let service = r#"<eb:Service type="cenbii-procid-ubl">urn:peppol:bis:billing</eb:Service>"#;
    for base64 in [false, true] {
        let (content_type, body) = request(&world, service, "busdox-docid-qns::a", base64);
        let received = world.receive(&content_type, body).unwrap();
        assert_eq!(received.payload.as_deref(), Some(SBDH));
        assert_eq!(received.header.timestamp.to_string(), "2026-06-15T12:00:00.178Z");
    }
}

#[test]
fn a_ping_in_its_form_is_received() {
    let world = World::new();
    let service = format!("<eb:Service>{}service</eb:Service>", ns::EB);
    let (content_type, body) = request(&world, &service, &format!("{}test", ns::EB), false);
    assert!(world.receive(&content_type, body).unwrap().is_ping());
}

fn signal(content: &str) -> String {
    format!(
        r#"<eb:SignalMessage xmlns=""><eb:MessageInfo><eb:Timestamp>2026-06-15T16:00:01.000+04:00</eb:Timestamp><eb:MessageId>x@oxalis.example</eb:MessageId><eb:RefToMessageId>{}</eb:RefToMessageId></eb:MessageInfo>{content}</eb:SignalMessage>"#,
        World::new().message_id
    )
}

/// Two tokens of the responding seat; only the second one is referenced.
fn signed(world: &World, content: &str) -> String {
    let references =
        [reference("#_body", ALGORITHMS, "AAAA"), reference("#_messaging", ALGORITHMS, "AAAA")];
    let security = [
        token("X509-0", &world.sender),
        token("X509-1", &world.receiver),
        signature(&references.concat()),
    ];
    resign(&envelope(&signal(content), &security.concat()), &world.receiver)
}

#[test]
fn a_receipt_is_that_of_the_token_it_refers_to() {
    let world = World::new();
    let sent = world.sent(&world.build(b"<a/>"));
    let parts: String = sent
        .references
        .0
        .iter()
        .map(|one| {
            let reference = reference(&one.uri, ALGORITHMS, &one.digest.to_string());
            let reference = reference.replacen(
                "<ds:Reference",
                &format!("<ds:Reference xmlns:ds=\"{}\"", ns::DS),
                1,
            );
            format!("<ebbp:MessagePartNRInformation>{reference}</ebbp:MessagePartNRInformation>")
        })
        .rev()
        .collect();
    let receipt = format!(
        "<eb:Receipt><ebbp:NonRepudiationInformation xmlns:ebbp=\"{}\">{parts}</ebbp:NonRepudiationInformation></eb:Receipt>",
        ns::EBBP
    );
    let soap = signed(&world, &receipt);
    for content_type in ["application/soap+xml; charset=UTF-8", "", "text/plain"] {
        let Answer::Receipt(receipt) = read_answer(200, content_type, soap.as_bytes()) else {
            panic!()
        };
        assert_eq!(receipt.signer().common_name(), "PAE000002");
        receipt.verify(&trusted(receipt.signer()), &sent).unwrap();
    }
    let multipart = format!("--b\r\nContent-Type: application/soap+xml\r\n\r\n{soap}\r\n--b--\r\n");
    let content_type = "Multipart/Related; boundary=b; type=\"application/soap+xml\"";
    assert!(matches!(read_answer(200, content_type, multipart.as_bytes()), Answer::Receipt(_)));
}

#[test]
fn its_errors_are_read_signed_and_unsigned() {
    let world = World::new();
    let sent = world.sent(&world.build(b"<a/>"));
    let error = r#"<eb:Error origin="ebms" category="CONTENT" errorCode="EBMS:0004" severity="failure" shortDescription="Other"><eb:ErrorDetail>PEPPOL:NOT_SERVICED</eb:ErrorDetail></eb:Error>"#;
    let soap = signed(&world, error);
    let Answer::Rejected(rejection) = read_answer(500, "", soap.as_bytes()) else { panic!() };
    rejection.verify(&trusted(world.receiver.certificate_of_both()), &sent).unwrap();
    assert_eq!(rejection.verdict(Authenticity::Proven), Verdict::Final);
    let (soap, eb) = (ns::SOAP, ns::EB);
    let unsigned = format!(
        r#"<env:Envelope xmlns:env="{soap}"><env:Header><eb:Messaging xmlns:eb="{eb}" env:mustUnderstand="true">{}</eb:Messaging></env:Header><env:Body/></env:Envelope>"#,
        signal(error)
    );
    let Answer::Rejected(rejection) = read_answer(500, "", unsigned.as_bytes()) else { panic!() };
    assert!(rejection.signer().is_none());
    assert_eq!(rejection.errors()[0].detail, "PEPPOL:NOT_SERVICED");
    assert_eq!(rejection.verdict(Authenticity::Unproven), Verdict::Unproven);
}
