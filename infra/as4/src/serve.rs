//! The receiving side: opened, proven, claimed, told, and only then confirmed.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use access_point::{
    peppol::{
        as4::{
            Digest, MessageId, Received, Refusal, Rule, SIGNAL_CONTENT_TYPE, error, open, receipt,
        },
        identifiers::{DocumentType, InstanceId, SeatId, Spid, matches},
        pki::Role,
        sbdh::{self, Envelope},
    },
    types::{Clock, ParticipantId, SystemClock},
};
use axum::{
    body::Bytes,
    extract::DefaultBodyLimit,
    http::{HeaderMap, StatusCode},
};
use serde_json::{Value, json};

use crate::{
    MOST_ENVELOPE_BYTES, Result,
    peer::{Peer, new_id},
};

/// Bytes of a request at most: an envelope that does not compress, in base64.
const MOST_REQUEST_BYTES: usize = MOST_ENVELOPE_BYTES * 3 / 2;

/// For whom messages are taken, and which.
pub(crate) struct Served {
    participants: Vec<ParticipantId>,
    registrations: Vec<DocumentType>,
    /// What the access point itself takes beside statuses.
    provider: Vec<DocumentType>,
}

impl Served {
    /// The four documents of PINT-AE with what extends them, and `more` document types, which the access point takes for
    /// itself, too.
    pub(crate) fn read(participants: &[String], more: &[String]) -> Result<Self> {
        let participants: std::result::Result<_, _> =
            participants.iter().map(|one| one.parse()).collect();
        let more: std::result::Result<Vec<DocumentType>, _> =
            more.iter().map(|one| one.parse()).collect();
        let mut registrations: Vec<_> = [
            DocumentType::INVOICE,
            DocumentType::CREDIT_NOTE,
            DocumentType::SELF_BILLED_INVOICE,
            DocumentType::SELF_BILLED_CREDIT_NOTE,
        ]
        .map(|document_type| document_type.registration())
        .into();
        let provider = more?;
        registrations.extend(provider.iter().cloned());
        Ok(Served { participants: participants?, registrations, provider })
    }

    fn check(&self, us: &str, envelope: &Envelope<'_>) -> std::result::Result<(), Refusal> {
        let header = &envelope.header;
        let document_type = header.document.document_type();
        let provider = us.parse::<SeatId>().ok().map(|seat| seat.spid().clone());
        if Spid::try_from(&header.receiver).is_ok_and(|receiver| Some(receiver) == provider) {
            let taken = *document_type == DocumentType::MESSAGE_LEVEL_STATUS
                || self.provider.contains(document_type);
            return match taken {
                true => Ok(()),
                false => Err(Refusal::new(Rule::NotServiced, document_type.to_string())),
            };
        }
        if !self.participants.contains(&header.receiver) {
            return Err(Refusal::new(Rule::NotServiced, header.receiver.to_string()));
        }
        match matches(&self.registrations, document_type) {
            Some(_) => Ok(()),
            None => Err(Refusal::new(Rule::NotServiced, document_type.to_string())),
        }
    }
}

/// What was taken before.
#[derive(Default)]
struct Claims {
    ids: HashMap<(SeatId, MessageId), InstanceId>,
    envelopes: HashMap<InstanceId, (SeatId, Digest)>,
}

impl Claims {
    /// Whether the message came before; an error when it is another one than came under its ids.
    fn claim(
        &mut self,
        received: &Received,
        envelope: &Envelope<'_>,
        digest: Digest,
    ) -> std::result::Result<bool, Refusal> {
        let header = &received.header;
        let instance_id = envelope.header.instance_id.clone();
        let this = (header.from.clone(), digest);
        let id = (header.from.clone(), header.message_id.clone());
        if self.ids.get(&id).is_some_and(|other| *other != instance_id) {
            return Err(Refusal::new(Rule::MessageIdUsed, header.message_id.as_str()));
        }
        let again = match self.envelopes.entry(instance_id.clone()) {
            Entry::Occupied(other) if *other.get() != this => {
                return Err(Refusal::new(Rule::InstanceIdUsed, instance_id.as_str()));
            }
            Entry::Occupied(_) => true,
            Entry::Vacant(free) => {
                free.insert(this);
                false
            }
        };
        self.ids.insert(id, instance_id);
        Ok(again)
    }
}

/// Where what came is kept.
pub(crate) struct Kept<'a> {
    /// The file that what happens is told to, instead of standard output.
    pub(crate) out: Option<&'a Path>,
    /// The folder for the envelopes, each INSTANCE_ID.xml. It is there before the message is told and confirmed.
    pub(crate) envelopes: Option<PathBuf>,
}

struct Server {
    peer: Peer,
    served: Served,
    claims: Mutex<Claims>,
    out: Option<Mutex<File>>,
    envelopes: Option<PathBuf>,
}

