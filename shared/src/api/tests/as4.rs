//! The AS4 endpoint over real HTTP: its limits, and a message through it.
//!
//! Tests shorten the limits and change nothing else. Attackers have their own address in 127.0.0.0/8.

use std::{net::SocketAddr, time::Duration};

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    time::{Instant, sleep, timeout},
};

use crate::{
    api::{Bounds, Connections, Pace, Spool, serve_as4},
    egress::{Answer, Client, Egress, Limits},
    testing::{BUYER, Parcel, World},
};

const STRANGER: &str = "127.0.0.2:0";
const SECOND: Duration = Duration::from_secs(1);
/// A time limit that is long enough on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn bounds() -> Bounds {
    Bounds {
        bytes: 100_000,
        pace: Pace { grace: SECOND, bytes_per_second: 1_000, within: LONG },
        spool: Spool { memory_bytes: 1_000, directory: None },
        spool_bytes: 300_000,
        spool_bytes_of_address: 200_000,
        of_address: 300,
        at_once: 1,
        place_within: LONG,
        forwarded: false,
    }
}

const CONNECTIONS: Connections =
    Connections { at_once: 300, head_within: Duration::from_secs(2), answer_within: SECOND };

/// A server until it is dropped or stopped.
struct Served {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: tokio::task::JoinHandle<std::io::Result<()>>,
    /// Its spool. Every test world generates the same file names, so servers must not share a folder.
    _folder: TempDir,
}

async fn serve(world: &World, mut bounds: Bounds, connections: Connections) -> Served {
    let folder = TempDir::new().unwrap();
    bounds.spool.directory.get_or_insert_with(|| folder.path().to_owned());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, receiving) = (listener.local_addr().unwrap(), world.receiving());
    let (stop, stopped) = oneshot::channel();
    let ended = tokio::spawn(async move {
        let stopped = async {
            stopped.await.unwrap_or(());
        };
        serve_as4(listener, receiving, bounds, connections, stopped).await
    });
    Served { address, stop: Some(stop), ended, _folder: folder }
}

impl Served {
    /// A connection from a source address.
    async fn connect_from(&self, from: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(from.parse().unwrap()).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// The beginning of a request.
    async fn begin_from(&self, from: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = self.connect_from(from).await;
        let head = "POST /as4 HTTP/1.1\r\nHost: localhost\r\n";
        stream.write_all(format!("{head}{headers}\r\n\r\n{body}").as_bytes()).await.unwrap();
        stream
    }

    async fn begin(&self, headers: &str, body: &str) -> TcpStream {
        self.begin_from("127.0.0.1:0", headers, body).await
    }

    /// Sends a message as a correct access point does.
    async fn send(&self, number: &str) -> Answer {
        let packed = Parcel::invoice(number).pack();
        let content_type = HeaderValue::try_from(packed.content_type).unwrap();
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type)]);
        let limits = Limits { deadline: LONG, answer_bytes: 100_000 };
        let (client, url) =
            (Client::new(Egress::Any).unwrap(), format!("http://{}/as4", self.address));
        client.request(Method::POST, &url, headers, packed.body, limits).await.unwrap()
    }
}

/// The head of the response, and its body.
async fn end(mut stream: TcpStream) -> (String, String) {
    let mut answer = Vec::new();
    timeout(LONG, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_lowercase(), body.to_owned())
}

async fn status(stream: TcpStream) -> u16 {
    end(stream).await.0.split(' ').nth(1).unwrap().parse().unwrap()
}

#[track_caller]
fn assert_receipt(answer: Answer) {
    let Answer { status, content_type, body, .. } = answer;
    let body = String::from_utf8(body).unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(content_type.as_deref(), Some(crate::peppol::as4::SIGNAL_CONTENT_TYPE));
    assert!(body.contains("NonRepudiationInformation"), "{body}");
}

#[tokio::test]
async fn a_message_beyond_the_limit_is_refused_before_it_has_come() {
    let (world, _) = World::live().await;
    let served = serve(&world, bounds(), CONNECTIONS).await;
    let (head, body) = end(served.begin("Content-Length: 100001", "").await).await;
    assert!(head.starts_with("http/1.1 413"), "{head}");
    assert_eq!(body, "A message has at most 100000 bytes.");
    // A body without a declared length is refused once it is too long.
    let chunk = format!("186a1\r\n{}\r\n0\r\n\r\n", "x".repeat(100_001));
    assert_eq!(status(served.begin("Transfer-Encoding: chunked", &chunk).await).await, 413);
}

