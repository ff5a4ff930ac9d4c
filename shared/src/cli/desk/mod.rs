//! What an integrator does at the desk: clients of the HTTP interface, which know nothing of the service but that.

mod api;
pub(super) mod completions;
mod credentials;
pub(super) mod documents;
pub(super) mod events;
mod forward;
pub(super) mod import;
pub(super) mod listen;
pub(super) mod login;
mod sample;
pub(super) mod send;
mod tail;
pub(super) mod trigger;

use std::collections::BTreeSet;

use lexopt::prelude::*;
use serde_json::Value;

use super::{Error, print, table::aligned, text};

/// Where the commands find whom they act for; a part of their usages.
macro_rules! credentials_usage {
    () => {
        "
Whose key it is stands in the environment, or in a file of mode 600 that `access-point login` writes
($XDG_CONFIG_HOME/access-point/credentials.json, else ~/.config/…); what the environment says goes before the file:

  ACCESS_POINT_URL        address of the API, such as https://api.example.com
  ACCESS_POINT_API_KEY    pk_live_… or pk_test_…
  ACCESS_POINT_TAXPAYER   txpay_…, for whom the organization acts

Exit status: 0 done, 1 refused, 2 wrong usage or credentials, 3 the service did not answer: try again.
"
    };
}
pub(super) use credentials_usage;

/// What a command was given.
struct Given {
    words: Vec<String>,
    options: Vec<(String, String)>,
    flags: BTreeSet<String>,
    usage: &'static str,
}

impl Given {
    /// Reads a command line with these options, of which the first take a value and the others none; `None` when help was asked for.
    fn read(
        mut arguments: lexopt::Parser,
        valued: &[&str],
        flags: &[&str],
        usage: &'static str,
    ) -> Result<Option<Self>, Error> {
        let wrong = |why: lexopt::Error| Error::Usage(why.to_string(), usage);
        let (words, options, set) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut given = Given { words, options, flags: set, usage };
        while let Some(argument) = arguments.next().map_err(wrong)? {
            match argument {
                Value(word) => given.words.push(word.string().map_err(wrong)?),
                Long("help") | Short('h') => return Ok(None),
                Long(name) if valued.contains(&name) => {
                    let name = name.to_owned();
                    given.options.push((name, text(&mut arguments).map_err(wrong)?));
                }
                Long(name) if flags.contains(&name) => {
                    given.flags.insert(name.to_owned());
                }
                other => return Err(wrong(other.unexpected())),
            }
        }
        Ok(Some(given))
    }

    fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().rev().find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str())
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }

    fn wrong(&self, what: impl Into<String>) -> Error {
        Error::Usage(what.into(), self.usage)
    }

    /// None but so many words.
    fn at_most(&self, words: usize) -> Result<(), Error> {
        match self.words.get(words) {
            Some(word) => Err(self.wrong(format!("unexpected argument {word:?}"))),
            None => Ok(()),
        }
    }

    /// How many of a list are asked for.
    fn limit(&self) -> Result<usize, Error> {
        let Some(text) = self.option("limit") else { return Ok(20) };
        let limit = text.parse().ok().filter(|limit| (1..=100_000).contains(limit));
        limit.ok_or_else(|| self.wrong("--limit is a number from 1 to 100000"))
    }
}

/// Shows a list: a table for people, a line of JSON each for programs.
fn show(json: bool, heading: &[&str], items: &[Value], columns: &[&str]) -> Result<(), Error> {
    if json {
        let lines: String = items.iter().map(|item| format!("{item}\n")).collect();
        return print(lines.as_bytes());
    }
    let heading = heading.iter().map(|cell| (*cell).to_owned()).collect();
    let row = |item: &Value| columns.iter().map(|name| cell(&item[*name])).collect();
    let lines: Vec<Vec<String>> = std::iter::once(heading).chain(items.iter().map(row)).collect();
    print(aligned(&lines).as_bytes())
}

/// A value as it stands in a table. What could move the cursor of a terminal does not get there.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(value) => (if *value { "yes" } else { "no" }).to_owned(),
        other => other.to_string(),
    };
    plain(&text)
}

/// A text without control characters.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests;
