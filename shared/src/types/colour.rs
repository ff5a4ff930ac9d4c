//! Colours of sRGB, and how well one can be read on another (WCAG 2.2).
#![expect(clippy::float_arithmetic, clippy::disallowed_types, reason = "contrasts are no money")]

use std::{fmt, str::FromStr};

/// The least contrast of text (WCAG 2.2, 1.4.3).
const READABLE: f64 = 4.5;

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

/// The nearest mixture with another colour that can be read on every ground.
pub fn readable(colour: Colour, towards: Colour, grounds: &[Colour]) -> Colour {
    let is_readable = |it: &Colour| grounds.iter().all(|ground| contrast(*it, *ground) >= READABLE);
    let mut mixtures = (0..=100).map(|percent| mixed(colour, towards, f64::from(percent) / 100.0));
    mixtures.find(is_readable).unwrap_or(towards)
}

/// A colour with a part of another.
pub fn mixed(colour: Colour, other: Colour, part: f64) -> Colour {
    let channel = |at: usize| {
        let (a, b) = (f64::from(colour.0[at]), f64::from(other.0[at]));
        // Between 0 and 255, as both are.
        (a + (b - a) * part).round() as u8
    };
    Colour([channel(0), channel(1), channel(2)])
}

/// WCAG 2.2, "relative luminance".
fn luminance(Colour(channels): Colour) -> f64 {
    let [r, g, b] = channels.map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// WCAG 2.2, "contrast ratio".
pub fn contrast(a: Colour, b: Colour) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
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
