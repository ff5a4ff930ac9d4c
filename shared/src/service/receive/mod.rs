//! Receives a message of another access point. The message is opened, verified, stored and recorded. Only then is it
//! confirmed.
//!
//! | step | result |
//! |---|---|
//! | open, trust, verify | the sender and the content are known |
//! | envelope, served | the addressee is known |
//! | look | the message is not a repetition |
//! | store | the message with its signature, its envelope and the signed receipt are stored |
//! | validate | the effect of a status message is known, if that takes little time |
//! | record | its exchange is counted, and its validation is due or its effect is there. Of several workers with one message, one records it |
//! | receipt | the sender gets our signature for all of that |
//!
//! A receipt is recorded together with its message, and sent only after that. What a worker stored that did not record it
//! has a name that no record has. A receipt for a duplicate is not kept.
//!
//! A message that breaks a rule is answered with a signed error that names the rule. A fault of our own is answered
//! with 503 and no body. The sender then repeats the same message.

pub(super) mod served;

use std::time::Duration;

use bytes::Bytes;
use tracing::Instrument;

use self::served::addressee;
use super::{
    Context, Receiving, exchange_counts,
    mls_inbound::{self, StatusValidation},
    network::Network,
};
use crate::{
    log::{self, Field},
    peppol::{
        as4::{self, MessageId, Opened, Received, Refusal, Rule},
        pki::{Decrypter, KeyError, Role, Signer, Trusted},
        sbdh::{self, Envelope},
    },
    store::{
        Addressee, Bucket, CountedExchange, Due, MessageRecord, MessageRecorded, MessageStatus,
        MessageValidation, PayloadKind, Repetition, StoreError,
    },
    types::{Mode, sha256_hex},
};

/// There is one network: its messages are Live.
const MODE: Mode = Mode::Live;
/// Maximum bytes of an envelope after decompression.
pub(super) const MOST_ENVELOPE_BYTES: usize = 100 * 1024 * 1024;
/// The time limit for an answer. It is shorter than the gateway's time limit.
const ANSWER_WITHIN: Duration = Duration::from_secs(25);
/// The largest envelope of a status message that is validated before the receipt. Those of the network have a few
/// kilobytes.
pub(crate) const AT_ONCE_BYTES: usize = 64 * 1024;
/// The time limit of that validation.
const AT_ONCE_WITHIN: Duration = Duration::from_secs(5);

/// The answer to a sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Our signal, a receipt or an error, with status 200 and [`as4::SIGNAL_CONTENT_TYPE`].
    Signal(Vec<u8>),
    /// Status 503 without a body. The sender may repeat the message.
    Unavailable,
}

/// Why no receipt is sent.
enum Withheld {
    /// The message breaks a rule.
    Refused(Refusal),
    /// It is our own fault, or another worker has the message.
    Unavailable(String),
}

impl From<Refusal> for Withheld {
    fn from(refusal: Refusal) -> Self {
        // Our own fault, which the sender need not know.
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

/// Receives a message: the body of a request and its Content-Type.
pub async fn receive(receiving: &Receiving, content_type: &str, body: Bytes) -> Answer {
    receive_within(receiving, content_type, body, ANSWER_WITHIN).await
}

/// Like [`receive`], with a given time limit.
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
        Ok((network, signer.ok_or("no certificate of this service is valid now")?))
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
    tracing::error!(error.cause = cause, "a message could not be accepted");
    Answer::Unavailable
}

/// What receiving a message needs.
struct Taking<'a> {
    ctx: &'a Context,
    bucket: &'a Bucket,
    network: &'a Network,
    signer: &'a dyn Signer,
}

