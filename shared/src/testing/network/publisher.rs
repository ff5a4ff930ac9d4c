//! The SMP.

use axum::{
    body::Body,
    extract::{Path, State},
    http::header::CONTENT_TYPE,
    response::Response,
};

use super::{Publishes, TestNetwork, status};
use crate::{
    peppol::{
        identifiers::{DocumentType, Process, segment_text},
        pki::testing::{Flaw, PKI},
        smp::{ServiceEndpoint, ServiceGroup, ServiceInformation, ServiceMetadata, ServiceProcess},
    },
    types::ParticipantId,
};

fn xml(text: String) -> Response {
    Response::builder()
        .header(CONTENT_TYPE, "text/xml;charset=UTF-8")
        .body(Body::from(text))
        .unwrap()
}

impl TestNetwork {
    fn participant(&self, segment: &str) -> Option<ParticipantId> {
        let text = segment_text(segment).unwrap();
        let value = text.split_once("::").unwrap().1;
        self.participants.lock().unwrap().get(value).cloned()
    }

    async fn publishing(&self) -> Publishes {
        let publishes = {
            let mut days = self.days.lock().unwrap();
            days.asked += 1;
            days.publishes.clone()
        };
        if let Publishes::After(time) = publishes {
            tokio::time::sleep(time).await;
        }
        publishes
    }
}

pub(super) async fn group(
    State(network): State<TestNetwork>,
    Path(participant): Path<String>,
) -> Response {
    let document_types = match network.publishing().await {
        Publishes::Status(code) => return status(code),
        Publishes::Garbage => return xml("<html><body>Welcome".to_owned()),
        Publishes::OtherDocuments => vec![DocumentType::TAX_DATA],
        Publishes::Registrations(registrations) => registrations,
        _ => [
            DocumentType::INVOICE,
            DocumentType::CREDIT_NOTE,
            DocumentType::SELF_BILLED_INVOICE,
            DocumentType::SELF_BILLED_CREDIT_NOTE,
        ]
        .iter()
        .map(DocumentType::registration)
        .chain([
            DocumentType::MESSAGE_LEVEL_STATUS,
            DocumentType::TAX_DATA,
            DocumentType::TRANSACTION_STATISTICS,
            DocumentType::END_USER_STATISTICS,
        ])
        .collect(),
    };
    let Some(participant) = network.participant(&participant) else { return status(404) };
    let group = ServiceGroup { participant, document_types };
    xml(group.write(&network.smp_url()))
}

pub(super) async fn metadata(
    State(network): State<TestNetwork>,
    Path((participant, document)): Path<(String, String)>,
) -> Response {
    let publishes = network.publishing().await;
    let Some(participant) = network.participant(&participant) else { return status(404) };
    let document_type: DocumentType = document.parse().unwrap();
    network.days.lock().unwrap().registrations.push(document_type.clone());
    let flaw = match &publishes {
        Publishes::Status(code) => return status(*code),
        Publishes::Flawed(flaw) => *flaw,
        _ => Flaw::None,
    };
    let address = match &publishes {
        Publishes::At(address) => address.clone(),
        _ => network.address(),
    };
    let certificate = PKI.issue(&PKI.ap, network.seat, flaw).certificate;
    let endpoint = ServiceEndpoint::ours(&address, &certificate, "mailto:ap@example.com");
    let process = |process| ServiceProcess { process, endpoints: vec![endpoint.clone()] };
    let metadata = ServiceMetadata::Information(ServiceInformation {
        participant,
        document_type,
        processes: [
            Process::BILLING,
            Process::SELF_BILLING,
            Process::MESSAGE_LEVEL_STATUS,
            Process::TAX_REPORTING,
            Process::NETWORK_REPORTING,
        ]
        .map(process)
        .to_vec(),
    });
    let signer = match publishes {
        Publishes::Foreign => PKI.issue(&PKI.foreign, "PAE000901", Flaw::None),
        _ => PKI.publisher(),
    };
    xml(metadata.sign(&signer.key()).await.unwrap())
}
