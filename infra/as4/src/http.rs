//! Requests over plain HTTP, the next to a server over the connection of the last.

use axum::{
    body::{Body, to_bytes},
    http::{HeaderName, Request, Uri, header},
};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::Result;

/// Bytes of an answer at most.
const MOST_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// What came back.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

/// The connection to the server that was asked last.
#[derive(Default)]
pub(crate) struct Client {
    open: Option<(String, SendRequest<Body>)>,
}

impl Client {
    pub(crate) async fn post(
        &mut self,
        url: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Result<Response> {
        let request = Request::post(url).header(header::CONTENT_TYPE, content_type);
        self.exchange(request.body(Body::from(body))?, MOST_ANSWER_BYTES).await
    }

    pub(crate) async fn get(&mut self, url: &str, most_bytes: usize) -> Result<Response> {
        self.exchange(Request::get(url).body(Body::empty())?, most_bytes).await
    }

    async fn exchange(
        &mut self,
        mut request: Request<Body>,
        most_bytes: usize,
    ) -> Result<Response> {
        let uri = request.uri();
        let plain = uri.scheme_str() == Some("http");
        let host = uri.authority().filter(|_| plain).ok_or("an http:// URL")?.to_string();
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        *request.uri_mut() = path.parse::<Uri>()?;
        request.headers_mut().insert(header::HOST, host.parse()?);
        let mut sender = self.connection(host.clone()).await?;
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let text = |name: HeaderName| response.headers().get(name)?.to_str().ok();
        let content_type = text(header::CONTENT_TYPE).unwrap_or_default().to_owned();
        let body = to_bytes(Body::new(response.into_body()), most_bytes).await?.into();
        self.open = Some((host, sender));
        Ok(Response { status, content_type, body })
    }

    /// The open connection, if it leads to this host and its other end still holds it; else a new one.
    async fn connection(&mut self, host: String) -> Result<SendRequest<Body>> {
        if let Some((to, mut sender)) = self.open.take()
            && to == host
            && sender.ready().await.is_ok()
        {
            return Ok(sender);
        }
        let (sender, connection) =
            http1::handshake(TokioIo::new(TcpStream::connect(host).await?)).await?;
        tokio::spawn(connection);
        Ok(sender)
    }
}
