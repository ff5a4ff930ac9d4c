//! The access point.

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::header::CONTENT_TYPE,
    response::Response,
};

use super::{Taken, Takes, TestNetwork, status};
use crate::{
    peppol::{
        as4::{self, MessageId, Refusal, Rule},
        pki::{
            Role,
            testing::{PKI, now, ready},
        },
        sbdh,
    },
    webhook::receiver::Fate,
};

pub(super) async fn take(
    State(network): State<TestNetwork>,
    headers: axum::http::HeaderMap,
    body: Bytes,
) -> Response {
    let takes = {
        let mut days = network.days.lock().unwrap();
        days.came += 1;
        if days.first.is_empty() { days.takes.clone() } else { days.first.remove(0) }
    };
    let guard = network.days.lock().unwrap().guard.clone();
    let fate = guard.map_or(Fate::Taken, |guard| guard());
    if fate == Fate::Refused {
        return status(503);
    }
    let content_type = headers[CONTENT_TYPE].to_str().unwrap();
    let opened = as4::open(content_type, body.to_vec()).unwrap();
    let signer = PKI.trusted(opened.signer(), Role::AccessPoint);
    let key = PKI.seat(network.seat).key();
    let received = ready(opened.verify(&signer, &[&key], 1 << 24)).unwrap();
    let sbdh = received.payload.clone().unwrap();
    let envelope = sbdh::read(&sbdh).unwrap();
    received.header.check_against(&envelope.header).unwrap();
    let refused =
        |rule| Refusal::new(rule, "a test").about(Some(received.header.message_id.clone()));
    let id: MessageId = "answer@their.test".parse().unwrap();
    let soap = |bytes: Vec<u8>| {
        let response = Response::builder().header(CONTENT_TYPE, as4::SIGNAL_CONTENT_TYPE);
        response.body(Body::from(bytes)).unwrap()
    };
    match takes {
        Takes::Refuses(rule) => {
            return soap(ready(as4::error(&refused(rule), Some(&key), &id, now())).unwrap());
        }
        Takes::CallsDuplicate => {
            let id_of = Some(received.header.message_id.clone());
            let refusal = Refusal::new(Rule::Sbdh, "a duplicate").about(id_of);
            return soap(ready(as4::error(&refusal, Some(&key), &id, now())).unwrap());
        }
        Takes::RefusesUnsigned(rule) => {
            return soap(ready(as4::error(&refused(rule), None, &id, now())).unwrap());
        }
        Takes::Status(code) => return status(code),
        _ => {}
    }
    let taken = Taken {
        message_id: received.header.message_id.to_string(),
        instance_id: envelope.header.instance_id.to_string(),
        sbdh: sbdh.clone(),
    };
    let times = if fate == Fate::TakenTwice { 2 } else { 1 };
    network.days.lock().unwrap().taken.extend(std::iter::repeat_n(taken, times));
    if fate == Fate::Unanswered {
        std::panic::resume_unwind(Box::new("hangs up"));
    }
    let mut received = received;
    if takes == Takes::AndConfirmsAnother {
        received.header.message_id = "another@our.test".parse().unwrap();
    }
    let receipt = ready(as4::receipt(&received, &key, &id, now())).unwrap();
    match takes {
        Takes::AndHangsUp => {
            // A panic ends the connection's task, and so the connection.
            std::panic::resume_unwind(Box::new("hangs up"))
        }
        Takes::AndAnswers(code, kind, text) => Response::builder()
            .status(code)
            .header(CONTENT_TYPE, kind)
            .body(Body::from(text))
            .unwrap(),
        Takes::AndSpoilsReceipt => {
            let text = String::from_utf8(receipt).unwrap();
            soap(text.replacen("<ds:DigestValue>", "<ds:DigestValue>AAAA", 1).into_bytes())
        }
        Takes::AndSignsNothing => {
            let text = String::from_utf8(receipt).unwrap();
            let (before, signed) = text.split_once("<wsse:Security").unwrap();
            let (_, after) = signed.split_once("</wsse:Security>").unwrap();
            soap(format!("{before}{after}").into_bytes())
        }
        Takes::AndBreaksOff => soap(receipt[..receipt.len() / 2].to_vec()),
        Takes::After(time) => {
            tokio::time::sleep(time).await;
            soap(receipt)
        }
        _ => soap(receipt),
    }
}
