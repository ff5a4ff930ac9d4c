//! One request over HTTP/1.0.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use crate::Result;

/// What came back.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn post(url: &str, content_type: &str, body: &[u8]) -> Result<Response> {
    let length = body.len();
    let headers = format!("Content-Type: {content_type}\r\nContent-Length: {length}\r\n");
    request("POST", url, &headers, body, u64::MAX)
}

pub(crate) fn get(url: &str, most_bytes: u64) -> Result<Response> {
    request("GET", url, "", b"", most_bytes)
}

fn request(
    method: &str,
    url: &str,
    headers: &str,
    body: &[u8],
    most_bytes: u64,
) -> Result<Response> {
    let rest = url.strip_prefix("http://").ok_or("an http:// URL")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host)?;
    let head = format!("{method} /{path} HTTP/1.0\r\nHost: {host}\r\n{headers}\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.take(most_bytes).read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no HTTP answer")?;
    let body = answer.split_off(end + 4);
    let head = String::from_utf8_lossy(&answer);
    let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    let mut kinds = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let content_type = kinds.next().map_or(String::new(), |(_, value)| value.trim().to_owned());
    Ok(Response { status, content_type, body })
}
