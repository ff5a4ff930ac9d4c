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
            Anchors, Certificate, LocalKey, RevocationList, Revocations, Role, Signer, Trust,
            TrustError, Trusted,
        },
        sbdh,
    },
    types::{Clock, Random, SystemClock, SystemRandom},
};
use serde_json::{Value, json};

use crate::{Result, http::Client};

/// A seat with its key, and the authorities of the network.
pub(crate) struct Peer {
    pub(crate) key: LocalKey,
    pub(crate) trust: Trust,
    lists: PathBuf,
    /// What every check uses, read once.
    revocations: Revocations,
}

impl Peer {
    pub(crate) fn new(pki: &Path, seat: &str) -> Result<Self> {
        let file = |name: &str| {
            let path = pki.join(name);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let certificate = Certificate::from_pem(&file(&format!("{seat}.pem"))?)?;
        let lists = pki.join("crl");
        let revocations = published(&certificate, &lists)?;
        let [access_points, publishers] = [file("ap-trust.pem")?, file("smp-trust.pem")?];
        let anchors = Anchors::local(access_points.as_bytes(), publishers.as_bytes())?;
        Ok(Peer {
            key: LocalKey::from_pem(&file(&format!("{seat}.key.pem"))?, certificate)?,
            trust: Trust::new(anchors),
            lists,
            revocations,
        })
    }

    pub(crate) fn trusted(
        &self,
        certificate: &Certificate,
        role: Role,
    ) -> std::result::Result<Trusted, TrustError> {
        self.trust.check(certificate, role, SystemClock.now(), &self.revocations)
    }

    /// All lists of the network, for who keeps them.
    pub(crate) fn revocations(&self) -> Revocations {
        published(Signer::certificate(&self.key), &self.lists).unwrap_or_default()
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
        client: &mut Client,
        url: &str,
        receiver: &Trusted,
        envelope: &[u8],
        ping: bool,
        message_id: Option<&str>,
    ) -> Result<Value> {
        let id = message_id.map_or_else(new_id, |id| Ok(id.parse()?))?;
        let (built, sent) = self.build(receiver, envelope, ping, id).await?;
        let bytes = built.body.len();
        let mut told = match client.post(url, &built.content_type, built.body).await {
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

/// The lists in a folder, each under the address that certificates of the network name it by.
fn published(certificate: &Certificate, folder: &Path) -> Result<Revocations> {
    let urls = certificate.crl_urls();
    let base = urls.first().and_then(|url| Some(url.as_str().rsplit_once('/')?.0));
    let base = base.ok_or("the own certificate points to no revocation list")?;
    let mut lists = Revocations::default();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let list = RevocationList::from_der(&fs::read(file.path())?)?;
        lists = lists.with_list(&format!("{base}/{}", file.file_name().to_string_lossy()), list);
    }
    Ok(lists)
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
