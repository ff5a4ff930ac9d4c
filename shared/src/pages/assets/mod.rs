//! The style sheet, the script, the icon and the logo, in the look of the service. Their names contain a part of their
//! hash, so browsers can keep them for ever and a new version has a new name.

mod accent;

use std::borrow::Cow;

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

use crate::types::{Brand, Logo, sha256_hex};

/// The style sheet without the tokens of the accent colour.
const STYLE_SHEET: &str = concat!(
    include_str!("tokens.css"),
    include_str!("base.css"),
    include_str!("shell.css"),
    include_str!("parts.css"),
    include_str!("tables.css"),
    include_str!("home.css"),
    include_str!("documents.css"),
    include_str!("write.css"),
);
const SCRIPT: &str = include_str!("portal.js");
/// The script of the form in which a document is written. Only this page may call the service.
const WRITING: &str = include_str!("write.js");
const ICON: &str = include_str!("icon.svg");
/// The colour in the file of the icon, which the accent replaces.
const ICON_COLOUR: &str = "#0f5c52";

/// The media type of style sheets.
pub(crate) const CSS: &str = "text/css; charset=utf-8";
/// The media type of scripts (RFC 9239, section 6).
pub(crate) const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// Characters of the hash in a name.
const HASH_LENGTH: usize = 16;

/// Browsers and caches keep assets for a year (RFC 9111, section 5.2.2; RFC 8246).
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The folder of the assets.
pub(super) const ASSETS: &str = "/assets";
/// The route of the assets.
pub(super) const ROUTE: &str = "/assets/{name}";

/// A file that pages use.
#[derive(Debug)]
pub(crate) struct Asset {
    /// Its path.
    pub(crate) path: String,
    media_type: &'static str,
    content: Cow<'static, [u8]>,
}

impl Asset {
    /// A file in a folder, such as `/assets`.
    pub(crate) fn new(
        folder: &str,
        (stem, extension): (&str, &str),
        media_type: &'static str,
        content: impl Into<Cow<'static, [u8]>>,
    ) -> Self {
        let content = content.into();
        let hash = sha256_hex(&content);
        let path = format!("{folder}/{stem}-{}.{extension}", &hash[..HASH_LENGTH]);
        Asset { path, media_type, content }
    }

    /// The answer with this file.
    pub(crate) fn answer(&self) -> Response {
        let media_type = HeaderValue::from_static(self.media_type);
        let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, FOR_GOOD)];
        (headers, self.content.clone()).into_response()
    }
}

/// How the service looks: its name and its assets.
#[derive(Debug)]
pub(crate) struct Look {
    /// The configured name.
    pub(crate) name: Option<String>,
    /// The style sheet, with the accent colour.
    pub(crate) style_sheet: Asset,
    /// The script, which is optional on every page.
    pub(crate) script: Asset,
    /// The script of the form in which a document is written.
    pub(crate) writing: Asset,
    /// The icon, in the accent colour.
    pub(crate) icon: Asset,
    /// The path of the logo: of the icon, if there is no other.
    pub(crate) logo: String,
    /// The file of the logo, if this service serves it.
    picture: Option<Asset>,
}

impl Look {
    /// The look of a brand, with assets in a folder.
    pub(crate) fn new(folder: &str, brand: &Brand) -> Self {
        let asset =
            |name, media_type, content: Vec<u8>| Asset::new(folder, name, media_type, content);
        let style = format!("{STYLE_SHEET}{}", accent::tokens(brand.accent));
        let icon = ICON.replace(ICON_COLOUR, &accent::on_white(brand.accent).to_string());
        let icon = asset(("icon", "svg"), SVG, icon.into_bytes());
        let picture = match &brand.logo {
            Some(Logo::Svg(content)) => Some(asset(("logo", "svg"), SVG, content.clone())),
            Some(Logo::Png(content)) => Some(asset(("logo", "png"), PNG, content.clone())),
            Some(Logo::At(_)) | None => None,
        };
        let logo = match (&brand.logo, &picture) {
            (Some(Logo::At(path)), _) => path.clone(),
            (_, Some(picture)) => picture.path.clone(),
            _ => icon.path.clone(),
        };
        Look {
            name: brand.name.clone(),
            style_sheet: asset(("portal", "css"), CSS, style.into_bytes()),
            script: Asset::new(folder, ("portal", "js"), JAVASCRIPT, SCRIPT.as_bytes()),
            writing: Asset::new(folder, ("write", "js"), JAVASCRIPT, WRITING.as_bytes()),
            icon,
            logo,
            picture,
        }
    }

