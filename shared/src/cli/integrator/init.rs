//! `access-point init`: a small project that sends a first invoice. Its programs are the examples of the documentation,
//! which the tests run in each language.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use super::{CREDENTIALS, Error, credentials::kept, print};
use crate::{cli::one_of, environment::Environment};

/// A text of the documentation's examples.
macro_rules! example {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../templates/docs/examples/", $name)))
    };
}

/// A function that verifies webhooks.
macro_rules! verifier {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../templates/verify/", $name)))
    };
}

/// A language of the examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Bash,
    CSharp,
    Java,
    Python,
    TypeScript,
}

impl Language {
    const ALL: [Language; 5] =
        [Language::Bash, Language::CSharp, Language::Java, Language::Python, Language::TypeScript];

    fn as_str(self) -> &'static str {
        match self {
            Language::Bash => "bash",
            Language::CSharp => "csharp",
            Language::Java => "java",
            Language::Python => "python",
            Language::TypeScript => "typescript",
        }
    }

    /// The files, the program of the first invoice before all others.
    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Language::Bash => &[
                example!("first-invoice.sh"),
                example!("credit-note.sh"),
                example!("errors.sh"),
                example!("webhook.sh"),
            ],
            Language::CSharp => &[
                example!("FirstInvoice.cs"),
                example!("CreditNote.cs"),
                example!("Errors.cs"),
                example!("Webhook.cs"),
                verifier!("WebhookVerifier.cs"),
            ],
            Language::Java => &[
                example!("FirstInvoice.java"),
                example!("CreditNote.java"),
                example!("Errors.java"),
                example!("Webhook.java"),
                verifier!("WebhookVerifier.java"),
            ],
            Language::Python => &[
                example!("first_invoice.py"),
                example!("credit_note.py"),
                example!("errors.py"),
                example!("webhook.py"),
                verifier!("verify.py"),
            ],
            Language::TypeScript => &[
                example!("first-invoice.ts"),
                example!("credit-note.ts"),
                example!("errors.ts"),
                example!("webhook.ts"),
                verifier!("verify.mjs"),
                ("package.json", "{\n  \"private\": true,\n  \"type\": \"module\"\n}\n"),
            ],
        }
    }

    /// How a program is run, and what that needs.
    fn run(self) -> (&'static str, &'static str) {
        match self {
            Language::Bash => ("bash", "Bash, curl 7.82 or newer and jq"),
            Language::CSharp => ("dotnet run", ".NET 10 or newer"),
            Language::Java => ("java", "Java 17 or newer"),
            Language::Python => ("python3", "Python 3.11 or newer"),
            Language::TypeScript => ("node", "Node.js 22.18 or newer"),
        }
    }
}

/// Write a small project that sends a first invoice
///
/// Writes the examples of the documentation, a function that verifies webhooks, and .env with the credentials of
/// `access-point login`. Overwrites nothing.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Language of the examples
    #[arg(value_parser = one_of(Language::ALL, Language::as_str))]
    language: Language,
    /// Folder of the project
    #[arg(value_name = "FOLDER", default_value = "e-invoices")]
    folder: PathBuf,
}

/// Writes the project.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let environment = Environment::of_process();
    let kept = kept(&environment)?.unwrap_or_default();
    let value = |variable, kept: Option<String>| {
        environment.get(variable).map(str::to_owned).or(kept).unwrap_or_default()
    };
    let url = value("ACCESS_POINT_URL", kept.url);
    let url = url.trim_end_matches('/');
    let settings = Settings {
        api: url.strip_suffix("/v1").unwrap_or(url).to_owned(),
        key: value("ACCESS_POINT_API_KEY", kept.api_key),
        taxpayer: value("ACCESS_POINT_TAXPAYER", kept.taxpayer_id),
    };
    let folder = &args.folder;
    write(args.language, folder, &settings).map_err(|why| Error::failed(folder.display(), why))?;
    let (program, _) = args.language.run();
    let first = args.language.files()[0].0;
    let shown = folder.display();
    let complete = match settings.is_complete() {
        true => "",
        false => "Fill in .env. ",
    };
    let line = format!(
        "Wrote {shown}. {complete}Then:\n\n  cd {shown}\n  set -a; . ./.env; set +a\n  {program} {first}\n"
    );
    print(line.as_bytes())
}

