//! Renders a view as one self-contained HTML page. Its style is inline, and it has no script.

use std::sync::LazyLock;

use askama::Template;
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{Rendering, View, paper::Paper};
use crate::xml;

/// The template has no line break at the end of the style.
const STYLE: &str = include_str!("../../templates/rendering/document.css").trim_ascii_end();

/// The `Content-Security-Policy` of a view. It allows only the page's own style, by its hash (Content Security Policy
/// Level 3, section 2.3.1), and the logo within the page.
pub static POLICY: LazyLock<String> =
    LazyLock::new(|| format!("{}; frame-ancestors 'none'", *POLICY_WITHIN));

/// The policy of a view that a page of the same origin may frame.
pub static POLICY_FRAMED: LazyLock<String> =
    LazyLock::new(|| format!("{}; frame-ancestors 'self'", *POLICY_WITHIN));

/// The part of the policy that also works in a `meta` element (ibid., section 3.3). The page contains it for uses
/// without a header: as a file, and from the bucket.
static POLICY_WITHIN: LazyLock<String> = LazyLock::new(|| {
    let style = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
});

/// Renders a view as HTML, with the findings at the top.
///
/// # Errors
/// No known error: our templates render to memory.
pub fn html(view: &View, rendering: &Rendering<'_>) -> Result<String, askama::Error> {
    let logo = rendering.logo.map(|logo| STANDARD.encode(logo.png));
    Page { paper: Paper::of(view, rendering), logo }.render()
}

/// [`html`] of UBL. An error says that it is no invoice or credit note, or lacks too much to be shown.
pub fn html_of(
    ubl: &[u8],
    rendering: &Rendering<'_>,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let tree = xml::parse(ubl)?;
    Ok(html(&View::of(&tree)?, rendering)?)
}

#[derive(Template)]
#[template(path = "rendering/document.html")]
struct Page<'a> {
    paper: Paper<'a>,
    /// The logo in Base64.
    logo: Option<String>,
}

impl Page<'_> {
    fn policy(&self) -> &'static str {
        &POLICY_WITHIN
    }
}
