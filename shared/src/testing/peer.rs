//! Another access point that sends messages to this service.

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp, civil::date};
use uuid::Uuid;

use crate::{
    document::{self, Issuance, Operation, Profile},
    peppol::{
        as4::{self, Built, Freight, Outgoing, Participants},
        identifiers::{DocumentType, InstanceId, Process, Spid},
        mls,
        pki::{
            Role,
            testing::{Flaw, PKI, now, ready},
        },
        sbdh::{CountryCode, DocumentIdentification, Header, MlsTo, MlsType},
    },
    service::{
        PeppolReporting, Receiving, Relaying, Sending, SendingMls, Settings, TaxReporting,
        ValidatingInbound,
        receive::{AT_ONCE_BYTES, Answer, receive},
        report::Pace,
    },
    types::{ParticipantId, SeededRandom},
    ubl,
};

use super::{
    AUTHORITY, THEIR_SEAT, World, customer, invoice,
    network::{AUTHORITY_SEAT, OPENPEPPOL, OUR_SEAT, tax_authority},
    party,
};

/// The seller (C1) of its documents.
pub(crate) const SELLER: &str = "1001234501";
/// The buyer (C4) of its documents.
pub(crate) const BUYER: &str = "1009876543";

/// A message to build, with all its variable parts as fields.
#[derive(Debug, Clone)]
pub(crate) struct Parcel {
    pub(crate) message_id: String,
    pub(crate) instance_id: String,
    pub(crate) from: &'static str,
    pub(crate) flaw: Flaw,
    pub(crate) sender: ParticipantId,
    pub(crate) receiver: ParticipantId,
    pub(crate) document_type: DocumentType,
    pub(crate) process: Process,
    /// The requested statuses, and their receiver.
    pub(crate) mls_type: Option<MlsType>,
    pub(crate) mls_to: Option<MlsTo>,
    /// The final recipient in the AS4 header, if it differs from `receiver`.
    pub(crate) final_recipient: Option<ParticipantId>,
    pub(crate) document: Vec<u8>,
}

impl Parcel {
    /// An invoice for a taxpayer.
    pub(crate) fn invoice(number: &str) -> Self {
        Parcel {
            message_id: format!("{number}@their.test"),
            instance_id: uuid_of(number).to_string(),
            from: THEIR_SEAT,
            flaw: Flaw::None,
            sender: format!("0235:{SELLER}").parse().unwrap(),
            receiver: format!("0235:{BUYER}").parse().unwrap(),
            document_type: DocumentType::INVOICE,
            process: Process::BILLING,
            mls_type: Some(MlsType::AlwaysSend),
            mls_to: None,
            final_recipient: None,
            document: ubl_of(number),
        }
    }

    /// Gives its invoice a type that no rule allows.
    pub(crate) fn break_rules(&mut self) {
        let text = String::from_utf8(std::mem::take(&mut self.document)).unwrap();
        self.document = text.replace(">380<", ">999<").into_bytes();
    }

    /// A status of the other provider about an envelope of this service.
    pub(crate) fn status(document: &[u8]) -> Self {
        Parcel {
            sender: "0242:000002".parse().unwrap(),
            receiver: "0242:000001".parse().unwrap(),
            document_type: DocumentType::MESSAGE_LEVEL_STATUS,
            process: Process::MESSAGE_LEVEL_STATUS,
            document: document.to_vec(),
            ..Parcel::invoice("S-1")
        }
    }

    /// The same message, so large that its receipt leaves a status to a job.
    pub(crate) fn long(self) -> Self {
        let text = String::from_utf8(self.document).unwrap();
        let end = text.rfind("</").unwrap();
        let document = [&text[..end], &" ".repeat(AT_ONCE_BYTES), &text[end..]].concat();
        Parcel { document: document.into_bytes(), ..self }
    }