#[tokio::test]
async fn messages_that_come_a_byte_at_a_time_shut_nobody_out_and_are_aborted() {
    let (world, _) = World::live().await;
    world.caller("Oasis", BUYER).await;
    let pace = Pace { grace: Duration::from_secs(8), ..bounds().pace };
    let served = serve(&world, Bounds { at_once: 4, pace, ..bounds() }, CONNECTIONS).await;
    let mut slow = Vec::new();
    for _ in 0..12 {
        let mut stream = served.begin_from(STRANGER, "Content-Length: 10000", "-").await;
        slow.push(tokio::spawn(async move {
            let begun = Instant::now();
            // One byte every 5 seconds, until the response arrives.
            let mut answer = [0; 12];
            loop {
                tokio::select! {
                    read = stream.read_exact(&mut answer) => {
                        read.unwrap();
                        return (answer, begun.elapsed());
                    }
                    () = sleep(Duration::from_secs(5)) => stream.write_all(b"-").await.unwrap(),
                }
            }
        }));
    }
    for number in ["A-1", "A-2", "A-3"] {
        assert_receipt(served.send(number).await);
    }
    for slow in slow {
        let (answer, took) = timeout(LONG, slow).await.unwrap().unwrap();
        assert_eq!(&answer, b"HTTP/1.1 408");
        assert!(took >= Duration::from_secs(7), "the time of grace is given: {took:?}");
    }
}

#[tokio::test]
async fn heads_that_do_not_end_are_closed_in_time_while_a_message_is_received() {
    let (world, _) = World::live().await;
    world.caller("Oasis", BUYER).await;
    let served = serve(&world, bounds(), CONNECTIONS).await;
    let begun = Instant::now();
    let mut unfinished = Vec::new();
    for n in 0..200 {
        let mut stream = served.connect_from(STRANGER).await;
        // Some connections send nothing.
        if n % 4 > 0 {
            stream.write_all(b"POST /as4 HTTP/1.1\r\nHost: local").await.unwrap();
        }
        unfinished.push(stream);
    }
    assert_receipt(served.send("A-1").await);
    for stream in &mut unfinished {
        let mut answer = Vec::new();
        // A reset connection is closed too.
        let _closed = timeout(LONG, stream.read_to_end(&mut answer)).await.expect("it is closed");
        assert!(answer.is_empty(), "{}", String::from_utf8_lossy(&answer));
    }
    assert!(begun.elapsed() >= CONNECTIONS.head_within);
}

#[tokio::test]
async fn one_address_has_so_many_connections_and_others_are_served() {
    let (world, _) = World::live().await;
    world.caller("Oasis", BUYER).await;
    let connections = Connections { head_within: LONG, ..CONNECTIONS };
    let served = serve(&world, Bounds { of_address: 3, ..bounds() }, connections).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(served.connect_from(STRANGER).await);
    }
    let (head, body) = end(served.begin_from(STRANGER, "Content-Length: 1", "x").await).await;
    assert!(head.starts_with("http/1.1 503"), "{head}");
    assert!(head.contains("\r\nretry-after: 5"), "{head}");
    assert_eq!(body, "This server accepts at most 3 messages from one address at once.");
    assert_receipt(served.send("A-1").await);
    // A finished connection makes room for another.
    drop(open.pop());
    let again = async {
        while status(served.begin_from(STRANGER, "Content-Length: 1", "x").await).await != 200 {}
    };
    timeout(LONG, again).await.unwrap();
}

#[tokio::test]
async fn beyond_all_connections_the_answer_names_the_bound() {
    let (world, _) = World::live().await;
    let connections = Connections { at_once: 2, head_within: LONG, ..CONNECTIONS };
    let served = serve(&world, bounds(), connections).await;
    let _open = [served.connect_from(STRANGER).await, served.connect_from(STRANGER).await];
    let (head, body) = end(served.begin("Content-Length: 1", "x").await).await;
    assert!(head.starts_with("http/1.1 503") && head.contains("\r\nretry-after: 5"), "{head}");
    assert_eq!(body, "This server accepts at most 2 connections at once.");
}

/// Waits until another message of this address would be refused.
async fn filled(served: &Served, from: &str, length: usize) -> (String, String) {
    let refused = async {
        loop {
            let stream = served.begin_from(from, &format!("Content-Length: {length}"), "").await;
            // A message for which there is room waits; it is abandoned here.
            if let Ok(answer) = timeout(Duration::from_millis(300), end(stream)).await {
                return answer;
            }
        }
    };
    timeout(LONG, refused).await.unwrap()
}

