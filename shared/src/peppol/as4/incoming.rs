//! A received message. First its header and signer are read; after the signer is trusted, its payload is decrypted.

use std::ops::Range;

use super::{
    dom,
    envelope::Envelope,
    ids::{MessageId, References},
    mime::{self, Part},
    payload,
    refusal::Refusal,
    rule::Rule,
    security::{self, Encryption},
    signature::{self, Signed, SignedReference, Target},
    user_message::{self, Purpose, UserMessage},
};
use crate::peppol::pki::{Certificate, Decrypter, KeyError, Role, Trusted};

/// A well-formed message. Its header matches the signed digests; the signature itself is not verified yet.
#[derive(Debug)]
pub struct Opened {
    header: UserMessage,
    signed: Signed,
    sealed: Option<Sealed>,
    body: Vec<u8>,
}

/// The encrypted attachment.
struct Sealed {
    encryption: Encryption,
    place: Range<usize>,
}

impl std::fmt::Debug for Sealed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealed").field("place", &self.place).finish_non_exhaustive()
    }
}

/// A complete message from a trusted access point to this one.
#[derive(Debug)]
pub struct Received {
    /// The header.
    pub header: UserMessage,
    /// The SBDH; `None` for a ping without payload.
    pub payload: Option<Vec<u8>>,
    /// The references that the receipt repeats.
    pub(super) references: Vec<SignedReference>,
}

/// Reads the body of a request: all steps that need neither trust nor a key.
///
/// # Errors
/// When the message breaks a rule about its form, its header, or its signature's form and coverage.
pub fn open(content_type: &str, mut body: Vec<u8>) -> Result<Opened, Refusal> {
    let parts = mime::split(content_type, &body)?;
    let soap = parts.soap.bytes(&body)?;
    let dom = dom::parse(&soap)?;
    let envelope = Envelope::read(&dom)?;
    // Refusals from here on contain the message id.
    let about = user_message::message_id(envelope.messaging);
    parts.check_count().map_err(|refusal| refusal.about(about.clone()))?;
    let read = read(&envelope, parts.attachment.as_ref());
    let (header, signed, encryption) = read.map_err(|refusal| refusal.about(about.clone()))?;
    drop(dom);
    drop(soap);
    let mut sealed = None;
    if let Some((encryption, part)) = encryption.zip(parts.attachment) {
        let place = part.place(&mut body).map_err(|refusal| refusal.about(about))?;
        sealed = Some(Sealed { encryption, place });
    }
    Ok(Opened { header, signed, sealed, body })
}

/// Reads header, signature and encryption, and checks that they match.
fn read(
    envelope: &Envelope<'_, '_>,
    attachment: Option<&Part>,
) -> Result<(UserMessage, Signed, Option<Encryption>), Refusal> {
    envelope.check_understood()?;
    let header = UserMessage::read(envelope.messaging)?;
    envelope.check_empty_body()?;
    let unsigned = || Refusal::new(Rule::Unsigned, "no wsse:Security header");
    let security = envelope.security.ok_or_else(unsigned)?;
    let signed = Signed::read(envelope, security)?;
    let encryption = security::encryption(security)?;
    check_attachment(&header, attachment, encryption.as_ref())?;
    check_coverage(&header, &signed)?;
    Ok((header, signed, encryption))
}

/// Checks that header, Content-ID and EncryptedData name the same attachment, or that there is none at all.
fn check_attachment(
    header: &UserMessage,
    attachment: Option<&Part>,
    encryption: Option<&Encryption>,
) -> Result<(), Refusal> {
    let Some(content_id) = &header.content_id else {
        return match (attachment, encryption) {
            (None, None) => Ok(()),
            _ => Err(Refusal::new(Rule::PartInfo, "a ping whose header names no payload")),
        };
    };
    let Some(attachment) = attachment else {
        return Err(Refusal::new(Rule::PartCount, format!("no attachment {content_id}")));
    };
    if attachment.content_id.as_ref() != Some(content_id) {
        let found = attachment.content_id.as_deref().unwrap_or("missing");
        let found = format!("Content-ID {found}, where PartInfo has {content_id}");
        return Err(Refusal::new(Rule::AttachmentId, found));
    }
    match encryption {
        None => Err(Refusal::new(Rule::Unencrypted, "neither EncryptedKey nor EncryptedData")),
        Some(encryption) if encryption.content_id == *content_id => Ok(()),
        Some(encryption) => {
            let found = format!("EncryptedData of cid:{}", encryption.content_id);
            Err(Refusal::new(Rule::EncryptedForm, found))
        }
    }
}

