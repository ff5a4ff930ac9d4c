//! A view as one page of HTML, which needs nothing from elsewhere: its style is in it, and there is no script.

use std::sync::LazyLock;

use askama::Template;
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{
    Languages, View,
    sheet::{Section, Sheet},
};
use crate::error::Finding;

/// As the template has it: without the line break at its end.
const STYLE: &str = include_str!("../../templates/rendering/document.css").trim_ascii_end();

/// The `Content-Security-Policy` of a view: its own style holds, told by its hash, and nothing else (Content Security Policy
/// Level 3, section 2.3.1).
pub static POLICY: LazyLock<String> =
    LazyLock::new(|| format!("{}; frame-ancestors 'none'", *POLICY_WITHIN));

/// The part of it that holds from within a page too (ibid., section 3.3), which the page has with it where no header is: as a
/// file, and from the bucket.
static POLICY_WITHIN: LazyLock<String> = LazyLock::new(|| {
    let style = STANDARD.encode(Sha256::digest(STYLE));
    format!("default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'")
});

/// A view as HTML, with what was found in the document above it.
///
/// # Errors
/// None that a template of ours gives, which writes to memory.
pub fn html(
    view: &View,
    languages: Languages,
    findings: &[Finding],
) -> Result<String, askama::Error> {
    Page { sheet: Sheet::of(view, languages, findings) }.render()
}

#[derive(Template)]
#[template(path = "rendering/document.html")]
struct Page<'a> {
    sheet: Sheet<'a>,
}

impl Page<'_> {
    fn policy(&self) -> &'static str {
        &POLICY_WITHIN
    }
}
