//! What a person gives the validator: a file or a text.

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header},
};

use super::MAX_BYTES;

/// A document, and what is asked for.
pub(super) struct Given {
    pub(super) document: Vec<u8>,
    /// Whether the document is shown as people read it, instead of its findings.
    pub(super) is_view: bool,
}

impl Given {
    /// Reads a form. An error says what to do.
    pub(super) async fn read(headers: &HeaderMap, body: Bytes) -> Result<Self, &'static str> {
        let no_form = "Send the form of this page.";
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let boundary = media_type.and_then(|value| multer::parse_boundary(value).ok());
        let boundary = boundary.ok_or(no_form)?;
        let mut parts = multer::Multipart::new(Body::from(body).into_data_stream(), boundary);
        let (mut file, mut text, mut is_view) = (Bytes::new(), Bytes::new(), false);
        while let Some(part) = parts.next_field().await.map_err(|_| no_form)? {
            let name = part.name().unwrap_or_default().to_owned();
            let value = part.bytes().await.map_err(|_| no_form)?;
            match name.as_str() {
                "file" => file = value,
                "text" => text = value,
                "do" => is_view = &*value == b"view",
                _ => {}
            }
        }
        let document = if file.is_empty() { text } else { file };
        if document.len() > MAX_BYTES {
            return Err("The document is too large.");
        }
        if document.trim_ascii().is_empty() {
            return Err("Choose a file, or paste a document.");
        }
        Ok(Given { document: document.into(), is_view })
    }
}
