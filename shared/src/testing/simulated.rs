//! Lists of any length without stored items. The answers to list calls are computed from the numbers of the items. The
//! number of calls and of items that they read shows the cost of a list.

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
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{
    document::Operation,
    store::{
        DeliveryRecord, DeliveryStatus, Direction, DocumentRecord, EventPointer, EventRecord,
        EventType, Status, Store, TaxReportRecord, TaxReportStatus,
        keys::{DeliveryList, Index, Key, PK, SK, TaxReportList},
    },
    types::{DocumentId, EventId, Mode, OrganizationId, Random, ReportId, SeededRandom, uae_date},
};

use super::clients::{TABLE, over};

/// Creates the record of an item from its number and id.
type Record = dyn Fn(usize, &str) -> Value + Send + Sync;

/// The lists, and the calls about them.
#[derive(Clone)]
pub(crate) struct Simulated {
    /// The ids in the order of creation.
    ids: Arc<Vec<String>>,
    /// The sort keys of a partition with the numbers of their items.
    lists: Arc<BTreeMap<String, Vec<(String, usize)>>>,
    /// The attributes of the pointers to an item.
    says: Arc<dyn Fn(usize) -> Value + Send + Sync>,
    record: Arc<Record>,
    /// The key of an additional stored item.
    beside: Option<Key>,
    asked: Arc<Mutex<Vec<usize>>>,
}

/// The creation time of an item: a minute after the previous one.
fn made_at(number: usize) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + i64::try_from(number).unwrap() * 60).unwrap()
}

/// The creation times of items up to now, two seconds apart.
fn until(now: Timestamp, count: usize) -> impl Fn(usize) -> Timestamp {
    move |number| now - SignedDuration::from_secs(2 * i64::try_from(count - number).unwrap())
}

impl Simulated {
    fn new<I: fmt::Display>(
        (count, made_at): (usize, impl Fn(usize) -> Timestamp),
        id: impl Fn(Timestamp, &dyn Random) -> I,
        pointers: impl Fn(usize, &I) -> Vec<Key>,
        says: impl Fn(usize) -> Value + Send + Sync + 'static,
        record: impl Fn(usize, &str) -> Value + Send + Sync + 'static,
    ) -> Self {
        let random = SeededRandom::new(11);
        let mut ids = Vec::new();
        let mut lists: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
        for number in 0..count {
            let id = id(made_at(number), &random);
            for Key { pk, sk } in pointers(number, &id) {
                lists.entry(pk).or_default().push((sk, number));
            }
            ids.push(id.to_string());
        }
        for list in lists.values_mut() {
            list.sort_unstable();
        }
        Simulated {
            ids: Arc::new(ids),
            lists: Arc::new(lists),
            says: Arc::new(says),
            record: Arc::new(record),
            beside: None,
            asked: Arc::default(),
        }
    }

    /// `count` outbound documents like the given one: every second one is a credit note, the last three are not sent
    /// yet, none is inbound or failed. The issue date is the day of creation, of every third one the day before.
    pub(crate) fn documents(mode: Mode, like: &DocumentRecord, count: usize) -> Self {
        let operation = |number: usize| [Operation::Invoice, Operation::CreditNote][number % 2];
        let status = move |number: usize| match number + 3 < count {
            true => Status::Sent,
            false => Status::Accepted,
        };
        let issued = |number: usize| {
            let made = uae_date(made_at(number));
            if number.is_multiple_of(3) { made.yesterday().unwrap() } else { made }
        };
        let pointers = |number: usize, id: &DocumentId| {
            let indices = [
                Some(Index::Direction(Direction::Outbound)),
                Index::of_operation(operation(number)),
                number.is_multiple_of(3).then_some(Index::Issued),
                Index::of_status(status(number)),
            ];
            let issue_date = issued(number);
            let key = |index| Key::pointer(mode, &like.taxpayer_id, index, issue_date, id);
            indices.into_iter().flatten().map(key).collect()
        };
        let says = move |number: usize| {
            json!({
                "direction": Direction::Outbound.as_str(),
                "operation": operation(number).as_str(),
                "issue_date": issued(number),
            })
        };
        let like = like.clone();
        let record = move |number: usize, id: &str| {
            let record = DocumentRecord {
                document_id: id.parse().unwrap(),
                operation: operation(number),
                status: status(number),
                issue_date: issued(number),
                ..like.clone()
            };
            serde_json::to_value(record).unwrap()
        };
        Simulated::new((count, made_at), DocumentId::new, pointers, says, record)
    }

    /// `count` first reports like the given one about sent documents: the first three refused, the last three without a
    /// verdict, the others accepted. Every fifth one also has the pointer that earlier releases wrote.
    pub(crate) fn tax_reports(like: &TaxReportRecord, count: usize) -> Self {
        let status = move |number: usize| match number {
            0..3 => TaxReportStatus::NotCompliant,
            _ if number + 3 < count => TaxReportStatus::Reported,
            _ => TaxReportStatus::Submitted,
        };
        let pointers = |number: usize, id: &ReportId| {
            let earlier = number.is_multiple_of(5).then_some(TaxReportList::All);
            let lists = [earlier, TaxReportList::of_status(status(number))];
            let key = |list| Key::in_tax_reports(&like.taxpayer_id, list, id);
            let (owner, issued) = (&like.taxpayer_id, uae_date(made_at(number)));
            let sent = Index::Direction(Direction::Outbound);
            let of_document = Key::pointer(Mode::Live, owner, sent, issued, &id.as_first_of());
            lists.into_iter().flatten().map(key).chain([of_document]).collect()
        };
        let (kind, role, like) = (like.kind, like.role, like.clone());
        let says = move |_| json!({"kind": kind, "role": role});
        let record = move |number: usize, id: &str| {
            let (report_id, status) = (id.parse().unwrap(), status(number));
            serde_json::to_value(TaxReportRecord { report_id, status, ..like.clone() }).unwrap()
        };
        Simulated::new((count, made_at), ReportId::new, pointers, says, record)
    }

