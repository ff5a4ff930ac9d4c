//! `access-point completions`: what a shell offers while a command is typed.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::cli::{CommandLine, Error, print};

/// Write completions for a shell
///
/// Writes the script of the shell on standard output.
#[derive(clap::Args)]
#[command(after_help = "\
Where shells look for it:

  bash   access-point completions bash > ~/.local/share/bash-completion/completions/access-point
  zsh    access-point completions zsh > DIRECTORY/_access-point      where DIRECTORY is in fpath
  fish   access-point completions fish > ~/.config/fish/completions/access-point.fish")]
pub(in crate::cli) struct Args {
    /// The shell
    shell: Shell,
}

/// Writes completions for every command.
pub(super) fn run(Args { shell }: Args) -> Result<(), Error> {
    print(&script(shell))
}

fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    // The tree below `help` would double the script.
    let mut command = CommandLine::command().disable_help_subcommand(true);
    generate(shell, &mut command, "access-point", &mut script);
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_offered() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = String::from_utf8(script(shell)).unwrap();
            for word in ["validate", "documents", "created-from", "representative"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }

    #[test]
    fn the_script_for_bash_is_one_that_bash_reads() {
        let script = String::from_utf8(script(Shell::Bash)).unwrap();
        let asked = "registered=$(complete -p access-point); registered=${registered#*-F }; \
            COMP_WORDS=(access-point send --a); COMP_CWORD=2; ${registered%% *} access-point --a send; \
            echo \"${COMPREPLY[*]}\"";
        let done =
            std::process::Command::new("bash").args(["-c", &format!("{script}\n{asked}")]).output();
        let done = match done {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return,
            done => done.unwrap(),
        };
        assert_eq!(String::from_utf8(done.stdout).unwrap(), "--async\n");
    }
}
