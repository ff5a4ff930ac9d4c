//! Builds a message: gzip, sign, encrypt, wrap into MIME.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use jiff::Timestamp;

use super::{
    ids::{Digest, MessageId, Reference, References},
    names::{self, algorithm, ns, token},
    payload::{self, IV_BYTES, KEY_BYTES, SealError},
    user_message::Participants,
    write::{self, attribute, text},
};
use crate::{
    peppol::{
        identifiers::{DocumentType, Process},
        pki::{Certificate, KeyError, Signer, Trusted},
    },
    types::Random,
};

/// Space before the payload for MIME and SOAP headers. The payload is moved once if they are longer.
const HEAD_ROOM: usize = 12 * 1024;
/// Random bytes in a boundary, so that no payload contains it by chance.
const BOUNDARY_BYTES: usize = 16;
/// Bytes of the digest in a Content-ID.
const CONTENT_ID_BYTES: usize = 16;

/// The content of a message.
#[derive(Debug, Clone, Copy)]
pub enum Freight<'a> {
    /// A test message; the receiver answers and drops it.
    Ping,
    /// A document.
    Document {
        /// The document's type: `Action`.
        document_type: &'a DocumentType,
        /// Its process: `Service`.
        process: &'a Process,
    },
}

/// A message to send.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// The message id. Every retry that must not cause a second delivery uses the same id.
    pub message_id: &'a MessageId,
    /// The id of the conversation, which groups messages.
    pub conversation_id: &'a str,
    /// The creation time of the message: milestone M1 of the MLS. Every retry under the same id uses the same time.
    pub timestamp: Timestamp,
    /// The receiving access point's certificate, as its SMP publishes it.
    pub receiver: &'a Trusted,
    /// Corners 1 and 4.
    pub participants: &'a Participants,
    /// The content.
    pub freight: Freight<'a>,
}

/// A message ready to send.
#[derive(Debug)]
pub struct Built {
    /// The `Content-Type` header.
    pub content_type: String,
    /// The body of the request.
    pub body: Vec<u8>,
    /// The signed references. They are equal for every retry, so that the receipt of any try can be checked.
    pub references: References,
}

/// Why a message could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Signing, or encrypting the key for the receiver, failed.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Encrypting the payload failed.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// Compressing the payload failed.
    #[error("the payload could not be compressed: {0}")]
    Compress(#[from] std::io::Error),
}