    /// The tax authority's verdict on an envelope of this service.
    pub(crate) fn verdict(name: &str, ref_to: &InstanceId, verdict: mls::Verdict) -> Self {
        let document = mls::write(&mls::Status {
            id: mls::Text::new(name).unwrap(),
            issued_at: now(),
            sender: tax_authority(),
            receiver: Spid::new("000001").unwrap(),
            ref_to: ref_to.clone(),
            verdict,
        });
        Parcel {
            message_id: format!("{name}@their.test"),
            instance_id: format!("{name}-of-the-authority"),
            from: AUTHORITY_SEAT,
            sender: AUTHORITY.parse().unwrap(),
            ..Parcel::status(&document)
        }
    }

    fn sbdh(&self) -> Vec<u8> {
        let header = Header {
            sender: self.sender.clone(),
            receiver: self.receiver.clone(),
            instance_id: self.instance_id.parse().unwrap(),
            document: DocumentIdentification::new(self.document_type.clone()).unwrap(),
            process: self.process.clone(),
            created_at: now(),
            country_c1: CountryCode::UAE,
            mls_to: self.mls_to.clone(),
            mls_type: self.mls_type,
            others: Default::default(),
        };
        crate::peppol::sbdh::write(&header, &self.document)
    }

    /// The message, signed, and encrypted for this service.
    pub(crate) fn pack(&self) -> Packed {
        let freight =
            Freight::Document { document_type: &self.document_type, process: &self.process };
        self.pack_with(freight, &self.sbdh())
    }

    /// A ping.
    pub(crate) fn ping(&self) -> Packed {
        self.pack_with(Freight::Ping, b"ping")
    }

    fn pack_with(&self, freight: Freight<'_>, sbdh: &[u8]) -> Packed {
        let us = PKI.seat(OUR_SEAT).certificate;
        let outgoing = Outgoing {
            message_id: &self.message_id.parse().unwrap(),
            conversation_id: "1",
            timestamp: now(),
            receiver: &PKI.trusted(&us, Role::AccessPoint),
            participants: &Participants {
                original_sender: self.sender.clone(),
                final_recipient: self.final_recipient.clone().unwrap_or(self.receiver.clone()),
            },
            freight,
        };
        let key = PKI.issue(&PKI.ap, self.from, self.flaw).key();
        let built = ready(as4::build(&outgoing, sbdh, &key, &SeededRandom::new(3))).unwrap();
        let Built { content_type, body, .. } = built;
        Packed { content_type, body }
    }
}

/// A message on the wire.
#[derive(Debug, Clone)]
pub(crate) struct Packed {
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

impl Packed {
    /// Delivers it to this service.
    pub(crate) async fn arrive(&self, receiving: &Receiving) -> Arrival {
        match receive(receiving, &self.content_type, Bytes::from(self.body.clone())).await {
            Answer::Unavailable => Arrival::Unavailable,
            Answer::Signal(bytes) => {
                match as4::read_answer(200, as4::SIGNAL_CONTENT_TYPE, &bytes) {
                    as4::Answer::Receipt(receipt) => {
                        assert_eq!(receipt.signer().common_name(), OUR_SEAT);
                        Arrival::Receipt
                    }
                    as4::Answer::Rejected(rejection) => {
                        assert!(rejection.signer().is_some(), "an error is signed");
                        let error = rejection.errors().first().unwrap();
                        Arrival::Error(error.code.clone(), error.detail.clone())
                    }
                    as4::Answer::Nothing(silence) => panic!("{silence}"),
                }
            }
        }
    }
}

/// The answer to the other side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Arrival {
    Receipt,
    /// Code and detail.
    Error(String, String),
    Unavailable,
}

impl World {
    /// The dependencies of receiving.
    pub(crate) fn receiving(&self) -> Receiving {
        Self::receiving_by(&self.sending)
    }

    /// The dependencies of receiving, for a process.
    pub(crate) fn receiving_by(sending: &Sending) -> Receiving {
        let connection = sending.live.as_ref().map(|live| live.connection.clone());
        Receiving { ctx: sending.ctx.clone(), bucket: sending.bucket.clone(), connection }
    }

