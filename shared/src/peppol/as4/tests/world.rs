//! Two access points that trust each other, and a message between them.

use crate::{
    peppol::{
        as4::{
            Built, Freight, MessageId, Opened, Outgoing, Participants, Received, Refusal, Sent,
            build, open,
        },
        identifiers::{DocumentType, Process},
        pki::{
            Certificate, LocalKey, Role, Trusted,
            testing::{self, PKI, ready},
        },
    },
    types::SeededRandom,
};

/// The longest SBDH in these tests, in bytes.
pub(super) const LIMIT: usize = 8 * 1024 * 1024;

pub(super) fn trusted(certificate: &Certificate) -> Trusted {
    PKI.trusted(certificate, Role::AccessPoint)
}

/// Two seats.
pub(super) struct World {
    pub(super) sender: LocalKey,
    pub(super) receiver: LocalKey,
    pub(super) message_id: MessageId,
    pub(super) participants: Participants,
}

impl World {
    pub(super) fn new() -> Self {
        World {
            sender: PKI.seat("PAE000001").key(),
            receiver: PKI.seat("PAE000002").key(),
            message_id: "6c3e6c0e-0d5c-4d5c-9a5e-6f1b1b3d5a11@sender.example".parse().unwrap(),
            participants: Participants {
                original_sender: "0235:1001234501".parse().unwrap(),
                final_recipient: "0235:1001234502".parse().unwrap(),
            },
        }
    }

    pub(super) fn build_with(&self, freight: Freight<'_>, sbdh: &[u8], seed: u64) -> Built {
        self.build_for(&trusted(self.receiver.certificate_of_both()), freight, sbdh, seed)
    }

    pub(super) fn build_for(
        &self,
        receiver: &Trusted,
        freight: Freight<'_>,
        sbdh: &[u8],
        seed: u64,
    ) -> Built {
        let outgoing = Outgoing {
            message_id: &self.message_id,
            conversation_id: "a & b <c>",
            timestamp: testing::now(),
            receiver,
            participants: &self.participants,
            freight,
        };
        ready(build(&outgoing, sbdh, &self.sender, &SeededRandom::new(seed))).unwrap()
    }

    pub(super) fn build(&self, sbdh: &[u8]) -> Built {
        self.build_with(invoice(), sbdh, 1)
    }

    pub(super) fn verify(&self, opened: Opened) -> Result<Received, Refusal> {
        let signer = trusted(opened.signer());
        ready(opened.verify(&signer, &[&self.receiver], LIMIT))
    }

    pub(super) fn receive(&self, content_type: &str, body: Vec<u8>) -> Result<Received, Refusal> {
        self.verify(open(content_type, body)?)
    }

    pub(super) fn sent(&self, built: &Built) -> Sent {
        Sent {
            message_id: self.message_id.clone(),
            receiver: "PAE000002".parse().unwrap(),
            references: built.references.clone(),
        }
    }
}

/// A signing and decrypting key has one certificate.
pub(super) trait Both {
    fn certificate_of_both(&self) -> &Certificate;
}

impl Both for LocalKey {
    fn certificate_of_both(&self) -> &Certificate {
        (self as &dyn crate::peppol::pki::Signer).certificate()
    }
}

pub(super) fn invoice() -> Freight<'static> {
    static DOCUMENT_TYPE: DocumentType = DocumentType::INVOICE;
    static PROCESS: Process = Process::BILLING;
    Freight::Document { document_type: &DOCUMENT_TYPE, process: &PROCESS }
}

/// Incompressible bytes.
pub(super) fn noise(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    crate::types::Random::fill(&SeededRandom::new(7), &mut bytes);
    bytes
}
