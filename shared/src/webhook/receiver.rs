//! A webhook receiver for tests: a real listener on loopback with configurable responses. It records its requests.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// How a receiver responds to requests.
#[derive(Clone)]
pub(crate) enum Behaviour {
    /// Responds with these bytes.
    Says(String),
    /// Responds with these bytes, followed by an endless body.
    NeverEnds(String),
    /// Responds with these bytes one by one, with a pause before each.
    Drips(Duration, String),
    /// Never responds.
    Hangs,
    /// Closes the connection without a response.
    HangsUp,
}

impl Behaviour {
    /// A response with a status, further header lines (each with its line end) and a body.
    pub(crate) fn status(status: &str, headers: &str, body: &str) -> Self {
        let length = body.len();
        Behaviour::Says(format!(
            "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}"
        ))
    }
}

/// A received request: its head as lines, and its body.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    /// The value of a header, which must occur only once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.head.lines().filter_map(|line| {
            let (header, value) = line.split_once(':')?;
            header.eq_ignore_ascii_case(name).then(|| value.trim())
        });
        let value = values.next();
        assert!(values.next().is_none(), "{name} is there twice");
        value
    }
}

/// A fault on the way of a request, independent of the receiver's reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// No fault: the request arrives and is answered.
    Taken,
    /// The request does not arrive.
    Refused,
    /// The request arrives, but the response does not.
    Unanswered,
    /// The request arrives twice.
    TakenTwice,
}

type Guard = Arc<dyn Fn() -> Fate + Send + Sync>;

pub(crate) struct Receiver {
    pub(crate) url: String,
    guard: Arc<Mutex<Guard>>,
    received: Arc<Mutex<Vec<Received>>>,
    behaviour: Arc<Mutex<Behaviour>>,
}

impl Receiver {
    pub(crate) async fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let behaviour = Arc::new(Mutex::new(behaviour));
        let taken: Guard = Arc::new(|| Fate::Taken);
        let guard = Arc::new(Mutex::new(taken));
        let (log, mood, fates) = (received.clone(), behaviour.clone(), guard.clone());
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (log, behaviour) = (log.clone(), mood.lock().unwrap().clone());
                let guard = fates.lock().unwrap().clone();
                tokio::spawn(async move { answer(stream, behaviour, &log, &guard).await });
            }
        });
        Receiver { url, guard, received, behaviour }
    }

    /// All requests so far.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Sets the faults of future requests.
    pub(crate) fn guard(&self, guard: impl Fn() -> Fate + Send + Sync + 'static) {
        *self.guard.lock().unwrap() = Arc::new(guard);
    }

    /// Sets the reaction to future requests.
    pub(crate) fn behave(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
    }
}

async fn answer(
    mut stream: TcpStream,
    behaviour: Behaviour,
    log: &Mutex<Vec<Received>>,
    guard: &Guard,
) {
    let Some(received) = read(&mut stream).await else { return };
    let fate = guard();
    let times = match fate {
        Fate::Refused => 0,
        Fate::Taken | Fate::Unanswered => 1,
        Fate::TakenTwice => 2,
    };
    log.lock().unwrap().extend(vec![received; times]);
    if matches!(fate, Fate::Refused | Fate::Unanswered) {
        return;
    }
    match behaviour {
        Behaviour::HangsUp => {}
        Behaviour::Hangs => tokio::time::sleep(Duration::from_secs(600)).await,
        Behaviour::Drips(time, bytes) => {
            let _ = stream.set_nodelay(true);
            for byte in bytes.bytes() {
                tokio::time::sleep(time).await;
                if stream.write_all(&[byte]).await.is_err() {
                    return;
                }
            }
        }
        Behaviour::Says(bytes) => {
            let _ = stream.write_all(bytes.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
        Behaviour::NeverEnds(head) => {
            let _ = stream.write_all(head.as_bytes()).await;
            while stream.write_all(&[b'x'; 1024]).await.is_ok() {}
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let mut received = Received { head, body: bytes[end + 4..].to_vec() };
            let length = received.header("content-length").unwrap_or("0").parse().unwrap();
            while received.body.len() < length {
                received.body.push(stream.read_u8().await.ok()?);
            }
            return Some(received);
        }
        bytes.push(stream.read_u8().await.ok()?);
    }
}
