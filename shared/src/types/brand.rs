//! The name and the look of the service as people see them (white label).

use std::{fmt, str::FromStr};

/// What the operator of a deployment calls its service, and how it looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brand {
    /// The name. `None` for the general name in the language of the reader.
    pub name: Option<String>,
    /// The one colour of actions, links and the current place.
    pub accent: Colour,
    /// The mark before the name. `None` for a general mark in the accent colour.
    pub logo: Option<Logo>,
}

/// A mark before the name of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Logo {
    /// A path of the same origin, which someone else serves.
    At(String),
    /// A picture, which the service serves.
    Svg(Vec<u8>),
    /// A picture, which the service serves.
    Png(Vec<u8>),
}

/// A colour of sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Default for Colour {
    fn default() -> Self {
        Colour([0x0f, 0x5c, 0x52])
    }
}

/// The text is no colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoColour;

impl FromStr for Colour {
    type Err = NoColour;

    /// Reads `#` and six hexadecimal digits (CSS Color 4, section 5.2).
    fn from_str(text: &str) -> Result<Self, NoColour> {
        let digits = text.strip_prefix('#').ok_or(NoColour)?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NoColour);
        }
        let [_, r, g, b] = u32::from_str_radix(digits, 16).map_err(|_| NoColour)?.to_be_bytes();
        Ok(Colour([r, g, b]))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_six_hexadecimal_digits() {
        assert_eq!("#0f5C52".parse(), Ok(Colour::default()));
        assert_eq!(Colour::default().to_string(), "#0f5c52");
        for wrong in ["", "0f5c52", "#0f5c5", "#0f5c522", "#0f5c5g", "#+f5c52", "teal"] {
            assert_eq!(wrong.parse::<Colour>(), Err(NoColour), "{wrong}");
        }
    }
}