/// What the programs read from their environment.
struct Settings {
    api: String,
    key: String,
    taxpayer: String,
}

impl Settings {
    fn is_complete(&self) -> bool {
        ![&self.api, &self.key, &self.taxpayer].iter().any(|value| value.is_empty())
    }

    /// The text of `.env`, as a shell reads it.
    fn text(&self) -> String {
        let quoted = |text: &str| text.replace('\'', r"'\''");
        let [api, key, taxpayer] = [&self.api, &self.key, &self.taxpayer].map(|it| quoted(it));
        format!("API='{api}'\nKEY='{key}'\nTAXPAYER='{taxpayer}'\n")
    }
}

fn write(language: Language, folder: &Path, settings: &Settings) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let new = |name: &str, text: &str, mode| {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(folder.join(name))
            .map_err(|why| io::Error::new(why.kind(), format!("{name}: {why}")))?;
        file.write_all(text.as_bytes())
    };
    // The key is for its owner alone, and never committed.
    new(".env", &settings.text(), 0o600)?;
    new(".gitignore", ".env\n", 0o644)?;
    for (name, text) in language.files() {
        new(name, text, 0o644)?;
    }
    new("README.md", &readme(language), 0o644)
}

fn readme(language: Language) -> String {
    let (program, needs) = language.run();
    let programs = language.files().iter().filter_map(|(name, text)| {
        // Each example says in its first line what it does.
        let said = text.lines().next()?.trim_start_matches(['/', '#', '"', ' ']);
        let said = said.trim_end_matches(['"', ' ']);
        text.contains("KEY").then(|| format!("- `{program} {name}`: {said}\n"))
    });
    format!(
        "# E-invoices\n\nNeeds {needs}. Load the address, the API key and the taxpayer first:\n\n```sh\n\
         set -a; . ./.env; set +a\n```\n\n{}\nThe documentation is at `/docs` of the service.\n",
        programs.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn settings() -> Settings {
        let [api, key, taxpayer] =
            ["https://api.example.com", "pk_test_it's", "txpay_1"].map(str::to_owned);
        Settings { api, key, taxpayer }
    }

    #[test]
    fn a_project_has_programs_that_say_what_they_do_and_a_key_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        for language in Language::ALL {
            let folder = TempDir::new().unwrap();
            write(language, folder.path(), &settings()).unwrap();
            let readme = fs::read_to_string(folder.path().join("README.md")).unwrap();
            for (name, text) in language.files() {
                assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), *text);
                assert_eq!(text.contains("KEY"), readme.contains(name), "{name}: {readme}");
            }
            assert!(readme.contains(&format!("{} {}`: ", language.run().0, language.files()[0].0)));
            let env = folder.path().join(".env");
            assert_eq!(env.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::read_to_string(folder.path().join(".gitignore")).unwrap(), ".env\n");
        }
    }

    #[test]
    fn a_shell_reads_the_credentials_as_they_are() {
        let folder = TempDir::new().unwrap();
        write(Language::Bash, folder.path(), &settings()).unwrap();
        let shell = std::process::Command::new("sh")
            .args(["-c", "set -a; . ./.env; printf '%s|%s|%s' \"$API\" \"$KEY\" \"$TAXPAYER\""])
            .current_dir(folder.path())
            .output();
        let said = String::from_utf8(shell.unwrap().stdout).unwrap();
        assert_eq!(said, "https://api.example.com|pk_test_it's|txpay_1");
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("errors.py"), "mine").unwrap();
        let refused = write(Language::Python, folder.path(), &settings()).unwrap_err();
        assert!(refused.to_string().contains("errors.py"), "{refused}");
        assert_eq!(fs::read_to_string(folder.path().join("errors.py")).unwrap(), "mine");
    }
}
