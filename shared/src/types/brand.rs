//! The name and the look of the service as people see them (white label).

use super::Colour;

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
