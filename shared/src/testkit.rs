//! What tests of use cases stand on: the real store over DynamoDB in this process, and an S3 and
//! an SQS on loopback that keep what they get.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use aws_sdk_dynamodb::{
    config::{BehaviorVersion, Credentials, Region},
    types::{
        AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
        Projection, ProjectionType, ScalarAttributeType,
    },
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::IF_NONE_MATCH},
    response::{IntoResponse, Response},
    routing::{post, put},
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    service::{
        Context, Settings,
        demo::{self, Demo, Wish},
    },
    store::{Queues, Store},
    types::{FixedClock, SeededRandom},
    webhook::SealingKey,
};

const TABLE: &str = "table";
const BUCKET: &str = "bucket";

/// A message that was sent to a queue.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Message {
    /// The end of the queue's address.
    pub(crate) queue: String,
    pub(crate) body: Value,
    pub(crate) delay_seconds: i64,
}

#[derive(Default)]
struct Cloud {
    objects: Mutex<BTreeMap<String, Bytes>>,
    messages: Mutex<Vec<Message>>,
}

/// A deployment of its own for one test.
pub(crate) struct World {
    pub(crate) ctx: Context,
    pub(crate) clock: Arc<FixedClock>,
    cloud: Arc<Cloud>,
}

impl World {
    /// Nothing but the table, the bucket and the queues. The clock stands still.
    pub(crate) async fn empty() -> Self {
        let clock = Arc::new(FixedClock::at("2026-07-01T10:00:00Z".parse().unwrap()));
        let random = Arc::new(SeededRandom::new(1));
        let cloud = Arc::new(Cloud::default());
        let endpoint = serve(cloud.clone()).await;
        let dynamo = dynamo().await;
        create_table(&dynamo).await;
        let s3 = aws_sdk_s3::Config::builder()
            .behavior_version(aws_sdk_s3::config::BehaviorVersion::latest())
            .region(aws_sdk_s3::config::Region::new("me-central-1"))
            .credentials_provider(credentials())
            .force_path_style(true)
            .endpoint_url(&endpoint)
            .build();
        let sqs = aws_sdk_sqs::Config::builder()
            .behavior_version(aws_sdk_sqs::config::BehaviorVersion::latest())
            .region(aws_sdk_sqs::config::Region::new("me-central-1"))
            .credentials_provider(credentials())
            .endpoint_url(&endpoint)
            .build();
        let ctx = Context {
            store: Store::new(dynamo, TABLE, random.clone())
                .with_bucket(aws_sdk_s3::Client::from_conf(s3), BUCKET),
            queues: Queues::new(aws_sdk_sqs::Client::from_conf(sqs))
                .with_convert(&format!("{endpoint}/convert"))
                .with_dispatch(&format!("{endpoint}/dispatch"))
                .with_deliver(&format!("{endpoint}/deliver")),
            clock: clock.clone(),
            random,
            settings: Settings { queued_delivery: true, lease: SignedDuration::from_secs(60) },
        };
        World { ctx, clock, cloud }
    }

    /// A world with the demo data, whose webhooks go to `webhook_url`.
    pub(crate) async fn with_demo(webhook_url: &str) -> (Self, Demo) {
        let world = World::empty().await;
        let wish = Wish { webhook_url: webhook_url.to_owned(), ..Wish::default() };
        let demo = demo::make(&world.ctx, &world.sealing_key(), wish).await.unwrap();
        (world, demo)
    }

    pub(crate) fn sealing_key(&self) -> SealingKey {
        SealingKey::derive("0123456789abcdef0123456789abcdef").unwrap()
    }

    /// The messages that were sent so far.
    pub(crate) fn messages(&self) -> Vec<Message> {
        self.cloud.messages.lock().unwrap().clone()
    }
}

fn credentials() -> Credentials {
    Credentials::new("test", "test", None, None, "test")
}

async fn dynamo() -> aws_sdk_dynamodb::Client {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(dynoxide::server::serve_on(listener, dynoxide::Database::memory().unwrap()));
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("me-central-1"))
        .credentials_provider(credentials())
        .endpoint_url(endpoint)
        .build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

/// The table as the template has it.
async fn create_table(dynamo: &aws_sdk_dynamodb::Client) {
    let key = |name: &str, kind| {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
    };
    let due = GlobalSecondaryIndex::builder()
        .index_name("due")
        .key_schema(key("due_pk", KeyType::Hash))
        .key_schema(key("due_at", KeyType::Range))
        .projection(Projection::builder().projection_type(ProjectionType::All).build())
        .build()
        .unwrap();
    let attributes = ["pk", "sk", "due_pk", "due_at"].map(|name| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
            .unwrap()
    });
    dynamo
        .create_table()
        .table_name(TABLE)
        .key_schema(key("pk", KeyType::Hash))
        .key_schema(key("sk", KeyType::Range))
        .set_attribute_definitions(Some(attributes.to_vec()))
        .global_secondary_indexes(due)
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await
        .unwrap();
}

async fn serve(cloud: Arc<Cloud>) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new()
        .route("/bucket/{*key}", put(put_object).get(get_object))
        .route("/", post(send_messages))
        .with_state(cloud);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    endpoint
}

async fn put_object(
    State(cloud): State<Arc<Cloud>>,
    Path(key): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut objects = cloud.objects.lock().unwrap();
    if headers.contains_key(IF_NONE_MATCH) && objects.contains_key(&key) {
        let error = "<Error><Code>PreconditionFailed</Code></Error>";
        return (StatusCode::PRECONDITION_FAILED, error).into_response();
    }
    objects.insert(key, body);
    StatusCode::OK.into_response()
}

async fn get_object(State(cloud): State<Arc<Cloud>>, Path(key): Path<String>) -> Response {
    match cloud.objects.lock().unwrap().get(&key) {
        Some(bytes) => bytes.clone().into_response(),
        None => (StatusCode::NOT_FOUND, "<Error><Code>NoSuchKey</Code></Error>").into_response(),
    }
}

/// SendMessageBatch, the only call to SQS.
async fn send_messages(State(cloud): State<Arc<Cloud>>, body: Bytes) -> Json<Value> {
    let request: Value = serde_json::from_slice(&body).unwrap();
    let queue = request["QueueUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let mut successful = Vec::new();
    for entry in request["Entries"].as_array().unwrap() {
        cloud.messages.lock().unwrap().push(Message {
            queue: queue.clone(),
            body: serde_json::from_str(entry["MessageBody"].as_str().unwrap()).unwrap(),
            delay_seconds: entry["DelaySeconds"].as_i64().unwrap_or(0),
        });
        successful.push(json!({"Id": entry["Id"], "MessageId": "m", "MD5OfMessageBody": "-"}));
    }
    Json(json!({"Successful": successful, "Failed": []}))
}
