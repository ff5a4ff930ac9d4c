//! A message of another access point: it is opened, proven, claimed and stored, and only then
//! confirmed.
//!
//! | step | what stands by then |
//! |---|---|
//! | open, trust, verify | who sent it and what it holds |
//! | envelope, served | whose it is |
//! | claim | that nobody else works on it, and that it is no repetition |
//! | store | the message with its signature, the envelope in it, and then the receipt that we sign for them |
//! | record | that it waits for its judgement, and that it counts; the claim is over |
//! | receipt | the sender has our signature for all of that |
//!
//! A receipt is recorded with what it is for, and given away only then. One whose message was not recorded, because its
//! worker died, is followed by another in its place; one that is given for a repetition is not kept.
//!
//! A message that breaks a rule is answered with a signed error that names it. Whatever is our own
//! fault is answered with 503 and nothing else: the sender repeats the same message, and finds either
//! an abandoned claim or a message that is stored.

pub(super) mod served;

use std::time::Duration;

use bytes::Bytes;
use jiff::SignedDuration;
use tracing::Instrument;

use self::served::addressee;
use super::{Context, RELAY_GRACE, Receiving, exchange_counts, later, network::Network};
use crate::{
    log::{self, Field},
    peppol::{
        as4::{self, MessageId, Opened, Received, Refusal, Rule},
        pki::{Decrypter, KeyError, Role, Signer, Trusted},
        sbdh,
    },
    store::{
        Addressee, Bucket, CountedExchange, Due, Lease, MessageClaim, MessageRecord, MessageStatus,
        PayloadKind, Recorded, StoreError,
    },
    types::{Mode, sha256_hex},
};

/// The network is one: what comes from it is Live.
const MODE: Mode = Mode::Live;
/// Bytes of an envelope at most, inflated.
pub(super) const MOST_ENVELOPE_BYTES: usize = 100 * 1024 * 1024;
/// Within what time a message is answered: before whoever is in front of us gives up.
const ANSWER_WITHIN: Duration = Duration::from_secs(25);
/// How long a claim keeps others away. Longer than anybody works on a message.
const CLAIM: SignedDuration = SignedDuration::from_secs(30);

/// What a sender gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A signal of ours, a receipt or an error: 200, [`as4::SIGNAL_CONTENT_TYPE`].
    Signal(Vec<u8>),
    /// Nothing: 503. The message may be sent again.
    Unavailable,
}

/// Why no receipt is given.
enum Withheld {
    /// The message breaks a rule.
    Refused(Refusal),
    /// It is our own fault, or somebody is at it.
    Unavailable(String),
}

impl From<Refusal> for Withheld {
    fn from(refusal: Refusal) -> Self {
        // Our own fault, which the sender should not have to read.
        if refusal.rule() == Rule::KeyUnavailable {
            return Withheld::Unavailable(refusal.to_string());
        }
        Withheld::Refused(refusal)
    }
}

impl From<StoreError> for Withheld {
    fn from(error: StoreError) -> Self {
        Withheld::Unavailable(error.to_string())
    }
}

impl From<KeyError> for Withheld {
    fn from(error: KeyError) -> Self {
        Withheld::Unavailable(error.to_string())
    }
}

/// Takes a message: the body of a request and its Content-Type.
pub async fn receive(receiving: &Receiving, content_type: &str, body: Bytes) -> Answer {
    receive_within(receiving, content_type, body, ANSWER_WITHIN).await
}

/// The same within so long.
pub(super) async fn receive_within(
    receiving: &Receiving,
    content_type: &str,
    body: Bytes,
    within: Duration,
) -> Answer {
    let work = tokio::time::timeout(within, answer(receiving, content_type, body));
    work.instrument(log::receipt()).await.unwrap_or_else(|_| {
        tracing::error!("a message was not answered in time");
        Answer::Unavailable
    })
}

async fn answer(receiving: &Receiving, content_type: &str, body: Bytes) -> Answer {
    let network = match &receiving.connection {
        Some(connection) => connection.network().await.map_err(|error| error.to_string()),
        None => Err("this deployment is not connected to the network".to_owned()),
    };
    let ready = network.and_then(|network| {
        let signer = network.keys.signer(receiving.ctx.now());
        Ok((network, signer.ok_or("no certificate of ours is valid now")?))
    });
    let (network, signer) = match ready {
        Ok(ready) => ready,
        Err(cause) => return unavailable(&cause),
    };
    let Receiving { ctx, bucket, .. } = receiving;
    let taking = Taking { ctx, bucket, network, signer };
    let withheld = match taking.take(content_type, body).await {
        Ok(receipt) => return Answer::Signal(receipt),
        Err(withheld) => withheld,
    };
    match withheld {
        Withheld::Unavailable(cause) => unavailable(&cause),
        Withheld::Refused(refusal) => {
            tracing::warn!(as4.rule = refusal.rule().id(), %refusal, "a message was refused");
            let error = match taking.own_id() {
                Ok(id) => as4::error(&refusal, Some(signer), &id, ctx.now()).await,
                Err(error) => return unavailable(&error),
            };
            error.map_or_else(|error| unavailable(&error.to_string()), Answer::Signal)
        }
    }
}

fn unavailable(cause: &str) -> Answer {
    tracing::error!(error.cause = cause, "a message could not be taken");
    Answer::Unavailable
}

/// What taking a message needs.
struct Taking<'a> {
    ctx: &'a Context,
    bucket: &'a Bucket,
    network: &'a Network,
    signer: &'a dyn Signer,
}