    /// The asset with this path.
    pub(crate) fn asset(&self, path: &str) -> Option<&Asset> {
        let own = [&self.style_sheet, &self.script, &self.writing, &self.icon];
        own.into_iter().chain(&self.picture).find(|asset| asset.path == path)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{
        accent::{DARK, LIGHT},
        *,
    };
    use crate::types::{Colour, contrast};

    fn style_of(accent: &str) -> String {
        let brand = Brand { accent: accent.parse().unwrap(), ..Brand::default() };
        let look = Look::new("/assets", &brand);
        String::from_utf8(look.style_sheet.content.into_owned()).unwrap()
    }

    /// The colours of the tokens, light and dark.
    fn colours(style: &str) -> BTreeMap<&str, [Colour; 2]> {
        let tokens = style.lines().filter_map(|line| line.trim().strip_prefix("--"));
        let colours = tokens.filter_map(|token| {
            let (name, value) = token.strip_suffix(");")?.split_once(": light-dark(")?;
            let (light, dark) = value.split_once(", ")?;
            Some((name, [light.parse().ok()?, dark.parse().ok()?]))
        });
        colours.collect()
    }

    // WCAG 2.2, 1.4.3: "The visual presentation of text and images of text has a contrast ratio of at least 4.5:1".
    // 1.4.11: "a contrast ratio of at least 3:1 against adjacent color(s)" for what tells controls and their states.
    #[test]
    fn every_text_and_control_stands_out_in_light_and_dark() {
        let pairs = [
            ("ink", "ground", 4.5),
            ("ink", "surface", 4.5),
            ("ink", "sunk", 4.5),
            ("ink", "accent-soft", 4.5),
            ("ink-soft", "ground", 4.5),
            ("ink-soft", "surface", 4.5),
            ("ink-soft", "sunk", 4.5),
            ("accent", "ground", 4.5),
            ("accent", "surface", 4.5),
            ("accent", "sunk", 4.5),
            ("accent-ink", "accent", 4.5),
            ("accent-ink", "accent-over", 4.5),
            ("live-ink", "live", 4.5),
            ("sandbox-ink", "sandbox", 4.5),
            ("problem-ink", "problem", 4.5),
            ("problem-ink", "surface", 4.5),
            ("good-ink", "good", 4.5),
            ("good-ink", "surface", 4.5),
            ("warn-ink", "warn", 4.5),
            ("warn-ink", "surface", 4.5),
            ("busy-ink", "busy", 4.5),
            ("edge", "surface", 3.0),
            ("accent", "accent-soft", 3.0),
        ];
        let mut paired: Vec<_> = pairs.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
        // A line between sections carries no information, so it needs no contrast.
        paired.push("line");
        // The default accent, and colours that nobody could read on one of the grounds.
        for accent in ["#0f5c52", "#000000", "#ffffff", "#ffff00", "#7c3aed", "#00e5ff", "#808080"]
        {
            let style = style_of(accent);
            let colours = colours(&style);
            for (scheme, at) in [("light", 0), ("dark", 1)] {
                for (a, b, least) in pairs {
                    let ratio = contrast(colours[a][at], colours[b][at]);
                    assert!(ratio >= least, "{accent}, {scheme}: {a} on {b} is {ratio:.2}:1");
                }
            }
            for name in colours.keys() {
                assert!(paired.contains(name), "{name} is looked at nowhere");
            }
            assert_eq!(["surface", "sunk"].map(|name| colours[name][0]), LIGHT);
            assert_eq!(["ground", "sunk"].map(|name| colours[name][1]), DARK);
        }
    }

    #[test]
    fn the_look_follows_the_brand() {
        let plain = Look::new("/assets", &Brand::default());
        assert_eq!(plain.logo, plain.icon.path);
        let brand = Brand {
            accent: "#7c3aed".parse().unwrap(),
            logo: Some(Logo::Png(b"a picture".to_vec())),
            ..Brand::default()
        };
        let look = Look::new("/assets", &brand);
        assert_ne!(look.icon.path, plain.icon.path);
        assert!(String::from_utf8_lossy(&look.icon.content).contains("#7c3aed"));
        assert!(look.asset(&look.logo).is_some_and(|asset| asset.media_type == PNG));
        let at = Brand { logo: Some(Logo::At("/brand/logo.svg".to_owned())), ..brand };
        let look = Look::new("/assets", &at);
        assert_eq!(
            (look.logo.as_str(), look.asset(&look.logo).is_none()),
            ("/brand/logo.svg", true)
        );
    }

    #[test]
    fn colours_are_tokens_alone_and_sides_are_logical() {
        let (_, rules) = STYLE_SHEET.split_once("*::before").unwrap();
        for physical in ["left", "right", "-top", "-bottom", "width:", "height:", "#", "rgb"] {
            let found = rules.lines().find(|line| line.contains(physical) && line.contains(':'));
            let found = found
                .filter(|line| !line.contains("line-height") && !line.contains("stroke-width"));
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
        for part in ["http", "import", "eval", "innerHTML", "cookie", "localStorage"] {
            assert!(!SCRIPT.contains(part) && !WRITING.contains(part), "{part}");
        }
        // A script asks for the page itself, or for the check of the form.
        for (script, target) in
            [(SCRIPT, "fetch(location.href,"), (WRITING, "fetch(form.dataset.check,")]
        {
            let requests = script.matches("fetch").count();
            assert_eq!((requests, script.matches(target).count()), (1, 1));
        }
    }
}