/// Builds a message around an SBDH: Peppol AS4 profile 2.0.3, AS4 profile 1.0, 3.1 (compress, sign, encrypt).
///
/// # Errors
/// When a key cannot be used.
pub async fn build(
    outgoing: &Outgoing<'_>,
    sbdh: &[u8],
    signer: &dyn Signer,
    random: &dyn Random,
) -> Result<Built, BuildError> {
    let mut body = payload::compress(sbdh, vec![0; HEAD_ROOM])?;
    let digest = Digest::of(body.get(HEAD_ROOM..).unwrap_or_default());
    let content_id = content_id(outgoing.message_id);
    let messaging = write::messaging(&user_message(outgoing, signer.certificate(), &content_id));
    let attachment = Reference { uri: format!("cid:{content_id}"), digest };
    let (signature, references) = write::sign(&messaging, Some(attachment), signer).await?;
    let secret: [u8; KEY_BYTES] = drawn(random);
    let encryption = encryption(outgoing.receiver, &secret, &content_id)?;
    let soap = write::envelope(Some(&format!("{encryption}{signature}")), &messaging);
    let boundary = boundary(random);
    let iv: [u8; IV_BYTES] = drawn(random);
    let mut head = head(&boundary, &soap, &content_id);
    head.extend_from_slice(&iv);
    let start = head.len();
    body.splice(..HEAD_ROOM, head);
    let tag = payload::seal(&secret, iv, body.get_mut(start..).unwrap_or_default())?;
    body.extend_from_slice(tag.as_ref());
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    let content_type =
        format!(r#"multipart/related; boundary="{boundary}"; type="{}""#, names::SOAP_XML);
    Ok(Built { content_type, body, references })
}

fn drawn<const N: usize>(random: &dyn Random) -> [u8; N] {
    let mut bytes = [0; N];
    random.fill(&mut bytes);
    bytes
}

fn boundary(random: &dyn Random) -> String {
    let bytes: [u8; BOUNDARY_BYTES] = drawn(random);
    format!("part-{:032x}", u128::from_be_bytes(bytes))
}

/// A Content-ID derived from the message id, so every retry has the same one.
fn content_id(message_id: &MessageId) -> String {
    let digest = Digest::of(message_id.as_str().as_bytes());
    let start: &[u8] = digest.as_bytes().get(..CONTENT_ID_BYTES).unwrap_or_default();
    let hex: String = start.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{hex}@payload")
}

/// The MIME parts of Peppol AS4 profile 2.0.3, up to the content of the attachment.
fn head(boundary: &str, soap: &str, content_id: &str) -> Vec<u8> {
    let soap_type = names::SIGNAL_CONTENT_TYPE;
    format!(
        "--{boundary}\r\nContent-Type: {soap_type}\r\nContent-Transfer-Encoding: binary\r\n\r\n{soap}\r\n\
         --{boundary}\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n\
         Content-Description: Attachment\r\nContent-ID: <{content_id}>\r\n\r\n"
    )
    .into_bytes()
}

/// `eb:UserMessage` in canonical form.
fn user_message(outgoing: &Outgoing<'_>, sender: &Certificate, content_id: &str) -> String {
    let Outgoing { message_id, conversation_id, timestamp, receiver, participants, freight } =
        outgoing;
    let (service, action) = match freight {
        Freight::Ping => {
            let service = format!("<eb:Service>{}</eb:Service>", names::TEST_SERVICE);
            (service, names::TEST_ACTION.to_owned())
        }
        Freight::Document { document_type, process } => {
            let (scheme, value) = (attribute(process.scheme()), text(process.value()));
            let service = format!(r#"<eb:Service type="{scheme}">{value}</eb:Service>"#);
            (service, document_type.to_string())
        }
    };
    let timestamp = write::date_time(*timestamp);
    let (id, action) = (text(message_id.as_str()), text(&action));
    let from = party("From", sender, names::INITIATOR);
    let to = party("To", receiver, names::RESPONDER);
    let agreement = names::AGREEMENT;
    let conversation = text(conversation_id);
    let sender = participant("originalSender", &participants.original_sender.to_string());
    let recipient = participant("finalRecipient", &participants.final_recipient.to_string());
    let (xml, gzip) = (names::XML, names::GZIP);
    format!(
        "<eb:UserMessage>\
         <eb:MessageInfo><eb:Timestamp>{timestamp}</eb:Timestamp><eb:MessageId>{id}</eb:MessageId></eb:MessageInfo>\
         <eb:PartyInfo>{from}{to}</eb:PartyInfo>\
         <eb:CollaborationInfo><eb:AgreementRef>{agreement}</eb:AgreementRef>{service}\
         <eb:Action>{action}</eb:Action><eb:ConversationId>{conversation}</eb:ConversationId></eb:CollaborationInfo>\
         <eb:MessageProperties>{sender}{recipient}</eb:MessageProperties>\
         <eb:PayloadInfo><eb:PartInfo href=\"cid:{content_id}\"><eb:PartProperties>\
         <eb:Property name=\"MimeType\">{xml}</eb:Property>\
         <eb:Property name=\"CompressionType\">{gzip}</eb:Property>\
         <eb:Property name=\"CharacterSet\">utf-8</eb:Property>\
         </eb:PartProperties></eb:PartInfo></eb:PayloadInfo>\
         </eb:UserMessage>"
    )
}

fn party(side: &str, certificate: &Certificate, role: &str) -> String {
    let (kind, seat) = (names::PARTY_TYPE, text(certificate.common_name()));
    format!(
        r#"<eb:{side}><eb:PartyId type="{kind}">{seat}</eb:PartyId><eb:Role>{role}</eb:Role></eb:{side}>"#
    )
}

fn participant(name: &str, id: &str) -> String {
    let (kind, id) = (names::PARTICIPANT_TYPE, text(id));
    format!(r#"<eb:Property name="{name}" type="{kind}">{id}</eb:Property>"#)
}

/// The receiver's token, the encrypted content key and the EncryptedData (WS-Security 1.1, 9; SwA profile 1.1, 5.5).
/// WSS4J requires the key before the data and the signature.
fn encryption(receiver: &Certificate, key: &[u8], content_id: &str) -> Result<String, KeyError> {
    let wrapped = BASE64.encode(receiver.encrypt(key)?);
    let receiver = write::binary_token("receiver", receiver);
    let key_info = write::key_info("receiver");
    let (ds, xenc, xenc11, wsse11) = (ns::DS, ns::XENC, ns::XENC11, ns::WSSE11);
    let (oaep, sha256, mgf) = (algorithm::RSA_OAEP, algorithm::SHA256, algorithm::MGF1_SHA256);
    let (gcm, transform) = (algorithm::AES128_GCM, algorithm::ATTACHMENT_CIPHERTEXT);
    let (gzip, content_only) = (names::GZIP, token::ATTACHMENT_CONTENT_ONLY);
    let encrypted_key = token::ENCRYPTED_KEY;
    Ok(format!(
        "{receiver}<xenc:EncryptedKey xmlns:ds=\"{ds}\" xmlns:xenc=\"{xenc}\" Id=\"key\">\
         <xenc:EncryptionMethod Algorithm=\"{oaep}\"><ds:DigestMethod Algorithm=\"{sha256}\"/>\
         <xenc11:MGF xmlns:xenc11=\"{xenc11}\" Algorithm=\"{mgf}\"/></xenc:EncryptionMethod>{key_info}\
         <xenc:CipherData><xenc:CipherValue>{wrapped}</xenc:CipherValue></xenc:CipherData>\
         <xenc:ReferenceList><xenc:DataReference URI=\"#data\"/></xenc:ReferenceList></xenc:EncryptedKey>\
         <xenc:EncryptedData xmlns:ds=\"{ds}\" xmlns:xenc=\"{xenc}\" Id=\"data\" MimeType=\"{gzip}\" \
         Type=\"{content_only}\"><xenc:EncryptionMethod Algorithm=\"{gcm}\"/>\
         <ds:KeyInfo><wsse:SecurityTokenReference xmlns:wsse11=\"{wsse11}\" wsse11:TokenType=\"{encrypted_key}\">\
         <wsse:Reference URI=\"#key\"/></wsse:SecurityTokenReference></ds:KeyInfo>\
         <xenc:CipherData><xenc:CipherReference URI=\"cid:{content_id}\"><xenc:Transforms>\
         <ds:Transform Algorithm=\"{transform}\"/></xenc:Transforms></xenc:CipherReference></xenc:CipherData>\
         </xenc:EncryptedData>"
    ))
}
