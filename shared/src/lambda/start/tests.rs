//! What the first call of AWS costs beyond the next ones:
//!
//!     cargo test --release -p access-point --lib the_first_handshake -- --ignored --nocapture

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::*;
use crate::testing::{TlsFront, World};

/// Clients that are made; the least of each figure is told.
const TIMES: usize = 30;

/// CPU time of this thread, which does the client's part alone, and time on the clock.
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

/// A client of its own, and its first call.
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
    let mut told = Vec::new();
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
        told.push(first.beyond(other));
    }
    let Spent { cpu, wall } = told[1].beyond(told[0]);
    println!("the first TLS handshake: {cpu:?} of CPU, {wall:?} on the clock of one machine");
}
