//! The tokens of the accent colour. A configured colour is darkened for the light theme and lightened for the dark one
//! until every text in it and on it can be read (WCAG 2.2, 1.4.3: 4.5:1).

use crate::types::{Colour, mixed, readable};

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
