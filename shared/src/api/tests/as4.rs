//! The address of messages over real HTTP: its bounds, and a message through it.

use std::{net::SocketAddr, time::Duration};

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{
    api::{Bounds, as4},
    egress::{Client, Egress, Limits},
    testing::{BUYER, Parcel, World},
};

const BOUNDS: Bounds =
    Bounds { bytes: 100_000, at_once: 1, body_within: Duration::from_millis(500) };

async fn serve(world: &World) -> SocketAddr {
    let router = as4(world.receiving(), BOUNDS);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// A request of which this much is sent.
async fn begin(address: SocketAddr, headers: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "POST /as4 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    stream.write_all(format!("{head}{headers}\r\n\r\n{body}").as_bytes()).await.unwrap();
    stream
}

/// Status and body of the answer.
async fn end(mut stream: TcpStream) -> (u16, String) {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[tokio::test]
async fn a_message_beyond_the_limit_is_refused_before_it_has_come() {
    let (world, _) = World::live().await;
    let address = serve(&world).await;
    let stream = begin(address, "Content-Length: 100001", "").await;
    assert_eq!(end(stream).await, (413, String::new()));
    // One that does not say how long it is: when it has grown too long.
    let chunk = format!("186a1\r\n{}\r\n0\r\n\r\n", "x".repeat(100_001));
    let stream = begin(address, "Transfer-Encoding: chunked", &chunk).await;
    assert_eq!(end(stream).await.0, 413);
}

#[tokio::test]
async fn a_message_that_does_not_come_is_given_up_and_keeps_its_place_until_then() {
    let (world, _) = World::live().await;
    let address = serve(&world).await;
    let slow = begin(address, "Content-Length: 1000", "--b").await;
    // The place is taken once the head has been read.
    let busy = async {
        loop {
            let answer = end(begin(address, "Content-Length: 0", "").await).await;
            if answer.0 == 503 {
                return answer;
            }
        }
    };
    let busy = tokio::time::timeout(Duration::from_secs(10), busy).await.unwrap();
    assert_eq!(busy, (503, String::new()));
    assert_eq!(end(slow).await.0, 408);
    // The place is free again: nothing but garbage is wrong with this one, which is answered as such.
    let (status, answer) = end(begin(address, "Content-Length: 1", "x").await).await;
    assert_eq!(status, 200);
    assert!(answer.contains("EBMS:"), "{answer}");
}

#[tokio::test]
async fn a_message_that_comes_well_gets_its_receipt() {
    let (world, _) = World::live().await;
    world.caller("Oasis", BUYER).await;
    let url = format!("http://{}/as4", serve(&world).await);
    let packed = Parcel::invoice("A-1").pack();
    let content_type = HeaderValue::try_from(packed.content_type).unwrap();
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type)]);
    let limits = Limits { deadline: Duration::from_secs(20), answer_bytes: 100_000 };
    let client = Client::new(Egress::Any).unwrap();
    let answer = client.request(Method::POST, &url, headers, packed.body, limits).await.unwrap();
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.content_type.as_deref(), Some(crate::peppol::as4::SIGNAL_CONTENT_TYPE));
    assert!(String::from_utf8(answer.body).unwrap().contains("NonRepudiationInformation"));
}
