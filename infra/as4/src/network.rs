//! SMPs: that of others read, one of ours to be read.

use std::{collections::HashMap, sync::Arc};

use access_point::{
    peppol::{
        identifiers::{DocumentType, Process, participant_uri, segment_text},
        lookup::{Answer, Ask, AskError, Naptr, Query, Terms, find},
        pki::{Certificate, Revocations, Role},
        smp::{
            MAX_BYTES, Reach, ServiceEndpoint, ServiceGroup, ServiceInformation, ServiceMetadata,
            ServiceProcess,
        },
    },
    types::{Clock, ParticipantId, SystemClock},
};
use axum::http::{StatusCode, Uri};
use serde_json::{Value, json};

use crate::{Result, http::Client, peer::Peer};

/// DNS names one SMP, whoever is asked for.
struct Network<'a> {
    smp: &'a str,
    peer: &'a Peer,
}

impl Ask for Network<'_> {
    async fn naptr(&self, _name: &str) -> std::result::Result<Vec<Naptr>, AskError> {
        let regexp = format!("!.*!{}!", self.smp);
        let (flags, services) = ("U".to_owned(), "Meta:SMP".to_owned());
        Ok(vec![Naptr { order: 1, preference: 1, flags, services, regexp }])
    }

    async fn get(&self, url: &str) -> std::result::Result<Answer, AskError> {
        // A byte more than is read tells that there is more.
        let answer = Client::default().get(url, MAX_BYTES + 1).await;
        let answer = answer.map_err(|error| AskError(error.to_string()))?;
        Ok(Answer { status: answer.status, body: answer.body })
    }

    async fn revocations(&self, _certificate: &Certificate, _role: Role) -> Revocations {
        self.peer.revocations()
    }
}

/// The endpoint for a document, or how the lookup ended.
pub(crate) async fn lookup(
    peer: &Peer,
    smp: &str,
    participant: &str,
    document_type: &str,
    process: &str,
) -> Result<Value> {
    let query = Query {
        participant: participant.parse()?,
        document_type: document_type.parse()?,
        process: Process::new(Process::SCHEME, process)?,
        sought: None,
    };
    let terms = Terms {
        zone: "sml.example",
        reach: Reach::Loopback,
        trust: &peer.trust,
        now: SystemClock.now(),
    };
    Ok(match find(&Network { smp, peer }, &query, &terms).await {
        Ok(found) => json!({
            "outcome": "found",
            "address": found.address,
            "seat": found.certificate.common_name(),
            "registration": found.registration.to_string(),
            "steps": found.steps,
        }),
        Err(error) => json!({"outcome": error.code(), "why": error.to_string()}),
    })
}

/// Serves a participant's ServiceGroup and SignedServiceMetadata, signed with the peer's key, until it is ended.
pub(crate) async fn publish(
    peer: &Peer,
    participant: &str,
    address: &str,
    receiver: &str,
    port: u16,
) -> Result<()> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    let base = format!("http://{}", listener.local_addr()?);
    let participant: ParticipantId = participant.parse()?;
    let receiver = Certificate::from_pem(receiver)?;
    let pages = Arc::new(pages(peer, &participant, address, &receiver, &base).await?);
    let handler = move |uri: Uri| async move {
        // Clients encode what need not be, or leave it.
        let path = segment_text(uri.path()).and_then(|path| pages.get(&*path).cloned());
        let status = if path.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
        (status, [("content-type", "text/xml; charset=UTF-8")], path.unwrap_or_default())
    };
    println!("listening {}", listener.local_addr()?);
    Ok(axum::serve(listener, axum::Router::new().fallback(handler)).await?)
}

/// Every document, by its path.
async fn pages(
    peer: &Peer,
    participant: &ParticipantId,
    address: &str,
    receiver: &Certificate,
    base: &str,
) -> Result<HashMap<String, String>> {
    let registered = [
        (DocumentType::INVOICE, Process::BILLING),
        (DocumentType::CREDIT_NOTE, Process::BILLING),
        (DocumentType::SELF_BILLED_INVOICE, Process::SELF_BILLING),
        (DocumentType::SELF_BILLED_CREDIT_NOTE, Process::SELF_BILLING),
    ]
    .map(|(document_type, process)| (document_type.registration(), process));
    let document_types = registered.iter().map(|(one, _)| one.clone()).collect();
    let group = ServiceGroup { participant: participant.clone(), document_types };
    let path = format!("/{}", participant_uri(participant));
    let mut pages = HashMap::from([(path.clone(), group.write(base))]);
    for (document_type, process) in registered {
        let endpoint = ServiceEndpoint::ours(address, receiver, "https://as4-peer.example");
        let page = format!("{path}/services/{document_type}");
        let metadata = ServiceMetadata::Information(ServiceInformation {
            participant: participant.clone(),
            document_type,
            processes: vec![ServiceProcess { process, endpoints: vec![endpoint] }],
        });
        pages.insert(page, metadata.sign(&peer.key).await?);
    }
    Ok(pages)
}