    /// The dependencies of sending Message Level Statuses.
    pub(crate) fn answering(&self) -> SendingMls {
        Self::answering_by(&self.sending)
    }

    /// The dependencies of sending Message Level Statuses, for a process.
    pub(crate) fn answering_by(sending: &Sending) -> SendingMls {
        let Receiving { ctx, bucket, connection } = Self::receiving_by(sending);
        let Settings { lease, time, .. } = sending.settings;
        SendingMls { ctx, bucket, connection, lease, time }
    }

    /// The dependencies of reporting to the tax authority.
    pub(crate) fn tax_reporting(&self) -> TaxReporting {
        Self::tax_reporting_by(&self.sending, &self.relaying)
    }

    /// The dependencies of reporting to the tax authority, for a process.
    pub(crate) fn tax_reporting_by(sending: &Sending, relaying: &Relaying) -> TaxReporting {
        TaxReporting {
            ctx: sending.ctx.clone(),
            bucket: sending.bucket.clone(),
            connection: sending.live.as_ref().map(|live| live.connection.clone()),
            queue: relaying.report.clone(),
            authority: Some(tax_authority()),
            pace: Pace::new(SignedDuration::from_micros(1)),
            lease: sending.settings.lease,
            time: sending.settings.time,
        }
    }

    /// The dependencies of reporting to OpenPeppol.
    pub(crate) fn peppol_reporting(&self) -> PeppolReporting {
        Self::peppol_reporting_by(&self.sending)
    }

    /// The dependencies of reporting to OpenPeppol, for a process.
    pub(crate) fn peppol_reporting_by(sending: &Sending) -> PeppolReporting {
        PeppolReporting {
            ctx: sending.ctx.clone(),
            bucket: sending.bucket.clone(),
            connection: sending.live.as_ref().map(|live| live.connection.clone()),
            receiver: Some(OPENPEPPOL.parse().unwrap()),
            lease: sending.settings.lease,
            time: sending.settings.time,
        }
    }

    /// The dependencies of validating received messages.
    pub(crate) fn validating(&self) -> ValidatingInbound {
        Self::validating_by(&self.sending)
    }

    /// The dependencies of validating received messages, for a process.
    pub(crate) fn validating_by(sending: &Sending) -> ValidatingInbound {
        let lease = sending.settings.lease;
        ValidatingInbound { ctx: sending.ctx.clone(), bucket: sending.bucket.clone(), lease }
    }
}

/// The identifier of an envelope, derived from a name in the test.
fn uuid_of(text: &str) -> Uuid {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// A valid invoice.
fn ubl_of(number: &str) -> Vec<u8> {
    let mut body = invoice(number, BUYER);
    body["customer"] = customer("Oasis", BUYER);
    let submission = document::read(Operation::Invoice, body.to_string().as_bytes()).unwrap();
    let taxpayer = Profile::from_json(party("Falcon", SELLER).to_string().as_bytes()).unwrap();
    let issuance = Issuance {
        taxpayer: &taxpayer,
        participant: &format!("0235:{SELLER}").parse().unwrap(),
        today: date(2026, 6, 15),
        uuid: Uuid::from_u128(0x0192_f0c1_a2b3_4c4d_8e9f_a0b1_c2d3_e4f5),
        original: None,
    };
    ubl::write(&document::complete(submission, &issuance).unwrap().0)
}

/// A status of the other provider: an envelope of this service was delivered.
pub(crate) fn accepted(ref_to: &InstanceId, issued_at: Timestamp) -> Vec<u8> {
    mls::write(&mls::Status {
        id: mls::Text::new("S-1").unwrap(),
        issued_at,
        sender: Spid::new("000002").unwrap(),
        receiver: Spid::new("000001").unwrap(),
        ref_to: ref_to.clone(),
        verdict: mls::Verdict::Accepted(mls::Acceptance::default()),
    })
}
