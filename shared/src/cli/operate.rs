//! What the commands have in common by which a deployment is operated: where they act, and how they show what they
//! found.

use serde::Serialize;

use crate::{environment::Environment, service::Context, types::Mode};
use lexopt::prelude::*;

pub(super) use super::table::line;
use super::{Error, print, table::aligned, text};

/// What a command was given: an action, what it is for, and options.
pub(super) struct Given {
    pub(super) action: String,
    /// What stands beside the action, such as an identifier.
    pub(super) object: Option<String>,
    pub(super) mode: Mode,
    pub(super) json: bool,
    /// Whether the action only shows the change.
    pub(super) dry_run: bool,
    options: Vec<(String, String)>,
    usage: &'static str,
}

impl Given {
    /// Reads a command line that takes these options beside `--mode` and `--json`; `None` when help was asked for. The
    /// option `dry-run` is a flag, the others have a value.
    pub(super) fn read(
        mut arguments: lexopt::Parser,
        known: &[&str],
        usage: &'static str,
    ) -> Result<Option<Self>, Error> {
        let wrong = |why: lexopt::Error| Error::Usage(why.to_string(), usage);
        let (mut words, mut options) = (Vec::new(), Vec::new());
        let (mut mode, mut json, mut dry_run) = (Mode::Live, false, false);
        while let Some(argument) = arguments.next().map_err(wrong)? {
            match argument {
                Value(word) if words.len() < 2 => words.push(word.string().map_err(wrong)?),
                Long("mode") => mode = mode_of(&text(&mut arguments).map_err(wrong)?, usage)?,
                Long("json") => json = true,
                Long("dry-run") if known.contains(&"dry-run") => dry_run = true,
                Long("help") | Short('h') => return Ok(None),
                Long(name) if known.contains(&name) => {
                    let name = name.to_owned();
                    options.push((name, text(&mut arguments).map_err(wrong)?));
                }
                other => return Err(wrong(other.unexpected())),
            }
        }
        let mut words = words.into_iter();
        let action = words.next().ok_or_else(|| missing("the action", usage))?;
        Ok(Some(Given { action, object: words.next(), mode, json, dry_run, options, usage }))
    }

    /// The value of an option, if it was given.
    pub(super) fn option<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Error> {
        let found = self.options.iter().find(|(given, _)| given == name);
        let parsed = found.map(|(_, text)| text.parse());
        parsed.transpose().map_err(|why| Error::Usage(format!("--{name}: {why}"), self.usage))
    }

    /// The value of an option that must be given.
    pub(super) fn required<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<T, Error> {
        self.option(name)?.ok_or_else(|| missing(&format!("--{name}"), self.usage))
    }

    /// The identifier beside the action.
    pub(super) fn identifier<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
    ) -> Result<T, Error> {
        let object = self.object.as_deref().ok_or_else(|| missing("the identifier", self.usage))?;
        object.parse().map_err(|why| Error::Usage(format!("{object}: {why}"), self.usage))
    }

    /// The complaint about an action that the command does not have.
    pub(super) fn unknown_action(&self) -> Error {
        Error::Usage(format!("unknown action {}", self.action), self.usage)
    }

    /// Shows what was found: as JSON, or as lines whose columns stand under each other.
    pub(super) fn show(&self, json: &impl Serialize, lines: &[Vec<String>]) -> Result<(), Error> {
        let text = match self.json {
            true => {
                let text = serde_json::to_string_pretty(json);
                text.map_err(|why| Error::failed("JSON", why))? + "\n"
            }
            false => aligned(lines),
        };
        print(text.as_bytes())
    }
}

fn missing(what: &str, usage: &'static str) -> Error {
    Error::Usage(format!("{what} is missing"), usage)
}

fn mode_of(text: &str, usage: &'static str) -> Result<Mode, Error> {
    match text {
        "live" => Ok(Mode::Live),
        "sandbox" => Ok(Mode::Sandbox),
        _ => Err(Error::Usage("--mode is live or sandbox".to_owned(), usage)),
    }
}

/// The table of the deployment whose environment the command has.
pub(super) async fn context() -> Result<Context, Error> {
    let context = Context::start(&Environment::of_process()).await;
    context.map_err(|why| Error::failed("the environment", why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_read_or_refused_with_what_is_wrong() {
        let read = |words: &[&str]| {
            let arguments = lexopt::Parser::from_args(words.iter().copied());
            Given::read(arguments, &["org", "label"], "usage")
        };
        let words = ["create", "--org", "org_1", "--label", "ERP", "--mode", "sandbox", "--json"];
        let given = read(&words).unwrap().unwrap();
        assert_eq!(
            (given.action.as_str(), given.mode, given.json),
            ("create", Mode::Sandbox, true)
        );
        assert_eq!(given.required::<String>("label").unwrap(), "ERP");
        assert!(given.required::<crate::types::OrganizationId>("org").is_ok());
        assert!(given.required::<String>("name").is_err());
        assert!(given.identifier::<String>().is_err());
        assert!(read(&["--help"]).unwrap().is_none());
        for wrong in
            [&[][..], &["create", "--mode", "test"], &["create", "--x", "1"], &["a", "b", "c"]]
        {
            assert!(matches!(read(wrong), Err(Error::Usage(..))), "{wrong:?}");
        }
        let given = read(&["show", "txpay_1", "--org", "7"]).unwrap().unwrap();
        assert!(given.option::<crate::types::OrganizationId>("org").is_err());
        assert_eq!(given.identifier::<String>().unwrap(), "txpay_1");
    }
}
