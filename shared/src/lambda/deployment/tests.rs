//! Secrets without a value, and the cost of the first AWS call compared with later ones:
//!
//!     cargo test --release -p access-point --lib the_first_handshake -- --ignored --nocapture

use std::time::Duration;

use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use rustix::time::{ClockId, clock_gettime};

use aws_config::BehaviorVersion;

use super::aws::{https, trusting};
use crate::{
    egress::roots_of_aws,
    lambda::secret::Secret,
    service::page::SecretText,
    testing::{TlsFront, World},
};

/// The number of measured clients. The minimum of each figure is printed.
const TIMES: usize = 30;

/// Secrets Manager with one fixed response.
#[derive(Debug, Clone)]
struct SameResponse(u16, &'static str);

impl HttpConnector for SameResponse {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        let status = StatusCode::try_from(self.0).unwrap();
        HttpConnectorFuture::ready(Ok(HttpResponse::new(status, self.1.into())))
    }
}

impl HttpClient for SameResponse {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl SameResponse {
    fn secret(self) -> Secret {
        let config = aws_sdk_secretsmanager::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(aws_config::Region::new("me-central-1"))
            .credentials_provider(aws_sdk_secretsmanager::config::Credentials::new(
                "k", "s", None, None, "t",
            ))
            .http_client(self)
            .build();
        let client = aws_sdk_secretsmanager::Client::from_conf(config);
        Secret {
            client,
            arn: "arn:aws:secretsmanager:me-central-1:1:secret:NetworkKeys".to_owned(),
        }
    }
}

#[tokio::test]
async fn a_secret_that_nobody_filled_has_no_value_and_one_that_cannot_be_read_is_an_error() {
    // The response of Secrets Manager for a secret that CloudFormation created without a value.
    const UNFILLED: &str = r#"{"__type": "ResourceNotFoundException", "Message": "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT"}"#;
    let unfilled = || SameResponse(400, UNFILLED).secret();
    assert_eq!(unfilled().value().await.unwrap(), None);
    assert_eq!(SameResponse(200, r#"{"SecretString": ""}"#).secret().value().await.unwrap(), None);
    let filled = SameResponse(200, r#"{"SecretString": "{\"keys\":[]}"}"#).secret();
    assert_eq!(filled.value().await.unwrap().as_deref(), Some(r#"{"keys":[]}"#));
    let denied = r#"{"__type": "AccessDeniedException", "Message": "not authorized"}"#;
    assert!(SameResponse(400, denied).secret().value().await.is_err(), "it may have a value");
    let why = unfilled().fetch().await.unwrap_err().to_string();
    assert!(why.contains("has no value yet"), "{why}");
}

/// The CPU time of this thread, which runs only the client, and the elapsed time.
#[derive(Debug, Clone, Copy)]
struct Spent {
    cpu: Duration,
    wall: Duration,
}

impl Spent {
    async fn by<T>(work: impl Future<Output = T>) -> (Spent, T) {
        let now = |clock| {
            let time = clock_gettime(clock);
            Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
        };
        let (cpu, wall) = (now(ClockId::ThreadCPUTime), now(ClockId::Monotonic));
        let done = work.await;
        let (cpu, wall) = (now(ClockId::ThreadCPUTime) - cpu, now(ClockId::Monotonic) - wall);
        (Spent { cpu, wall }, done)
    }

    fn least(self, other: Spent) -> Spent {
        Spent { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }

    fn beyond(self, other: Spent) -> Spent {
        let Spent { cpu, wall } = other;
        Spent { cpu: self.cpu.saturating_sub(cpu), wall: self.wall.saturating_sub(wall) }
    }
}

/// A new client, and its first call.
async fn first(url: &str, root: &str) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
        .region(aws_sdk_dynamodb::config::Region::new("me-central-1"))
        .credentials_provider(aws_sdk_dynamodb::config::Credentials::new("k", "s", None, None, "t"))
        .endpoint_url(url)
        .http_client(https(trusting(roots_of_aws().chain([root.to_owned()]))));
    let client = aws_sdk_dynamodb::Client::from_conf(config.build());
    call(&client).await;
    client
}

async fn call(client: &aws_sdk_dynamodb::Client) {
    client.list_tables().send().await.unwrap();
}

#[expect(clippy::print_stdout, reason = "what was counted is to be seen")]
#[tokio::test]
#[ignore = "a measurement, for an optimized build"]
async fn the_first_handshake() {
    let world = World::apart().await;
    let plain = world.cloud.dynamodb_url().to_owned();
    let front = TlsFront::apart(plain.strip_prefix("http://").unwrap().parse().unwrap()).await;
    let mut spent = Vec::new();
    for url in [&plain, &front.url] {
        let (mut firsts, mut others) = (Vec::new(), Vec::new());
        for _ in 0..TIMES {
            let (spent, client) = Spent::by(first(url, &front.pem)).await;
            firsts.push(spent);
            others.push(Spent::by(call(&client)).await.0);
        }
        let least = |all: Vec<Spent>| all.into_iter().reduce(Spent::least).unwrap();
        let (first, other) = (least(firsts), least(others));
        println!("{url}: a client and its first call {first:?}, its next call {other:?}");
        spent.push(first.beyond(other));
    }
    let Spent { cpu, wall } = spent[1].beyond(spent[0]);
    println!("the first TLS handshake: {cpu:?} of CPU, {wall:?} on the clock of one machine");
}
