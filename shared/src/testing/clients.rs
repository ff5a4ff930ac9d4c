//! SDK clients for the services of a test, and the table.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use aws_sdk_dynamodb::{
    config::{
        BehaviorVersion, Credentials, Region,
        retry::{RetryConfig, RetryPartition},
    },
    types::{
        AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
        Projection, ProjectionType, ScalarAttributeType,
    },
};

use aws_smithy_runtime_api::client::http::SharedHttpClient;

use super::aws::{Cloud, Faults};
use crate::{
    service::{Context, Relaying, relay::KnownEndpoints},
    store::Queue,
    types::ByMode,
};

pub(super) const TABLE: &str = "access-point";
pub(super) const BUCKET: &str = "payloads";

static WORLDS: AtomicU64 = AtomicU64::new(0);

/// Many retries without delays, since tests cause many faults. Each client has its own retry budget.
fn retries() -> (RetryConfig, RetryPartition) {
    let retry = RetryConfig::standard()
        .with_max_attempts(3)
        .with_initial_backoff(std::time::Duration::from_millis(1));
    let partition = WORLDS.fetch_add(1, Ordering::Relaxed);
    (retry, RetryPartition::new(format!("test-{partition}")))
}

pub(super) fn dynamo(cloud: &Cloud, faults: Option<Arc<Faults>>) -> aws_sdk_dynamodb::Client {
    over(cloud.dynamodb_url(), cloud.client(faults))
}

/// A client of DynamoDB at an address, over a connector.
pub(super) fn over(url: &str, http: SharedHttpClient) -> aws_sdk_dynamodb::Client {
    let (retry, partition) = retries();
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("me-central-1"))
        .credentials_provider(credentials())
        .endpoint_url(url)
        .http_client(http)
        .retry_config(retry)
        .retry_partition(partition)
        .build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

pub(super) fn s3(cloud: &Cloud, faults: Option<Arc<Faults>>) -> aws_sdk_s3::Client {
    s3_over(cloud.client(faults))
}

/// A client of S3 over a connector.
pub(super) fn s3_over(http: SharedHttpClient) -> aws_sdk_s3::Client {
    let (retry, partition) = retries();
    let config = aws_sdk_s3::Config::builder()
        .behavior_version(aws_sdk_s3::config::BehaviorVersion::latest())
        .region(Region::new("me-central-1"))
        .credentials_provider(credentials())
        .endpoint_url("http://s3.test")
        .force_path_style(true)
        .http_client(http)
        .retry_config(retry)
        .retry_partition(partition)
        .build();
    aws_sdk_s3::Client::from_conf(config)
}

pub(super) fn relaying(cloud: &Cloud, ctx: &Context, faults: Option<Arc<Faults>>) -> Relaying {
    relaying_over(cloud.client(faults), ctx)
}

/// The queues over a connector.
pub(super) fn relaying_over(http: SharedHttpClient, ctx: &Context) -> Relaying {
    let (retry, partition) = retries();
    let config = aws_sdk_sqs::Config::builder()
        .behavior_version(aws_sdk_sqs::config::BehaviorVersion::latest())
        .region(Region::new("me-central-1"))
        .credentials_provider(credentials())
        .endpoint_url("http://sqs.test")
        .http_client(http)
        .retry_config(retry)
        .retry_partition(partition)
        .build();
    let sqs = aws_sdk_sqs::Client::from_conf(config);
    Relaying {
        ctx: ctx.clone(),
        convert: Queue::new(sqs.clone(), addresses("convert")),
        dispatch: Queue::new(sqs.clone(), addresses("dispatch")),
        deliver: Queue::new(sqs.clone(), addresses("deliver")),
        validate_inbound: Queue::new(sqs.clone(), addresses("judge")),
        mls_outbound: Queue::new(sqs.clone(), addresses("answer")),
        register: Queue::new(sqs.clone(), addresses("register")),
        application: Queue::new(sqs.clone(), addresses("register")),
        report: Queue::of_live(sqs.clone(), addresses("report").live),
        peppol_reports: Queue::of_live(sqs.clone(), addresses("report").live),
        imports: Queue::new(sqs.clone(), addresses("imports")),
        archives: Queue::new(sqs.clone(), addresses("archives")),
        mail: Queue::new(sqs, addresses("mail")),
        endpoints: KnownEndpoints::default(),
    }
}

/// A client of SES over a connector.
pub(super) fn ses_over(http: SharedHttpClient) -> aws_sdk_sesv2::Client {
    let (retry, partition) = retries();
    let config = aws_sdk_sesv2::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("me-central-1"))
        .credentials_provider(credentials())
        .endpoint_url("http://ses.test")
        .http_client(http)
        .retry_config(retry)
        .retry_partition(partition)
        .build();
    aws_sdk_sesv2::Client::from_conf(config)
}

/// The queues of a stage.
fn addresses(stage: &str) -> ByMode<String> {
    ByMode {
        live: format!("http://sqs.test/live/{stage}"),
        sandbox: format!("http://sqs.test/sandbox/{stage}"),
    }
}

fn credentials() -> Credentials {
    Credentials::new("test", "test", None, None, "test")
}

/// Creates the table as in the template.
pub(super) async fn make_table(dynamo: &aws_sdk_dynamodb::Client) {
    let key = |name: &str, kind| {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
    };
    let text = |name: &str| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
            .unwrap()
    };
    let due = GlobalSecondaryIndex::builder()
        .index_name("due")
        .key_schema(key("due_pk", KeyType::Hash))
        .key_schema(key("due_at", KeyType::Range))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .unwrap();
    dynamo
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(["pk", "sk", "due_pk", "due_at"].map(text).to_vec()))
        .key_schema(key("pk", KeyType::Hash))
        .key_schema(key("sk", KeyType::Range))
        .global_secondary_indexes(due)
        .send()
        .await
        .unwrap();
}
