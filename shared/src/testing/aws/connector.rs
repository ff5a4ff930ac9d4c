//! A connector that can fail like a network.

use std::sync::Arc;

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
    },
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
    runtime_components::RuntimeComponents,
};
use serde_json::{Value, json};

use super::{
    Cloud,
    faults::{Fault, Faults},
    services::response,
};
use crate::testing::crash::Mishap;

#[derive(Debug)]
pub(super) struct Client {
    pub(super) cloud: Cloud,
    pub(super) faults: Option<Arc<Faults>>,
}

impl HttpClient for Client {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            cloud: self.cloud.clone(),
            faults: self.faults.clone(),
            network: self.cloud.network.http_connector(settings, components),
        })
    }
}

#[derive(Debug, Clone)]
struct Connector {
    pub(super) cloud: Cloud,
    pub(super) faults: Option<Arc<Faults>>,
    network: SharedHttpConnector,
}

impl Connector {
    fn perform(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        self.cloud.note_writes(&target, &request);
        if request.uri().starts_with("http://s3.test") {
            let (status, body) = self.cloud.s3(&request);
            let mut response = response(status, body);
            response.headers_mut().insert("last-modified", LAST_MODIFIED);
            HttpConnectorFuture::ready(Ok(response))
        } else if request.uri().starts_with("http://sqs.test") {
            let (status, body) = self.cloud.sqs(&request);
            HttpConnectorFuture::ready(Ok(response(status, body)))
        } else if request.uri().starts_with("http://ses.test") {
            HttpConnectorFuture::ready(Ok(self.cloud.ses(&request)))
        } else {
            self.network.call(request)
        }
    }

    /// A call of a process with a crash point.
    fn befalls(&self, faults: Arc<Faults>, request: HttpRequest) -> HttpConnectorFuture {
        // Equal for all retries of the SDK.
        let effect = request.headers().get("amz-sdk-invocation-id").unwrap().to_owned();
        let connector = self.clone();
        let mishap = faults.crash.as_ref().unwrap().befalls(&effect);
        match mishap {
            Err(()) => HttpConnectorFuture::new(std::future::pending()),
            Ok(None) => self.perform(request),
            Ok(Some(Mishap::FailsBefore)) => lost(),
            Ok(Some(Mishap::AnswerLost)) => HttpConnectorFuture::new(async move {
                let _done = connector.perform(request).await;
                Err(ConnectorError::timeout("the answer got lost".into()))
            }),
            Ok(Some(Mishap::DiesAfter)) => HttpConnectorFuture::new(async move {
                let _done = connector.perform(request).await;
                faults.crash.as_ref().unwrap().die();
                std::future::pending().await
            }),
            Ok(Some(Mishap::RunsTwice)) => HttpConnectorFuture::new(async move {
                let again = request.try_clone().unwrap();
                let _first = connector.perform(request).await;
                connector.perform(again).await
            }),
        }
    }
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        if let Some(faults) = self.faults.as_ref().filter(|faults| faults.crash.is_some()) {
            return self.befalls(faults.clone(), request);
        }
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        let fault = self.faults.as_ref().and_then(|faults| faults.next(&target));
        match fault {
            Some(Fault::Before) => return lost(),
            Some(Fault::Throttled) => return HttpConnectorFuture::ready(Ok(throttled(&target))),
            Some(Fault::Conflict) => {
                if let Some(response) = conflict(&target) {
                    return HttpConnectorFuture::ready(Ok(response));
                }
            }
            _ => {}
        }
        let answer = self.perform(request);
        if fault != Some(Fault::After) {
            return answer;
        }
        HttpConnectorFuture::new(async move {
            let _done = answer.await;
            Err(ConnectorError::timeout("the answer got lost".into()))
        })
    }
}

fn lost() -> HttpConnectorFuture {
    HttpConnectorFuture::ready(Err(ConnectorError::timeout("the call got lost".into())))
}

/// The storage time of every object.
const LAST_MODIFIED: &str = "Mon, 15 Jun 2026 12:00:00 GMT";

fn throttled(target: &str) -> HttpResponse {
    if target.is_empty() {
        return response(503, "<Error><Code>SlowDown</Code></Error>".to_owned());
    }
    error("ProvisionedThroughputExceededException", json!({}))
}

fn conflict(target: &str) -> Option<HttpResponse> {
    match target.strip_prefix("DynamoDB_20120810.")? {
        "TransactWriteItems" => Some(error(
            "TransactionCanceledException",
            json!({"CancellationReasons": [{"Code": "TransactionConflict"}, {"Code": "None"}]}),
        )),
        "PutItem" | "UpdateItem" | "DeleteItem" => {
            Some(error("TransactionConflictException", json!({})))
        }
        _ => None,
    }
}

fn error(code: &str, mut body: Value) -> HttpResponse {
    body["__type"] = json!(format!("com.amazonaws.dynamodb.v20120810#{code}"));
    body["message"] = json!("injected");
    response(400, body.to_string())
}
