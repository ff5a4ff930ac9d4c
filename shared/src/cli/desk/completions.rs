//! `access-point completions`: what a shell offers while a command is typed. It comes from the usages, so that no option is left out.

use std::collections::BTreeSet;

use lexopt::prelude::*;

use crate::cli::{Error, print};

pub(in crate::cli) const USAGE: &str = "\
access-point completions bash|zsh|fish

Writes completions for a shell on standard output:

  bash   access-point completions bash > ~/.local/share/bash-completion/completions/access-point
  zsh    access-point completions zsh > DIRECTORY/_access-point      where DIRECTORY is in fpath
  fish   access-point completions fish > ~/.config/fish/completions/access-point.fish
";

/// Writes completions for these commands, each with its usage.
pub(in crate::cli) fn run(
    mut arguments: lexopt::Parser,
    commands: &[(&str, &str)],
) -> Result<(), Error> {
    let usage = |error: lexopt::Error| Error::Usage(error.to_string(), USAGE);
    let script = match arguments.next().map_err(usage)? {
        Some(Value(shell)) => match shell.to_str() {
            Some("bash") => bash(commands),
            Some("zsh") => zsh(commands),
            Some("fish") => fish(commands),
            _ => return Err(Error::Usage("the shell is bash, zsh or fish".to_owned(), USAGE)),
        },
        Some(Long("help") | Short('h')) => return print(USAGE.as_bytes()),
        Some(other) => return Err(usage(other.unexpected())),
        None => return Err(Error::Usage("the shell is missing".to_owned(), USAGE)),
    };
    if let Some(other) = arguments.next().map_err(usage)? {
        return Err(usage(other.unexpected()));
    }
    print(script.as_bytes())
}

/// The options that a usage names.
fn options(usage: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let words = usage.split(|c: char| !is_name(c));
    let named = words.filter(|word| word.starts_with("--") && word.len() > 2);
    named.chain(["--help"]).collect()
}

fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ")
}

fn bash(commands: &[(&str, &str)]) -> String {
    let names = joined(commands.iter().map(|(name, _)| *name));
    let cases = commands
        .iter()
        .map(|(name, usage)| format!("    {name}) words=\"{}\" ;;\n", joined(options(usage))));
    format!(
        "_access_point() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words=
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W \"{names}\" -- \"$current\")
    return
  fi
  [[ $current == -* ]] || return
  case ${{COMP_WORDS[1]}} in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")
}}
complete -o default -F _access_point access-point
",
        cases.collect::<String>()
    )
}

fn zsh(commands: &[(&str, &str)]) -> String {
    let names = joined(commands.iter().map(|(name, _)| *name));
    let cases = commands
        .iter()
        .map(|(name, usage)| format!("  {name}) options=({}) ;;\n", joined(options(usage))));
    format!(
        "#compdef access-point
local -a options
if ((CURRENT == 2)); then
  compadd -- {names}
  return
fi
case $words[2] in
{}esac
if [[ $PREFIX == -* ]]; then
  compadd -- $options
else
  _files
fi
",
        cases.collect::<String>()
    )
}

fn fish(commands: &[(&str, &str)]) -> String {
    let mut script = String::new();
    for (name, usage) in commands {
        script
            .push_str(&format!("complete -c access-point -n __fish_use_subcommand -f -a {name}\n"));
        for option in options(usage) {
            let option = option.trim_start_matches('-');
            script.push_str(&format!(
                "complete -c access-point -n '__fish_seen_subcommand_from {name}' -l {option}\n"
            ));
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_a_usage_is_offered() {
        let usage = "x --org org_… [--redirect URI[,URI…]]\n  --created-from TIME  --created-to TIME -- not -x";
        let found = options(usage);
        let expected = ["--created-from", "--created-to", "--help", "--org", "--redirect"];
        assert_eq!(found, BTreeSet::from(expected));
        for script in [bash, zsh, fish].map(|write| write(&[("one", usage), ("two", "--other")])) {
            for word in ["one", "two", "created-from", "redirect", "other"] {
                assert!(script.contains(word), "{script}");
            }
        }
    }

    #[test]
    fn the_script_for_bash_is_one_that_bash_reads() {
        let script = bash(&[("send", "--json --async"), ("documents", "--limit")]);
        let asked = "COMP_WORDS=(access-point send --a); COMP_CWORD=2; _access_point; echo \"${COMPREPLY[*]}\"";
        let done =
            std::process::Command::new("bash").args(["-c", &format!("{script}\n{asked}")]).output();
        let Ok(done) = done else { return };
        assert_eq!(String::from_utf8(done.stdout).unwrap(), "--async\n");
    }
}
