//! The style sheet, the script and the icon. Their names contain a part of their hash, so browsers can keep them for
//! ever and a new version has a new name.

use std::sync::LazyLock;

use axum::{
    extract::Path,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

use super::PageError;
use crate::types::sha256_hex;

/// The style sheet.
pub(crate) const STYLE_SHEET: &str = include_str!("house.css");
/// The script.
pub(crate) const SCRIPT: &str = include_str!("house.js");
/// The icon.
pub(crate) const ICON: &str = include_str!("icon.svg");

/// The media type of style sheets.
pub(crate) const CSS: &str = "text/css; charset=utf-8";
/// The media type of scripts (RFC 9239, section 6).
pub(crate) const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
/// The media type of the icon.
pub(crate) const SVG: &str = "image/svg+xml";

/// Characters of the hash in a name.
const HASH_LENGTH: usize = 16;

/// Browsers and caches keep assets for a year (RFC 9111, section 5.2.2; RFC 8246).
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The route of the assets.
pub(super) const ROUTE: &str = "/assets/{name}";

/// A file that pages use.
pub(crate) struct Asset {
    /// Its path.
    pub(crate) path: String,
    media_type: HeaderValue,
    content: &'static str,
}

impl Asset {
    /// A file in a folder, such as `/assets`.
    pub(crate) fn new(
        folder: &str,
        stem: &str,
        extension: &str,
        media_type: &'static str,
        content: &'static str,
    ) -> Self {
        let hash = sha256_hex(content.as_bytes());
        let path = format!("{folder}/{stem}-{}.{extension}", &hash[..HASH_LENGTH]);
        Asset { path, media_type: HeaderValue::from_static(media_type), content }
    }

    /// The answer with this file.
    pub(crate) fn answer(&self) -> Response {
        let headers =
            [(header::CONTENT_TYPE, self.media_type.clone()), (header::CACHE_CONTROL, FOR_GOOD)];
        (headers, self.content).into_response()
    }
}

static ASSETS: LazyLock<[Asset; 3]> = LazyLock::new(|| {
    [
        Asset::new("/assets", "house", "css", CSS, STYLE_SHEET),
        Asset::new("/assets", "house", "js", JAVASCRIPT, SCRIPT),
        Asset::new("/assets", "icon", "svg", SVG, ICON),
    ]
});

/// The path of the style sheet.
pub(super) fn style_sheet() -> &'static str {
    &ASSETS[0].path
}

/// The path of the script.
pub(super) fn script() -> &'static str {
    &ASSETS[1].path
}

/// The path of the icon.
pub(super) fn icon() -> &'static str {
    &ASSETS[2].path
}

/// Returns an asset.
pub(super) async fn get(Path(name): Path<String>) -> Result<Response, PageError> {
    let asset = ASSETS.iter().find(|asset| asset.path.strip_prefix("/assets/") == Some(&name));
    Ok(asset.ok_or(PageError::NotFound)?.answer())
}

#[cfg(test)]
#[expect(clippy::float_arithmetic, clippy::disallowed_types, reason = "contrasts are no money")]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The colours of the CSS variables in a part of the style sheet.
    fn colours(part: &str) -> BTreeMap<&str, [u8; 3]> {
        let tokens = part.lines().filter_map(|line| line.trim().strip_prefix("--"));
        let colours = tokens.filter_map(|token| {
            let (name, value) = token.strip_suffix(';')?.split_once(": #")?;
            let channel = |at: usize| u8::from_str_radix(&value[at..at + 2], 16).unwrap();
            Some((name, [channel(0), channel(2), channel(4)]))
        });
        colours.collect()
    }

    /// WCAG 2.2, "relative luminance".
    fn luminance(colour: [u8; 3]) -> f64 {
        let [r, g, b] = colour.map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// WCAG 2.2, "contrast ratio".
    fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    // WCAG 2.2, 1.4.3: "The visual presentation of text and images of text has a contrast ratio of at least 4.5:1".
    // 1.4.11: "a contrast ratio of at least 3:1 against adjacent color(s)" for what tells controls and their states.
    #[test]
    fn every_text_and_control_stands_out_in_light_and_dark() {
        let (light, rest) = STYLE_SHEET.split_once("@media (prefers-color-scheme: dark)").unwrap();
        let (dark, _) = rest.split_once("\n}\n").unwrap();
        let (light, dark) = (colours(light), colours(dark));
        assert_eq!(light.keys().collect::<Vec<_>>(), dark.keys().collect::<Vec<_>>());
        let pairs = [
            ("ink", "ground", 4.5),
            ("ink", "surface", 4.5),
            ("ink-soft", "ground", 4.5),
            ("ink-soft", "surface", 4.5),
            ("link", "ground", 4.5),
            ("link", "surface", 4.5),
            ("action-ink", "action", 4.5),
            ("action-ink", "action-over", 4.5),
            ("live-ink", "live", 4.5),
            ("sandbox-ink", "sandbox", 4.5),
            ("problem-ink", "problem", 4.5),
            ("problem-ink", "surface", 4.5),
            ("good-ink", "good", 4.5),
            ("warn-ink", "warn", 4.5),
            ("busy-ink", "busy", 4.5),
            ("ink", "sunk", 4.5),
            ("ink-soft", "sunk", 4.5),
            ("link", "sunk", 4.5),
            ("edge", "surface", 3.0),
            ("action", "surface", 3.0),
            ("focus", "surface", 3.0),
            ("focus", "ground", 3.0),
        ];
        let mut paired: Vec<_> = pairs.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
        // A line between sections carries no information, so it needs no contrast.
        paired.push("line");
        for (scheme, colours) in [("light", light), ("dark", dark)] {
            for (a, b, least) in pairs {
                let ratio = contrast(colours[a], colours[b]);
                assert!(ratio >= least, "{scheme}: {a} on {b} is {ratio:.2}:1");
            }
            for name in colours.keys() {
                assert!(paired.contains(name), "{name} is looked at nowhere");
            }
        }
    }

    #[test]
    fn colours_are_tokens_alone_and_sides_are_logical() {
        let (_, rules) = STYLE_SHEET.split_once("*::before").unwrap();
        for physical in ["left", "right", "-top", "-bottom", "width:", "height:", "#", "rgb"] {
            let found = rules.lines().find(|line| line.contains(physical) && line.contains(':'));
            let found = found.filter(|line| !line.contains("line-height"));
            assert_eq!(
                found.filter(|line| !line.trim_start().starts_with("/*")),
                None,
                "{physical}"
            );
        }
    }

    #[test]
    fn what_stands_below_something_keeps_its_distance_as_a_panel_too() {
        // Of two rules with equal specificity the later one applies.
        let place = |rule: &str| STYLE_SHEET.find(&format!("\n{rule} {{\n")).unwrap();
        assert!(place(".below") > place(".panel"));
    }

    #[test]
    fn nothing_is_asked_of_another_host() {
        for text in [STYLE_SHEET, ICON] {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            for part in ["http:", "https:", "//", "url(", "@import", "<script"] {
                assert!(!text.contains(part), "{part}");
            }
        }
        for part in ["http", "fetch", "import", "eval", "innerHTML", "cookie", "localStorage"] {
            assert!(!SCRIPT.contains(part), "{part}");
        }
    }
}