impl Taking<'_> {
    /// Stores a message and returns its receipt.
    async fn take(&self, content_type: &str, body: Bytes) -> Result<Vec<u8>, Withheld> {
        // Opened from a copy, since the original bytes are evidence.
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

    /// Our receipt for a message.
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

    /// Stores a message unless it is stored already. Returns its receipt.
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
            status: MessageStatus::Received,
            sent_at: received.header.timestamp,
            received_at: now,
            message: None,
            envelope: None,
            receipt: None,
            lease: None,
            tries: 0,
        };
        let exchange = exchange_counts::received(header, &received.header.from, now);
        let found = match self.ctx.store.find_repetition(MODE, &new, now).await? {
            // Boxed: without optimization its state does not fit a stack with all that calls it.
            None => {
                let parts = (message, payload, &envelope);
                Box::pin(self.store(new, received, parts, &exchange)).await?
            }
            Some(repetition) => Err(repetition),
        };
        match found {
            Ok(receipt) => Ok(receipt),
            Err(Repetition::Stored) => {
                tracing::info!("a repeated message was received");
                self.receipt(received).await
            }
            Err(Repetition::Held) => {
                Err(Withheld::Unavailable("another worker is processing it".to_owned()))
            }
            Err(Repetition::MessageIdUsed) => {
                Err(refused(Rule::MessageIdUsed, received.header.message_id.as_str()))
            }
            Err(Repetition::InstanceIdUsed) => {
                Err(refused(Rule::InstanceIdUsed, header.instance_id.as_str()))
            }
        }
    }

    /// Signs the receipt for a message, stores and records both. The message is the request's body, the bytes of its
    /// envelope, and the envelope as it was read. Returns the receipt, or what another worker recorded meanwhile.
    async fn store(
        &self,
        new: MessageRecord,
        received: &Received,
        (message, bytes, envelope): (Bytes, &[u8], &Envelope<'_>),
        exchange: &CountedExchange,
    ) -> Result<Result<Vec<u8>, Repetition>, Withheld> {
        let (hash, addressee) = (new.hash(), &new.addressee);
        if let Addressee::Taxpayer { taxpayer_id, document_id } = addressee {
            log::note(Field::TaxpayerId, taxpayer_id);
            log::note(Field::DocumentId, document_id);
        }
        let receipt = self.receipt(received).await?;
        let payloads = [
            (PayloadKind::Message, message),
            (PayloadKind::Envelope, Bytes::copy_from_slice(bytes)),
            (PayloadKind::Receipt, Bytes::copy_from_slice(&receipt)),
        ];
        let (claimed, stored) = tokio::try_join!(
            self.ctx.store.claim_message_id(MODE, &new),
            self.bucket.put_received(MODE, &hash, addressee, payloads),
        )?;
        if let Some(used) = claimed {
            return Ok(Err(used));
        }
        let [message, stored_envelope, signed] = stored.map(Some);
        let new = MessageRecord { message, envelope: stored_envelope, receipt: signed, ..new };
        let later = || MessageValidation::Due(Due::queued(self.ctx.now()));
        let validation = match &new.addressee {
            Addressee::Provider if bytes.len() <= AT_ONCE_BYTES => {
                self.validate(&new, envelope).await
            }
            _ => None,
        };
        let validation = validation.unwrap_or_else(later);
        let record = async |validation: &MessageValidation| {
            self.ctx.store.record_message(MODE, &new, exchange, validation).await
        };
        let (recorded, status) = match (record(&validation).await?, validation) {
            (MessageRecorded::Outdated, MessageValidation::Done(_)) => {
                tracing::info!("a status message is validated later: its subject has changed");
                (record(&later()).await?, None)
            }
            (recorded, MessageValidation::Done(status)) => (recorded, status),
            (recorded, MessageValidation::Due(_)) => (recorded, None),
        };
        match recorded {
            MessageRecorded::Done => {}
            MessageRecorded::Repeated(repetition) => return Ok(Err(repetition)),
            MessageRecorded::Outdated => {
                return Err(Withheld::Unavailable("the message was not recorded".to_owned()));
            }
        }
        tracing::info!("a message was received");
        if let Some(status) = &status {
            mls_inbound::note(status);
        }
        Ok(Ok(receipt))
    }

    /// Validates a status message before its receipt. `None` when that takes too long or fails: then the message is
    /// validated later, by a job.
    async fn validate(
        &self,
        new: &MessageRecord,
        envelope: &Envelope<'_>,
    ) -> Option<MessageValidation> {
        let of = (self.ctx, self.bucket);
        let validated = Box::pin(mls_inbound::validate(of, MODE, new, envelope));
        match tokio::time::timeout(AT_ONCE_WITHIN, validated).await {
            Ok(Ok(StatusValidation::Ends(status))) => Some(MessageValidation::Done(status)),
            Ok(Ok(StatusValidation::Waits(until))) => {
                Some(MessageValidation::Due(Due::begins(until, self.ctx.now())))
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "a status message is validated later");
                None
            }
            Err(_) => {
                tracing::warn!("a status message is validated later: that takes too long now");
                None
            }
        }
    }

    /// A new id for one of our signals.
    fn own_id(&self) -> Result<MessageId, String> {
        let id = self.network.new_message_id(self.ctx);
        id.parse().map_err(|error: as4::MessageIdError| error.to_string())
    }
}