impl Server {
    /// The signal that answers a request.
    async fn answer(&self, content_type: &str, body: Vec<u8>) -> Result<Vec<u8>> {
        let (id, now, key) = (new_id()?, SystemClock.now(), &self.peer.key);
        match self.receive(content_type, body).await {
            Ok((received, payload, told)) => {
                self.keep(&told, &payload)?;
                self.tell(&told)?;
                Ok(receipt(&received, key, &id, now).await?)
            }
            Err(refusal) => {
                let rule = refusal.rule();
                self.tell(&json!({
                    "accepted": false,
                    "code": rule.code().number(),
                    "rule": rule.id(),
                    "why": refusal.to_string(),
                    "message_id": refusal.message_id(),
                }))?;
                Ok(error(&refusal, Some(key), &id, now).await?)
            }
        }
    }

    async fn receive(
        &self,
        content_type: &str,
        body: Vec<u8>,
    ) -> std::result::Result<(Received, Vec<u8>, Value), Refusal> {
        let opened = open(content_type, body)?;
        let signer = self.peer.trusted(opened.signer(), Role::AccessPoint).map_err(|error| {
            let refusal = Refusal::new(Rule::UntrustedSigner, error.to_string());
            refusal.about(Some(opened.message_id().clone()))
        })?;
        let mut received = opened.verify(&signer, &[&self.peer.key], MOST_ENVELOPE_BYTES).await?;
        let about = Some(received.header.message_id.clone());
        let payload = received.payload.take().unwrap_or_default();
        let told = self.take(&received, &payload).map_err(|refusal| refusal.about(about))?;
        Ok((received, payload, told))
    }

    /// Claims what was received, and what is to be told of it.
    fn take(&self, received: &Received, payload: &[u8]) -> std::result::Result<Value, Refusal> {
        let header = &received.header;
        let digest = Digest::of(payload);
        let mut told = json!({
            "accepted": true,
            "message_id": header.message_id,
            "from": header.from,
            "ping": received.is_ping(),
            "bytes": payload.len(),
            "sha256": digest,
        });
        if received.is_ping() {
            return Ok(told);
        }
        let envelope =
            sbdh::receive(payload).map_err(|error| Refusal::new(Rule::Sbdh, error.to_string()))?;
        header.check_against(&envelope.header)?;
        self.served.check(header.to.as_str(), &envelope)?;
        let again = locked(&self.claims).claim(received, &envelope, digest)?;
        told["again"] = json!(again);
        told["sender"] = json!(envelope.header.sender);
        told["receiver"] = json!(envelope.header.receiver);
        told["instance_id"] = json!(envelope.header.instance_id);
        told["document_type"] = json!(envelope.header.document.document_type().to_string());
        Ok(told)
    }

    fn keep(&self, told: &Value, payload: &[u8]) -> Result<()> {
        let (Some(folder), Some(name)) = (&self.envelopes, told["instance_id"].as_str()) else {
            return Ok(());
        };
        // The identifier is the sender's, and may hold what leads out of the folder.
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(format!("{name} is no name of a file").into());
        }
        let (whole, partial) =
            (folder.join(format!("{name}.xml")), folder.join(format!("{name}.partial")));
        fs::write(&partial, payload)?;
        Ok(fs::rename(partial, whole)?)
    }

    fn tell(&self, told: &Value) -> Result<()> {
        match &self.out {
            None => println!("{told}"),
            // In one piece: whoever reads meanwhile, or after this was killed, finds whole lines.
            Some(out) => locked(out).write_all(format!("{told}\n").as_bytes())?,
        }
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) async fn serve(peer: Peer, served: Served, port: u16, kept: Kept<'_>) -> Result<()> {
    let append = |path| OpenOptions::new().create(true).append(true).open(path);
    let out = kept.out.map(append).transpose()?.map(Mutex::new);
    let envelopes = kept.envelopes;
    let server = Arc::new(Server { peer, served, claims: Mutex::default(), out, envelopes });
    let handler = move |headers: HeaderMap, body: Bytes| async move {
        let content_type = headers.get("content-type").and_then(|value| value.to_str().ok());
        let answer = server.answer(content_type.unwrap_or_default(), body.into()).await;
        let (status, signal) = answer.map_or_else(
            |error| {
                println!("{}", json!({"error": error.to_string()}));
                (StatusCode::SERVICE_UNAVAILABLE, Vec::new())
            },
            |signal| (StatusCode::OK, signal),
        );
        (status, [("content-type", SIGNAL_CONTENT_TYPE)], signal)
    };
    let app =
        axum::Router::new().fallback(handler).layer(DefaultBodyLimit::max(MOST_REQUEST_BYTES));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening {}", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
