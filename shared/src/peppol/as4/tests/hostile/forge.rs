//! A valid message in pieces, and ways to change and reassemble it.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

use super::{
    super::{
        sign::resign,
        world::{Both as _, World},
    },
    Case,
};
use crate::peppol::{
    as4::{Digest, Rule, mime, payload},
    pki::Certificate,
};

/// The payload of the valid message.
pub(super) const SBDH: &[u8] = b"<StandardBusinessDocument>some text</StandardBusinessDocument>";
/// The content key that forged attachments are encrypted with.
const SECRET: [u8; 16] = [7; 16];

/// A valid message in pieces.
pub(super) struct Forge<'w> {
    pub(super) world: &'w World,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
    pub(super) soap: String,
    pub(super) attachment: Vec<u8>,
    pub(super) content_id: String,
}

impl<'w> Forge<'w> {
    pub(super) fn new(world: &'w World) -> Self {
        let built = world.build(SBDH);
        let parts = mime::split(&built.content_type, &built.body).unwrap();
        let soap = parts.soap.bytes(&built.body).unwrap().into_owned();
        let attachment = parts.attachment.unwrap();
        Forge {
            world,
            soap: String::from_utf8(soap).unwrap(),
            attachment: attachment.bytes(&built.body).unwrap().into_owned(),
            content_id: attachment.content_id.unwrap(),
            content_type: built.content_type,
            body: built.body,
        }
    }

    /// Checks that the unchanged message is accepted, so refusals come from the change.
    pub(super) fn check(&self) {
        let accepted = |soap: &str, attachment: &[u8]| {
            let body = self.assemble(soap, attachment);
            let received = self.world.receive(&self.content_type, body).unwrap();
            assert_eq!(received.payload.as_deref(), Some(SBDH));
        };
        accepted(&self.soap, &self.attachment);
        accepted(&self.resign(&self.soap), &self.attachment);
        let gzip = payload::compress(SBDH, Vec::new()).unwrap();
        let (soap, attachment) = self.repack(&gzip);
        accepted(&soap, &attachment);
    }

    /// The SOAP part with one piece replaced; the piece must occur once.
    pub(super) fn edit(&self, from: &str, to: &str) -> String {
        assert_eq!(self.soap.matches(from).count(), 1, "{from}");
        self.soap.replace(from, to)
    }

    /// The piece of the SOAP part from one mark to the end of another.
    pub(super) fn piece(&self, from: &str, to: &str) -> &str {
        let start = self.soap.find(from).unwrap_or_else(|| panic!("{from}"));
        let length = self.soap[start..].find(to).unwrap_or_else(|| panic!("{to}")) + to.len();
        &self.soap[start..start + length]
    }

    /// A message of these pieces, with the boundary of the valid one.
    pub(super) fn assemble(&self, soap: impl AsRef<[u8]>, attachment: &[u8]) -> Vec<u8> {
        let boundary = self.boundary();
        let head = format!("--{boundary}\r\nContent-Type: application/soap+xml\r\n\r\n");
        let middle = format!("\r\n--{boundary}\r\nContent-ID: <{}>\r\n\r\n", self.content_id);
        let tail = format!("\r\n--{boundary}--\r\n");
        let pieces =
            [head.as_bytes(), soap.as_ref(), middle.as_bytes(), attachment, tail.as_bytes()];
        pieces.concat()
    }

    pub(super) fn boundary(&self) -> &str {
        self.content_type.split('"').nth(1).unwrap()
    }

    /// A case with another SOAP part.
    pub(super) fn case(&self, name: impl Into<String>, rule: Rule, soap: impl AsRef<[u8]>) -> Case {
        self.body_case(name, rule, self.assemble(soap, &self.attachment))
    }

    /// A case with another body.
    pub(super) fn body_case(&self, name: impl Into<String>, rule: Rule, body: Vec<u8>) -> Case {
        Case { name: name.into(), rule, content_type: self.content_type.clone(), body }
    }

    /// The SOAP part, signed again by the sender.
    pub(super) fn resign(&self, soap: &str) -> String {
        resign(soap, &self.world.sender)
    }

    /// SOAP part and attachment for other compressed bytes, correctly signed and encrypted.
    pub(super) fn repack(&self, compressed: &[u8]) -> (String, Vec<u8>) {
        let attachment = sealed(&SECRET, compressed);
        (self.resign(&self.with_digest(&self.with_key(&SECRET), compressed)), attachment)
    }

    /// The SOAP part with another content key.
    pub(super) fn with_key(&self, secret: &[u8]) -> String {
        let receiver: &Certificate = self.world.receiver.certificate_of_both();
        self.with_wrapped(&receiver.encrypt(secret).unwrap())
    }

    /// The SOAP part with another wrapped key.
    pub(super) fn with_wrapped(&self, wrapped: &[u8]) -> String {
        let value = self.piece("<xenc:CipherValue>", "</xenc:CipherValue>");
        let wrapped = BASE64.encode(wrapped);
        self.edit(value, &format!("<xenc:CipherValue>{wrapped}</xenc:CipherValue>"))
    }

    /// A SOAP part with the digest of another attachment.
    pub(super) fn with_digest(&self, soap: &str, compressed: &[u8]) -> String {
        let signed = self.piece("<ds:Reference URI=\"cid:", "</ds:Reference>");
        let start = signed.find("<ds:DigestValue>").unwrap();
        let digest = Digest::of(compressed);
        let changed =
            format!("{}<ds:DigestValue>{digest}</ds:DigestValue></ds:Reference>", &signed[..start]);
        soap.replace(signed, &changed)
    }
}

/// IV, ciphertext and tag.
pub(super) fn sealed(secret: &[u8; 16], content: &[u8]) -> Vec<u8> {
    let mut sealed = content.to_vec();
    let tag = payload::seal(secret, [9; 12], &mut sealed).unwrap();
    [&[9; 12][..], &sealed, tag.as_ref()].concat()
}
