//! Who we are, whom we trust, and what we send.

use std::{
    fs,
    path::{Path, PathBuf},
};

use access_point::{
    peppol::{
        as4::{
            Answer, Authenticity, Built, Freight, MessageId, Outgoing, Participants, Rejection,
            Sent, SignedReceipt, build, read_answer,
        },
        pki::{
            Anchors, Certificate, LocalKey, RevocationList, Revocations, Role, Trust, TrustError,
            Trusted,
        },
        sbdh,
    },
    types::{Clock, Random, SystemClock, SystemRandom},
};
use serde_json::{Value, json};

use crate::{Result, http};

/// A seat with its key, and the authorities of the network.
pub(crate) struct Peer {
    pub(crate) key: LocalKey,
    pub(crate) trust: Trust,
    lists: PathBuf,
}

impl Peer {
    pub(crate) fn new(pki: &Path, seat: &str) -> Result<Self> {
        let file = |name: &str| {
            let path = pki.join(name);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let certificate = Certificate::from_pem(&file(&format!("{seat}.pem"))?)?;
        let [access_points, publishers] = [file("ap-trust.pem")?, file("smp-trust.pem")?];
        let anchors = Anchors::local(access_points.as_bytes(), publishers.as_bytes())?;
        Ok(Peer {
            key: LocalKey::from_pem(&file(&format!("{seat}.key.pem"))?, certificate)?,
            trust: Trust::new(anchors),
            lists: pki.join("crl"),
        })
    }

    pub(crate) fn trusted(
        &self,
        certificate: &Certificate,
        role: Role,
    ) -> std::result::Result<Trusted, TrustError> {
        self.trust.check(certificate, role, SystemClock.now(), &self.revocations(certificate))
    }

    /// The lists that a certificate points to, as far as they are there: the trust says what it means when one is not.
    pub(crate) fn revocations(&self, certificate: &Certificate) -> Revocations {
        let lists = certificate.crl_urls().into_iter().filter_map(|url| {
            let name = url.rsplit('/').next()?;
            let list = RevocationList::from_der(&fs::read(self.lists.join(name)).ok()?).ok()?;
            Some((url, list))
        });
        lists.fold(Revocations::default(), |known, (url, list)| known.with_list(&url, list))
    }

    /// The access point whose certificate this is.
    pub(crate) fn receiver(&self, pem: &str) -> Result<Trusted> {
        Ok(self.trusted(&Certificate::from_pem(pem)?, Role::AccessPoint)?)
    }

    /// A message around an envelope, for whom that says.
    pub(crate) async fn build(
        &self,
        receiver: &Trusted,
        envelope: &[u8],
        ping: bool,
        message_id: MessageId,
    ) -> Result<(Built, Sent)> {
        let header = sbdh::read(envelope)?.header;
        let participants =
            Participants { original_sender: header.sender, final_recipient: header.receiver };
        let document_type = header.document.document_type();
        let freight = match ping {
            true => Freight::Ping,
            false => Freight::Document { document_type, process: &header.process },
        };
        let outgoing = Outgoing {
            message_id: &message_id,
            conversation_id: message_id.as_str(),
            timestamp: SystemClock.now(),
            receiver,
            participants: &participants,
            freight,
        };
        let built = build(&outgoing, envelope, &self.key, &SystemRandom).await?;
        let receiver = receiver.common_name().parse()?;
        let references = built.references.clone();
        Ok((built, Sent { message_id, receiver, references }))
    }

    /// Sends an envelope and tells what came of it.
    pub(crate) async fn send(
        &self,
        url: &str,
        receiver: &str,
        envelope: &[u8],
        ping: bool,
        message_id: Option<&str>,
    ) -> Result<Value> {
        let receiver = match self.receiver(receiver) {
            Ok(receiver) => receiver,
            Err(error) => return Ok(json!({"outcome": "not_sent", "why": error.to_string()})),
        };
        let id = message_id.map_or_else(new_id, |id| Ok(id.parse()?))?;
        let (built, sent) = self.build(&receiver, envelope, ping, id).await?;
        let bytes = built.body.len();
        let mut told = match http::post(url, &built.content_type, &built.body) {
            Err(error) => json!({"outcome": "nothing", "why": error.to_string()}),
            Ok(response) => {
                let answer = read_answer(response.status, &response.content_type, &response.body);
                match answer {
                    Answer::Receipt(receipt) => self.receipt(&receipt, &sent),
                    Answer::Rejected(rejection) => self.rejection(&rejection, &sent),
                    Answer::Nothing(silence) => {
                        json!({"outcome": "nothing", "why": silence.to_string()})
                    }
                }
            }
        };
        told["message_id"] = json!(sent.message_id);
        told["bytes"] = json!(bytes);
        Ok(told)
    }

    fn receipt(&self, receipt: &SignedReceipt, sent: &Sent) -> Value {
        let verified = self
            .trusted(receipt.signer(), Role::AccessPoint)
            .map_err(|error| error.to_string())
            .and_then(|signer| receipt.verify(&signer, sent).map_err(|error| error.to_string()));
        match verified {
            Ok(confirmed) => json!({"outcome": "receipt verified", "by": confirmed.by}),
            Err(why) => json!({"outcome": "bad receipt", "why": why}),
        }
    }

    fn rejection(&self, rejection: &Rejection, sent: &Sent) -> Value {
        let signer =
            rejection.signer().and_then(|signer| self.trusted(signer, Role::AccessPoint).ok());
        let proven = signer.is_some_and(|signer| rejection.verify(&signer, sent).is_ok());
        let by = if proven { Authenticity::Proven } else { Authenticity::Unproven };
        json!({
            "outcome": "rejected",
            "errors": rejection.errors(),
            "proven": proven,
            "verdict": rejection.verdict(by),
        })
    }
}

/// An id for a message or a signal.
pub(crate) fn new_id() -> Result<MessageId> {
    Ok(format!("{}@as4-peer.example", random_uuid()).parse()?)
}

pub(crate) fn random_uuid() -> String {
    let mut bytes = [0; 16];
    SystemRandom.fill(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
}