    /// `count` events like the given one up to now, two seconds apart; every second one has another type.
    pub(crate) fn events(
        organization_id: &OrganizationId,
        like: &EventRecord,
        count: usize,
        now: Timestamp,
    ) -> Self {
        let event_type =
            |number: usize| [EventType::DocumentSent, EventType::DocumentStatus][number % 2];
        let to = EventPointer::to(like, false);
        let pointers = |number: usize, id: &EventId| {
            let (event_id, event_type) = (id.clone(), event_type(number));
            let pointer = EventPointer { event_id, event_type, ..to.clone() };
            vec![Key::event_pointer(like.mode, organization_id, &pointer)]
        };
        let says = {
            let to = to.clone();
            move |number: usize| {
                let event_type = event_type(number);
                serde_json::to_value(EventPointer { event_type, ..to.clone() }).unwrap()
            }
        };
        let of = like.clone();
        let record = move |number: usize, id: &str| {
            let (event_id, event_type) = (id.parse().unwrap(), event_type(number));
            serde_json::to_value(EventRecord { event_id, event_type, ..of.clone() }).unwrap()
        };
        Simulated::new((count, until(now, count)), EventId::new, pointers, says, record)
    }

    /// `count` deliveries like the given one up to now, two seconds apart: the first three failed, the last three
    /// pending, the others succeeded.
    pub(crate) fn deliveries(like: &DeliveryRecord, count: usize, now: Timestamp) -> Self {
        let DeliveryRecord { mode, organization_id, endpoint_id, .. } = like;
        let status = move |number: usize| match number {
            0..3 => DeliveryStatus::Exhausted,
            _ if number + 3 < count => DeliveryStatus::Delivered,
            _ => DeliveryStatus::Due,
        };
        let pointers = |number: usize, id: &EventId| {
            let failed = status(number) == DeliveryStatus::Exhausted;
            let lists = [Some(DeliveryList::All), failed.then_some(DeliveryList::Failed)];
            let key = |list| Key::in_deliveries(*mode, organization_id, endpoint_id, list, id);
            lists.into_iter().flatten().map(key).collect()
        };
        let of = DeliveryRecord { attempts: 0, restarted: None, lease: None, ..like.clone() };
        let record = move |number: usize, id: &str| {
            let (event_id, status) = (id.parse().unwrap(), status(number));
            serde_json::to_value(DeliveryRecord { event_id, status, ..of.clone() }).unwrap()
        };
        let says = |_: usize| json!({});
        let listed =
            Simulated::new((count, until(now, count)), EventId::new, pointers, says, record);
        let endpoint = Key::endpoint(*mode, organization_id, endpoint_id);
        Simulated { beside: Some(endpoint), ..listed }
    }

    /// A table with these lists.
    pub(crate) fn store(&self) -> Store {
        let client = over("http://dynamodb.test", SharedHttpClient::new(self.clone()));
        Store::new(client, TABLE, Arc::new(SeededRandom::new(12)))
    }

    /// The number of read items of each call since the last one.
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
                // No document claims a number that is looked for.
                let is_claim = |key: &&Value| key[SK]["S"] == "CLAIM";
                let there = keys.iter().filter(|key| !is_claim(key));
                let items: Vec<_> = there.map(|key| self.item(key)).collect();
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
        let conditions = body["FilterExpression"].as_str().map(|text| text.split(" AND "));
        let kept = looked_at.iter().filter(|(_, number)| {
            let says = (self.says)(*number);
            conditions.clone().into_iter().flatten().all(|condition| {
                let [name, operator, asked] = condition.splitn(3, ' ').collect::<Vec<_>>()[..]
                else {
                    panic!("{condition}")
                };
                let is = says[name.trim_start_matches('#')].as_str();
                match operator {
                    "=" => is == value(asked),
                    ">=" => is >= value(asked),
                    "<=" => is <= value(asked),
                    _ => panic!("{condition}"),
                }
            })
        });
        let key = |sort: &str| json!({PK: {"S": value(":pk")}, SK: {"S": sort}});
        let pointer = |(sort, number): &(String, usize)| {
            let mut pointer = key(sort);
            if let Some(issue_date) = (self.says)(*number).get("issue_date") {
                pointer["issue_date"] = json!({"S": issue_date});
            }
            pointer
        };
        let items: Vec<_> = kept.map(|it| pointer(it)).collect();
        let mut answer = json!({"Items": items});
        if looked_at.len() == limit {
            answer["LastEvaluatedKey"] = key(&looked_at[limit - 1].0);
        }
        answer
    }

    /// The item of a key. The partition's name tells its kind.
    fn item(&self, key: &Value) -> Value {
        let partition = key[PK]["S"].as_str().unwrap();
        if self.beside.as_ref().is_some_and(|beside| beside.pk == partition) {
            return key.clone();
        }
        let id = partition.rsplit('#').next().unwrap();
        let number = self.ids.binary_search_by(|one| one.as_str().cmp(id)).unwrap();
        let mut item = attributes(&(self.record)(number, id));
        item["M"][PK] = key[PK].clone();
        item["M"][SK] = key[SK].clone();
        item["M"].take()
    }
}

/// Converts JSON to DynamoDB's attribute values.
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
