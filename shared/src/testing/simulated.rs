//! A taxpayer with any number of documents, of which no item is stored: the answers to the calls of
//! a list are made up from the numbers of its documents. What a call costs shows in how many there
//! are and how much they look at.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};

use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpClient, SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use aws_smithy_types::body::SdkBody;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    document::Operation,
    store::{
        Direction, DocumentRecord, Status, Store,
        keys::{Index, Key, PK, SK},
    },
    types::{DocumentId, Mode, SeededRandom, TaxpayerId},
};

use super::clients::{TABLE, over};

/// The documents, and what was asked about them.
#[derive(Clone)]
pub(crate) struct Simulated {
    /// Every document: its record holds what a list can ask for.
    like: Arc<DocumentRecord>,
    documents: Arc<Vec<Simulation>>,
    /// The sort keys of a partition with the documents that they point to.
    lists: Arc<BTreeMap<String, Vec<(String, u32)>>>,
    asked: Arc<Mutex<Vec<usize>>>,
}

/// In what a document differs from the others.
struct Simulation {
    id: DocumentId,
    operation: Operation,
    status: Status,
    issue_date: jiff::civil::Date,
}

impl Simulated {
    /// `count` outbound documents like one, a minute apart: every second one a credit note, the
    /// last three on their way, none inbound or failed; issued on the day of their making.
    pub(crate) fn new(mode: Mode, like: &DocumentRecord, count: u32) -> Self {
        let random = SeededRandom::new(11);
        let mut documents = Vec::new();
        let mut lists: BTreeMap<String, Vec<(String, u32)>> = BTreeMap::new();
        for number in 0..count {
            let at = Timestamp::from_second(1_700_000_000 + i64::from(number) * 60).unwrap();
            let document = Simulation {
                id: DocumentId::new(at, &random),
                operation: [Operation::Invoice, Operation::CreditNote][number as usize % 2],
                status: if number + 3 < count { Status::Sent } else { Status::Accepted },
                issue_date: crate::types::uae_date(at),
            };
            for index in [
                Some(Index::All),
                Some(Index::Direction(Direction::Outbound)),
                Some(Index::Type(document.operation)),
                Some(Index::Issued),
                Index::of_status(document.status),
            ]
            .into_iter()
            .flatten()
            {
                let Key { pk, sk } =
                    Key::pointer(mode, &like.taxpayer_id, index, document.issue_date, &document.id);
                lists.entry(pk).or_default().push((sk, number));
            }
            documents.push(document);
        }
        for list in lists.values_mut() {
            list.sort_unstable();
        }
        Simulated {
            like: Arc::new(like.clone()),
            documents: Arc::new(documents),
            lists: Arc::new(lists),
            asked: Arc::default(),
        }
    }

    /// A table with these documents.
    pub(crate) fn store(&self) -> Store {
        let client = over("http://dynamodb.test", SharedHttpClient::new(self.clone()));
        Store::new(client, TABLE, Arc::new(SeededRandom::new(12)))
    }

    /// For each call since the last time, how many items it looked at.
    pub(crate) fn take(&self) -> Vec<usize> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    fn answer(&self, operation: &str, body: &Value) -> Value {
        match operation {
            "Query" => self.query(body),
            "BatchGetItem" => {
                let keys = body["RequestItems"][TABLE]["Keys"].as_array().unwrap();
                assert!(keys.len() <= 100);
                self.asked.lock().unwrap().push(keys.len());
                let items: Vec<_> = keys.iter().map(|key| self.item(key)).collect();
                json!({"Responses": {TABLE: items}})
            }
            other => panic!("a list does not call {other}"),
        }
    }

    fn query(&self, body: &Value) -> Value {
        assert_eq!(body["KeyConditionExpression"], "pk = :pk AND sk BETWEEN :low AND :high");
        assert_eq!(body["ScanIndexForward"], false);
        let value = |name: &str| body["ExpressionAttributeValues"][name]["S"].as_str();
        let (low, high) = (value(":low").unwrap(), value(":high").unwrap());
        let nothing = Vec::new();
        let list = self.lists.get(value(":pk").unwrap()).unwrap_or(&nothing);
        let end = list.partition_point(|(sort, _)| sort.as_str() <= high);
        let limit = usize::try_from(body["Limit"].as_u64().unwrap()).unwrap();
        let in_range = list[..end].iter().rev().take_while(|(sort, _)| sort.as_str() >= low);
        let looked_at: Vec<_> = in_range.take(limit).collect();
        self.asked.lock().unwrap().push(looked_at.len());
        let kept = looked_at.iter().filter(|(_, number)| {
            let document = &self.documents[*number as usize];
            let day = document.issue_date.to_string();
            value(":direction").is_none_or(|asked| asked == Direction::Outbound.as_str())
                && value(":operation").is_none_or(|asked| asked == document.operation.as_str())
                && value(":from").is_none_or(|from| from <= day.as_str())
                && value(":to").is_none_or(|to| day.as_str() <= to)
        });
        let key = |sort: &str| json!({PK: {"S": value(":pk")}, SK: {"S": sort}});
        let items: Vec<_> = kept.map(|(sort, _)| key(sort)).collect();
        let mut answer = json!({"Items": items});
        if looked_at.len() == limit {
            answer["LastEvaluatedKey"] = key(&looked_at[limit - 1].0);
        }
        answer
    }

    fn item(&self, key: &Value) -> Value {
        let id = key[PK]["S"].as_str().unwrap().rsplit('#').next().unwrap();
        let number = self.documents.partition_point(|document| document.id.as_str() < id);
        let Simulation { id, operation, status, issue_date } = &self.documents[number];
        let record = DocumentRecord {
            document_id: id.clone(),
            operation: *operation,
            status: *status,
            issue_date: *issue_date,
            ..(*self.like).clone()
        };
        let mut item = attributes(&serde_json::to_value(record).unwrap());
        item["M"][PK] = key[PK].clone();
        item["M"][SK] = key[SK].clone();
        item["M"].take()
    }

    /// The taxpayer that has them.
    pub(crate) fn taxpayer_id(&self) -> &TaxpayerId {
        &self.like.taxpayer_id
    }
}

/// JSON as DynamoDB writes it.
fn attributes(value: &Value) -> Value {
    match value {
        Value::Null => json!({"NULL": true}),
        Value::Bool(value) => json!({"BOOL": value}),
        Value::Number(number) => json!({"N": number.to_string()}),
        Value::String(text) => json!({"S": text}),
        Value::Array(list) => json!({"L": list.iter().map(attributes).collect::<Vec<_>>()}),
        Value::Object(map) => {
            let map = map.iter().map(|(name, value)| (name.clone(), attributes(value)));
            json!({"M": map.collect::<serde_json::Map<_, _>>()})
        }
    }
}

impl fmt::Debug for Simulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Simulated")
    }
}

impl HttpClient for Simulated {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Simulated {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap();
        let operation = target.strip_prefix("DynamoDB_20120810.").unwrap();
        let body = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let answer = self.answer(operation, &body).to_string();
        let status = StatusCode::try_from(200).unwrap();
        HttpConnectorFuture::ready(Ok(HttpResponse::new(status, SdkBody::from(answer))))
    }
}