impl Taking<'_> {
    /// The receipt for a message that is stored then.
    async fn take(&self, content_type: &str, body: Bytes) -> Result<Vec<u8>, Withheld> {
        // Opened in place, while what came is evidence.
        let opened = as4::open(content_type, body.to_vec())?;
        log::note(Field::MessageId, opened.message_id());
        log::note(Field::Sender, &opened.signer().common_name());
        let signer = self.trusted(&opened).await?;
        let keys: Vec<&dyn Decrypter> = self.network.keys.decrypters().collect();
        let received = opened.verify(&signer, &keys, MOST_ENVELOPE_BYTES).await?;
        if received.is_ping() {
            tracing::info!("a ping was answered");
            return self.receipt(&received).await;
        }
        self.keep(&received, body).await
    }

    /// A receipt of ours for a message.
    async fn receipt(&self, received: &Received) -> Result<Vec<u8>, Withheld> {
        let id = self.own_id().map_err(Withheld::Unavailable)?;
        Ok(as4::receipt(received, self.signer, &id, self.ctx.now()).await?)
    }

    async fn trusted(&self, opened: &Opened) -> Result<Trusted, Withheld> {
        let trusted = self.network.trusted(self.ctx, opened.signer(), Role::AccessPoint).await;
        trusted.map_err(|error| {
            if error.is_retryable() {
                return Withheld::Unavailable(error.to_string());
            }
            let refusal = Refusal::new(Rule::UntrustedSigner, error.to_string());
            refusal.about(Some(opened.message_id().clone())).into()
        })
    }

    /// Keeps a message, unless it is kept already. Gives its receipt.
    async fn keep(&self, received: &Received, message: Bytes) -> Result<Vec<u8>, Withheld> {
        let about = |refusal: Refusal| refusal.about(Some(received.header.message_id.clone()));
        let refused = |rule, found: &str| Withheld::from(about(Refusal::new(rule, found)));
        let missing = || refused(Rule::PartCount, "no attachment");
        let payload = received.payload.as_deref().ok_or_else(missing)?;
        let envelope =
            sbdh::receive(payload).map_err(|error| refused(Rule::Sbdh, &error.to_string()))?;
        let header = &envelope.header;
        log::note(Field::InstanceId, &header.instance_id);
        for ignored in &envelope.ignored {
            tracing::info!(%ignored, "a part of an envelope was ignored");
        }
        received.header.check_against(header)?;
        let now = self.ctx.now();
        let addressee = addressee(self.ctx, self.network, MODE, header, now).await?;
        let addressee = addressee.map_err(|found| refused(Rule::NotServiced, &found))?;
        let new = MessageRecord {
            instance_id: header.instance_id.clone(),
            as4_message_id: received.header.message_id.to_string(),
            sender: received.header.from.clone(),
            originator: header.sender.clone(),
            recipient: header.receiver.clone(),
            document_type: header.document.document_type().clone(),
            process: header.process.clone(),
            addressee,
            content_sha256: sha256_hex(envelope.payload.element()),
            status: MessageStatus::Claimed,
            sent_at: received.header.timestamp,
            received_at: now,
            message: None,
            envelope: None,
            receipt: None,
            lease: Some(Lease { owner: self.ctx.new_uuid(), until: later(now, CLAIM) }),
            tries: 0,
        };
        let exchange = exchange_counts::received(header, &received.header.from, now);
        let instance_id = header.instance_id.as_str();
        match self.ctx.store.claim_message(MODE, new, now).await? {
            MessageClaim::Taken(claimed) => {
                // Boxed: without optimization its state does not fit a stack with all that calls it.
                Box::pin(self.store(&claimed, message, (received, payload), &exchange)).await
            }
            MessageClaim::Stored => {
                tracing::info!("a message came again");
                self.receipt(received).await
            }
            MessageClaim::Held => Err(Withheld::Unavailable("another worker is at it".to_owned())),
            MessageClaim::MessageIdUsed => {
                Err(refused(Rule::MessageIdUsed, received.header.message_id.as_str()))
            }
            MessageClaim::InstanceIdUsed => Err(refused(Rule::InstanceIdUsed, instance_id)),
        }
    }

    /// Stores a message that is claimed, signs for it, and has it judged. Gives the receipt, which is stored beside it.
    async fn store(
        &self,
        claimed: &MessageRecord,
        message: Bytes,
        (received, envelope): (&Received, &[u8]),
        exchange: &CountedExchange,
    ) -> Result<Vec<u8>, Withheld> {
        let (hash, addressee) = (claimed.hash(), &claimed.addressee);
        if let Addressee::Taxpayer { taxpayer_id, document_id } = addressee {
            log::note(Field::TaxpayerId, taxpayer_id);
            log::note(Field::DocumentId, document_id);
        }
        let put = |kind, bytes| self.bucket.put_received(MODE, &hash, addressee, kind, bytes);
        let message = put(PayloadKind::Message, message).await?;
        let envelope = put(PayloadKind::Envelope, Bytes::copy_from_slice(envelope)).await?;
        let receipt = self.receipt(received).await?;
        let signed = put(PayloadKind::Receipt, Bytes::copy_from_slice(&receipt)).await?;
        let due = Due::relayed(later(exchange.at, RELAY_GRACE));
        let (store, stored) = (&self.ctx.store, [&message, &envelope, &signed]);
        match store.record_message(MODE, claimed, stored, exchange, due).await? {
            Recorded::Done => {
                tracing::info!("a message was received");
                Ok(receipt)
            }
            Recorded::Lost => {
                Err(Withheld::Unavailable("another worker took the message over".to_owned()))
            }
        }
    }

    /// The id of a signal of ours.
    fn own_id(&self) -> Result<MessageId, String> {
        let id = self.network.new_message_id(self.ctx);
        id.parse().map_err(|error: as4::MessageIdError| error.to_string())
    }
}
