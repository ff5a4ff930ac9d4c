//! The tokens of the accent colour. A configured colour is darkened for the light theme and lightened for the dark one
//! until every text in it and on it can be read (WCAG 2.2, 1.4.3: 4.5:1).
#![expect(clippy::float_arithmetic, clippy::disallowed_types, reason = "contrasts are no money")]

use crate::types::Colour;

/// The least contrast of text.
const READABLE: f64 = 4.5;
/// The brightest and the darkest ground of each theme below a text in the accent colour.
pub(super) const LIGHT: [Colour; 2] = [Colour([0xff; 3]), Colour([0xf1, 0xf5, 0xf9])];
pub(super) const DARK: [Colour; 2] = [Colour([0x0f, 0x14, 0x1b]), Colour([0x20, 0x28, 0x34])];
const WHITE: Colour = Colour([0xff; 3]);
const BLACK: Colour = Colour([0x00; 3]);
/// The text on the accent colour of the dark theme.
const DARK_INK: Colour = Colour([0x0b, 0x12, 0x18]);

/// The tokens, as a rule of the style sheet.
pub(super) fn tokens(accent: Colour) -> String {
    let light = on_white(accent);
    let dark = readable(accent, WHITE, &DARK);
    let (light_over, dark_over) = (mixed(light, BLACK, 0.15), mixed(dark, WHITE, 0.3));
    let (light_soft, dark_soft) = (mixed(LIGHT[0], light, 0.08), mixed(DARK[0], dark, 0.16));
    format!(
        "\n:root {{\n  --accent: light-dark({light}, {dark});\n  --accent-over: light-dark({light_over}, \
         {dark_over});\n  --accent-soft: light-dark({light_soft}, {dark_soft});\n  --accent-ink: light-dark({WHITE}, \
         {DARK_INK});\n}}\n"
    )
}

/// The accent colour as a ground of white signs.
pub(super) fn on_white(accent: Colour) -> Colour {
    readable(accent, BLACK, &LIGHT)
}

/// The nearest mixture with another colour that can be read on every ground.
fn readable(colour: Colour, towards: Colour, grounds: &[Colour]) -> Colour {
    let is_readable = |it: &Colour| grounds.iter().all(|ground| contrast(*it, *ground) >= READABLE);
    let mut mixtures = (0..=100).map(|percent| mixed(colour, towards, f64::from(percent) / 100.0));
    mixtures.find(is_readable).unwrap_or(towards)
}

/// A colour with a part of another.
fn mixed(colour: Colour, other: Colour, part: f64) -> Colour {
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
pub(super) fn contrast(a: Colour, b: Colour) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}