/// Peppol AS4 profile 2.0.3: eb:Messaging, the Body and every attachment are signed, and nothing else.
fn check_coverage(header: &UserMessage, signed: &Signed) -> Result<(), Refusal> {
    let attachment = header.content_id.clone().map(Target::Attachment);
    let demanded = [Some(Target::Messaging), Some(Target::Body), attachment.clone()];
    if let Some(target) = demanded.into_iter().flatten().find(|target| !signed.covers(target)) {
        return Err(Refusal::new(Rule::Coverage, format!("no reference to {target:?}")));
    }
    let stray = signed.references.iter().find(|signed| {
        matches!(signed.target, Target::Attachment(_))
            && Some(&signed.target) != attachment.as_ref()
    });
    match stray {
        Some(stray) => Err(Refusal::new(Rule::ReferenceTarget, &stray.reference.uri)),
        None => Ok(()),
    }
}

impl Opened {
    /// The claimed signer. The caller must check it against the network's trust.
    pub fn signer(&self) -> &Certificate {
        &self.signed.certificate
    }

    /// The message id; not verified yet.
    pub fn message_id(&self) -> &MessageId {
        &self.header.message_id
    }

    /// The claimed references, with their digests.
    pub fn references(&self) -> References {
        References(self.signed.references.iter().map(|signed| signed.reference.clone()).collect())
    }

    /// Verifies the signature, decrypts and decompresses. `keys` are this access point's keys; there are several
    /// during a change of certificates. `limit` is the longest SBDH in bytes.
    ///
    /// # Errors
    /// When the message is not what the trusted signer sent to this access point.
    pub async fn verify(
        self,
        signer: &Trusted,
        keys: &[&dyn Decrypter],
        limit: usize,
    ) -> Result<Received, Refusal> {
        let id = self.header.message_id.clone();
        self.verified(signer, keys, limit).await.map_err(|refusal| refusal.about(Some(id)))
    }

    async fn verified(
        mut self,
        signer: &Trusted,
        keys: &[&dyn Decrypter],
        limit: usize,
    ) -> Result<Received, Refusal> {
        self.check_signer(signer)?;
        self.signed.verify()?;
        self.check_parties(keys)?;
        let payload = match self.sealed.take() {
            None => None,
            Some(sealed) => Some(self.unseal(sealed, keys, limit).await?),
        };
        Ok(Received { header: self.header, payload, references: self.signed.references })
    }

    fn check_signer(&self, signer: &Trusted) -> Result<(), Refusal> {
        if signer.role() == Role::AccessPoint && **signer == *self.signer() {
            return Ok(());
        }
        let found = format!("{}, whose certificate was not checked", self.signer().common_name());
        Err(Refusal::new(Rule::UntrustedSigner, found))
    }

    /// Peppol AS4 profile 2.0.3: From and To are the common names of the two certificates.
    fn check_parties(&self, keys: &[&dyn Decrypter]) -> Result<(), Refusal> {
        let UserMessage { from, to, .. } = &self.header;
        let signer = self.signer().common_name();
        if signer != from.as_str() {
            return Err(Refusal::new(Rule::SignerParty, format!("{from}, signed by {signer}")));
        }
        if keys.iter().any(|key| key.certificate().common_name() == to.as_str()) {
            return Ok(());
        }
        Err(Refusal::new(Rule::ReceiverParty, to.as_str()))
    }

    async fn unseal(
        &mut self,
        Sealed { encryption, place }: Sealed,
        keys: &[&dyn Decrypter],
        limit: usize,
    ) -> Result<Vec<u8>, Refusal> {
        let Encryption { recipient, wrapped_key, content_id } = encryption;
        let key =
            keys.iter().find(|key| key.certificate().der() == recipient).ok_or_else(|| {
                let subject = Certificate::from_der(recipient).map(|other| other.subject());
                let subject = subject.unwrap_or_else(|error| error.to_string());
                Refusal::new(
                    Rule::EncryptedForAnother,
                    format!("{subject}, which is not held here"),
                )
            })?;
        let secret = match key.decrypt(&wrapped_key).await {
            Err(KeyError::Unavailable(_)) => {
                return Err(Refusal::new(Rule::KeyUnavailable, "a key out of reach"));
            }
            secret => secret.ok(),
        };
        let sealed = self.body.get_mut(place).unwrap_or_default();
        let plain = payload::open(secret.as_deref(), sealed)?;
        let compressed = mime::slice(sealed, plain);
        let target = Target::Attachment(content_id);
        for signed in self.signed.references.iter().filter(|signed| signed.target == target) {
            let reference = &signed.reference;
            signature::check_digest(&reference.uri, reference.digest, compressed)?;
        }
        payload::inflate(compressed, limit)
    }
}

impl Received {
    /// Whether the message is a ping: it is answered and dropped.
    pub fn is_ping(&self) -> bool {
        self.header.purpose == Purpose::Ping
    }
}
