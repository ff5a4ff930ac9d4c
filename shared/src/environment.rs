//! The environment of the process. This is the only module that reads it.

use std::collections::BTreeMap;

/// The variables of a process, read once.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// The environment of this process.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn of_process() -> Self {
        Environment(std::env::vars().collect())
    }

    /// The value of a variable; one that is empty counts as not set.
    pub fn get(&self, variable: &str) -> Option<&str> {
        self.0.get(variable).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// `NO_COLOR`: whether colours are unwelcome, whatever its value (<https://no-color.org>).
    pub fn wants_no_colour(&self) -> bool {
        self.get("NO_COLOR").is_some()
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        Environment(variables.into_iter().map(|(k, v)| (k.into(), v.into())).collect())
    }
}
