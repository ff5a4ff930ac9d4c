//! A receiver for many deliveries: it keeps connections, and verifies one in a hundred.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use jiff::Timestamp;
use tokio::{net::TcpListener, time::Instant};

use crate::webhook::{Headers, Secret, verify};

/// One in this many is verified.
const SAMPLE: usize = 100;

/// How an endpoint answers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answers {
    After(std::time::Duration),
    Never,
    /// At once with a status.
    Status(StatusCode),
}

#[derive(Default)]
struct Seen {
    /// Secrets by the number of the endpoint.
    secrets: HashMap<usize, Secret>,
    answers: HashMap<usize, Answers>,
    /// The first arrival of each accepted event at each endpoint, if it is recorded.
    first: Option<HashMap<(usize, String), Instant>>,
    requests: usize,
    verified: usize,
}

/// The receiver, at `http://ADDRESS/hook/NUMBER`.
#[derive(Clone)]
pub(crate) struct Receiving {
    address: SocketAddr,
    /// The time of all signatures, since the clock of a world is fixed.
    now: Option<Timestamp>,
    seen: Arc<Mutex<Seen>>,
}

impl Receiving {
    /// Starts a receiver in the current runtime.
    pub(crate) async fn start(now: Option<Timestamp>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let receiving = Receiving { address, now, seen: Arc::default() };
        let router = Router::new().route("/hook/{number}", post(take));
        let router = router.with_state(receiving.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        receiving
    }

    pub(crate) fn url(&self, number: usize) -> String {
        format!("http://{}/hook/{number}", self.address)
    }

    pub(crate) fn knows(&self, number: usize, secret: Secret) {
        self.seen.lock().unwrap().secrets.insert(number, secret);
    }

    pub(crate) fn behaves(&self, number: usize, answers: Answers) {
        self.seen.lock().unwrap().answers.insert(number, answers);
    }

    /// Starts to record arrivals.
    pub(crate) fn notes(&self) {
        self.seen.lock().unwrap().first = Some(HashMap::new());
    }

    pub(crate) fn noted(&self) -> HashMap<(usize, String), Instant> {
        self.seen.lock().unwrap().first.clone().unwrap_or_default()
    }

    /// The number of requests, and of verified ones.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let seen = self.seen.lock().unwrap();
        (seen.requests, seen.verified)
    }
}

async fn take(
    State(receiving): State<Receiving>,
    Path(number): Path<usize>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let signed = Headers {
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp"),
        signature: text("webhook-signature"),
    };
    let answers = {
        let mut seen = receiving.seen.lock().unwrap();
        seen.requests += 1;
        let answers = seen.answers.get(&number).copied();
        let refuses = matches!(answers, Some(Answers::Status(status)) if !status.is_success());
        if !refuses && let (Some(first), Some(id)) = (&mut seen.first, signed.id) {
            first.entry((number, id.to_owned())).or_insert_with(Instant::now);
        }
        if seen.requests % SAMPLE == 1
            && let Some(secret) = seen.secrets.get(&number)
        {
            let at = signed.timestamp.and_then(|text| text.parse().ok()).unwrap();
            let now = receiving.now.unwrap_or_else(|| Timestamp::from_second(at).unwrap());
            verify(std::slice::from_ref(secret), signed, &body, now).unwrap();
            seen.verified += 1;
        }
        answers
    };
    match answers {
        None => {}
        Some(Answers::After(time)) => tokio::time::sleep(time).await,
        Some(Answers::Never) => std::future::pending().await,
        Some(Answers::Status(status)) => return status,
    }
    StatusCode::NO_CONTENT
}