#[tokio::test]
async fn what_is_spooled_is_bounded_for_an_address_and_for_all() {
    let (world, _) = World::live().await;
    let pace = Pace { grace: LONG, ..bounds().pace };
    let served = serve(&world, Bounds { pace, ..bounds() }, CONNECTIONS).await;
    let part = "x".repeat(90_000);
    let mut under_way = Vec::new();
    for from in ["127.0.0.2:0", "127.0.0.2:0"] {
        under_way.push(served.begin_from(from, "Content-Length: 90001", &part).await);
    }
    let (head, body) = filled(&served, "127.0.0.2:0", 90_001).await;
    assert!(head.starts_with("http/1.1 503") && head.contains("\r\nretry-after: 5"), "{head}");
    assert_eq!(body, "This server spools at most 200000 bytes from one address at once.");
    // Another address has room until the total limit is reached.
    under_way.push(served.begin_from("127.0.0.3:0", "Content-Length: 90001", &part).await);
    let (head, body) = filled(&served, "127.0.0.4:0", 90_001).await;
    assert!(head.starts_with("http/1.1 503"), "{head}");
    assert_eq!(body, "This server spools at most 300000 bytes at once.");
    // A finished message makes room.
    drop(under_way);
    let room = async {
        while status(
            served.begin_from("127.0.0.4:0", "Content-Length: 90001", &format!("{part}x")).await,
        )
        .await
            != 200
        {}
    };
    timeout(LONG, room).await.unwrap();
}

#[tokio::test]
async fn behind_a_proxy_the_client_is_who_the_proxy_says() {
    let (world, _) = World::live().await;
    let pace = Pace { grace: LONG, ..bounds().pace };
    let bounds = Bounds { of_address: 1, forwarded: true, pace, ..bounds() };
    let served = serve(&world, bounds, CONNECTIONS).await;
    // Values from the client come before the one that the proxy adds.
    let said = |client: &str| format!("X-Forwarded-For: 192.0.2.9, {client}\r\nContent-Length: 1");
    let _slow = served.begin(&said("192.0.2.1"), "").await;
    let refused = async {
        loop {
            let stream = served.begin(&said("192.0.2.1:4711"), "").await;
            if let Ok((head, body)) = timeout(Duration::from_millis(300), end(stream)).await {
                return (head, body);
            }
        }
    };
    let (head, body) = timeout(LONG, refused).await.unwrap();
    assert!(head.starts_with("http/1.1 503"), "{head}");
    assert_eq!(body, "This server accepts at most 1 messages from one address at once.");
    assert_eq!(status(served.begin(&said("192.0.2.2"), "x").await).await, 200);
}

#[tokio::test]
async fn an_answer_that_nobody_reads_keeps_no_connection() {
    let (world, _) = World::live().await;
    let connections = Connections { at_once: 1, answer_within: Duration::ZERO, ..CONNECTIONS };
    let served = serve(&world, bounds(), connections).await;
    // This client neither reads its response nor disconnects.
    let _silent = served.begin_from(STRANGER, "Content-Length: 1", "x").await;
    let next = async {
        loop {
            let mut answer = Vec::new();
            // A connection whose response is late is reset.
            let _ = served.begin("Content-Length: 1", "x").await.read_to_end(&mut answer).await;
            if answer.starts_with(b"HTTP/1.1 200") {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(LONG, next).await.unwrap();
}

#[tokio::test]
async fn a_message_that_is_spooled_to_a_file_gets_its_receipt_and_the_file_is_gone() {
    let (world, _) = World::live().await;
    world.caller("Oasis", BUYER).await;
    let directory = TempDir::new().unwrap().keep();
    let spool = Spool { memory_bytes: 100, directory: Some(directory.clone()) };
    let served = serve(&world, Bounds { spool, ..bounds() }, CONNECTIONS).await;
    assert_receipt(served.send("A-1").await);
    // The folder is empty, because a spool file has no name even while it is used.
    std::fs::remove_dir(&directory).unwrap();
    // If no file can be created, the message may be sent again.
    let (head, body) = end(served.begin("Content-Length: 200", &"x".repeat(200)).await).await;
    assert!(head.starts_with("http/1.1 503") && head.contains("\r\nretry-after: 5"), "{head}");
    assert_eq!(body, "The message cannot be stored now.");
    // A server that cannot create files does not start.
    let spool = Spool { memory_bytes: 100, directory: Some(directory) };
    let served = serve(&world, Bounds { spool, ..bounds() }, CONNECTIONS).await;
    assert!(timeout(LONG, served.ended).await.unwrap().unwrap().is_err());
}

#[tokio::test]
async fn a_message_under_way_ends_before_a_server_that_stops() {
    let (world, _) = World::live().await;
    let connections = Connections { head_within: LONG, ..CONNECTIONS };
    let mut served = serve(&world, bounds(), connections).await;
    let _idle = served.connect_from(STRANGER).await;
    let mut under_way = served.begin("Content-Length: 2", "x").await;
    // When the server has processed the next request, it has read this part too.
    assert_eq!(status(served.begin("Content-Length: 1", "x").await).await, 200);
    served.stop.take().unwrap().send(()).unwrap();
    under_way.write_all(b"x").await.unwrap();
    assert_eq!(status(under_way).await, 200);
    timeout(LONG, served.ended).await.unwrap().unwrap().unwrap();
}
