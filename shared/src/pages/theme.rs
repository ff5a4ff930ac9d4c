//! The theme of the pages: light or dark as a person chose, otherwise as the system of the reader.

use axum::http::HeaderMap;

use super::cookies;

/// The parameter that chooses a theme.
pub(super) const THEME: &str = "theme";

/// A theme, or that of the system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system of the reader says.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// Every theme, in the order of the menu.
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// The word in the parameter and in the cookie.
    pub const fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The name of the message with its label.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::System => "theme-system",
            Theme::Light => "theme-light",
            Theme::Dark => "theme-dark",
        }
    }

    /// The value of `<meta name="color-scheme">`.
    pub const fn scheme(self) -> &'static str {
        match self {
            Theme::System => "light dark",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub(super) fn of_word(word: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.word() == word)
    }

    /// The theme in the cookie.
    pub(super) fn kept(headers: &HeaderMap) -> Option<Theme> {
        cookies::value(headers, cookies::THEME).and_then(Theme::of_word)
    }
}
