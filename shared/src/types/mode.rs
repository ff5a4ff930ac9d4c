use std::fmt;

use serde::{Deserialize, Serialize};

/// Live or Sandbox: two separate environments. The mode comes from the credential alone and is the first part of
/// every storage key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The real Peppol network and the real tax authority.
    Live,
    /// Free test environment; nothing leaves the service.
    Sandbox,
}

impl Mode {
    /// `live` or `sandbox`, as shown to integrators.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Live => "live",
            Mode::Sandbox => "sandbox",
        }
    }

    /// `LIVE` or `SANDBOX`, the first part of storage keys.
    pub fn key(self) -> &'static str {
        match self {
            Mode::Live => "LIVE",
            Mode::Sandbox => "SANDBOX",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One value for each mode; only the mode selects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByMode<T> {
    /// Live's.
    pub live: T,
    /// Sandbox's.
    pub sandbox: T,
}

impl<T> ByMode<T> {
    /// The value of a mode.
    pub fn of(&self, mode: Mode) -> &T {
        match mode {
            Mode::Live => &self.live,
            Mode::Sandbox => &self.sandbox,
        }
    }
}
