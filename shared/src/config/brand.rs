//! The name and the look of the service.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::ConfigError;
use crate::{
    environment::Environment,
    types::{Brand, Colour, Logo},
};

/// Maximum characters of the name: it stands beside the mark in the navigation.
const LONGEST_NAME: usize = 40;
/// Maximum bytes of a logo's variable. All variables of a function have at most 4 kB.
const LONGEST_LOGO: usize = 2_048;

/// How people see the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandConfig {
    /// `SERVICE_NAME`, `SERVICE_ACCENT` and `SERVICE_LOGO`, each optional.
    pub brand: Brand,
}

impl BrandConfig {
    /// Reads the three variables.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let name = environment.get("SERVICE_NAME").map(name).transpose()?;
        let accent = environment.get("SERVICE_ACCENT").map(accent).transpose()?;
        let logo = environment.get("SERVICE_LOGO").map(logo).transpose()?;
        Ok(BrandConfig { brand: Brand { name, accent: accent.unwrap_or_default(), logo } })
    }
}

fn name(value: &str) -> Result<String, ConfigError> {
    let fits = value.chars().count() <= LONGEST_NAME && value.trim() == value;
    // Format characters, such as marks of direction, would change the text around the name.
    let is_invisible = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    if fits && !value.chars().any(is_invisible) {
        return Ok(value.to_owned());
    }
    let expected = format!("a name of 1 to {LONGEST_NAME} characters on one line");
    Err(ConfigError::Invalid { variable: "SERVICE_NAME", value: value.to_owned(), expected })
}

fn accent(value: &str) -> Result<Colour, ConfigError> {
    value.parse().map_err(|_| ConfigError::Invalid {
        variable: "SERVICE_ACCENT",
        value: value.to_owned(),
        expected: "a colour of # and six hexadecimal digits, such as #0f5c52".to_owned(),
    })
}

fn logo(value: &str) -> Result<Logo, ConfigError> {
    let found = (value.len() <= LONGEST_LOGO).then(|| picture(value).or_else(|| path(value)));
    found.flatten().ok_or_else(|| ConfigError::Invalid {
        variable: "SERVICE_LOGO",
        value: value.chars().take(40).collect(),
        expected: format!(
            "a data URL of an SVG or PNG picture in base64, or a path of this host such as /brand/logo.svg, of at most \
             {LONGEST_LOGO} bytes"
        ),
    })
}

/// A picture in a data URL (RFC 2397).
fn picture(value: &str) -> Option<Logo> {
    let read = |begin| STANDARD.decode(value.strip_prefix(begin)?).ok();
    let svg = read("data:image/svg+xml;base64,");
    let svg =
        svg.filter(|picture| std::str::from_utf8(picture).is_ok_and(|it| it.contains("<svg")));
    // PNG, section 5.2.
    let png =
        read("data:image/png;base64,").filter(|picture| picture.starts_with(b"\x89PNG\r\n\x1a\n"));
    svg.map(Logo::Svg).or(png.map(Logo::Png))
}

/// A path of the same origin, written as it is in an attribute.
fn path(value: &str) -> Option<Logo> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._".contains(&byte);
    let is_path = value.starts_with('/') && !value.contains("//") && !value.contains("..");
    let is_path = is_path && value.bytes().all(plain);
    is_path.then(|| Logo::At(value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&'static str, &str)]) -> Result<Brand, ConfigError> {
        BrandConfig::read(&Environment::from_iter(pairs.iter().copied())).map(|read| read.brand)
    }

    #[test]
    fn a_brand_has_a_name_a_colour_and_a_logo_and_each_is_optional() {
        assert_eq!(read(&[]), Ok(Brand::default()));
        let svg = STANDARD.encode("<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        let svg = format!("data:image/svg+xml;base64,{svg}");
        let brand = read(&[
            ("SERVICE_NAME", "Falcon e-Invoicing"),
            ("SERVICE_ACCENT", "#7c3aed"),
            ("SERVICE_LOGO", &svg),
        ]);
        let brand = brand.unwrap();
        assert_eq!(brand.name.as_deref(), Some("Falcon e-Invoicing"));
        assert_eq!(brand.accent.to_string(), "#7c3aed");
        assert!(matches!(brand.logo, Some(Logo::Svg(_))));
        let at = read(&[("SERVICE_LOGO", "/brand/logo.svg")]).unwrap();
        assert_eq!(at.logo, Some(Logo::At("/brand/logo.svg".to_owned())));
    }

    #[test]
    fn a_brand_that_pages_cannot_show_stops_the_start() {
        let long = "x".repeat(LONGEST_NAME + 1);
        let large = format!("/{}", "x".repeat(LONGEST_LOGO));
        for (variable, value) in [
            ("SERVICE_NAME", "two\nlines"),
            ("SERVICE_NAME", " padded"),
            ("SERVICE_NAME", "a\u{202e}b"),
            ("SERVICE_NAME", &long),
            ("SERVICE_ACCENT", "teal"),
            ("SERVICE_LOGO", "https://elsewhere.example/logo.svg"),
            ("SERVICE_LOGO", "//elsewhere.example/logo.svg"),
            ("SERVICE_LOGO", "/logo.svg\" onload=\"x"),
            ("SERVICE_LOGO", "/../logo.svg"),
            ("SERVICE_LOGO", "/logos//logo.svg"),
            ("SERVICE_LOGO", "data:image/png;base64,AAAA"),
            ("SERVICE_LOGO", "data:image/svg+xml;base64,AAAA"),
            ("SERVICE_LOGO", "data:text/html;base64,PGh0bWw+"),
            ("SERVICE_LOGO", &large),
        ] {
            let refused = read(&[(variable, value)]).unwrap_err().to_string();
            assert!(refused.starts_with(variable), "{refused}");
        }
    }
}
