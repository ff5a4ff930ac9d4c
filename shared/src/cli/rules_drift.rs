//! `access-point rules-drift`: what a new official release says otherwise than the rules here.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    rules::official::{self, Change, Entry, ORDER},
    xml,
};
use lexopt::prelude::*;

use super::{Error, print};

pub(super) const USAGE: &str = "\
access-point rules-drift --artefacts DIRECTORY [--write FILE]

Compares the Schematron files (*.sch) of an official release with the texts that the rules
implement, and prints what was added, removed and changed as a checklist. A rule set that the
release does not have is not compared. A PINT file is for self-billing when its path says
\"selfbilling\", \"self-billing\" or \"-sb-\". Exit status: 0 no drift, 1 drift, 2 wrong usage or
unreadable.

  --artefacts DIRECTORY   the release, unpacked; all folders below are searched
  --write FILE            also writes the table of what the release says, which takes the place of
                          shared/src/rules/official.txt once the rules are brought up to it
";

/// The sets, in the order of the report.
const SETS: [&str; 6] = ["pint-billing", "pint-selfbilling", "tdd", "mls", "tsr", "eusr"];

struct Options {
    artefacts: PathBuf,
    write: Option<PathBuf>,
}

/// What a release says, and in which file each pattern of a set is.
#[derive(Default)]
struct Release {
    entries: Vec<Entry>,
    files: BTreeMap<(String, String), PathBuf>,
}

/// Prints the checklist.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(options) = options(arguments)? else { return print(USAGE.as_bytes()) };
    let release = read(&options.artefacts)?;
    let implemented = official::implemented();
    let changes = official::compare(&implemented, &release.entries);
    print(report(&release, &changes).as_bytes())?;
    if let Some(file) = &options.write {
        write(file, implemented, release)?;
    }
    if changes.is_empty() { Ok(()) } else { Err(Error::Refused) }
}

/// Reads every Schematron of a known set below the directory.
fn read(directory: &Path) -> Result<Release, Error> {
    let unreadable =
        |path: &Path, why: String| Error::Unreadable(format!("{}: {why}", path.display()));
    let mut files = Vec::new();
    find(directory, &mut files).map_err(|why| unreadable(directory, why.to_string()))?;
    files.sort();
    let mut release = Release::default();
    for path in files {
        let bytes = fs::read(&path).map_err(|why| unreadable(&path, why.to_string()))?;
        let bytes = in_utf8(&bytes);
        let schematron = xml::parse(&bytes).map_err(|why| unreadable(&path, why.to_string()))?;
        let inside = path.strip_prefix(directory).unwrap_or(&path).to_string_lossy().to_lowercase();
        let names = ["selfbilling", "self-billing", "-sb-"];
        let self_billing = names.iter().any(|name| inside.contains(name));
        let Some(set) = official::set_of(&schematron, self_billing) else { continue };
        let entries = official::read(&schematron, set).map_err(|why| unreadable(&path, why))?;
        let patterns: BTreeSet<_> = entries.iter().map(|entry| entry.pattern.clone()).collect();
        for pattern in patterns {
            let other = release.files.insert((set.to_owned(), pattern.clone()), path.clone());
            if let Some(other) = other {
                let why = format!("pattern {pattern} of {set} is also in {}", other.display());
                return Err(unreadable(&path, why));
            }
        }
        release.entries.extend(entries);
    }
    if release.entries.is_empty() {
        return Err(unreadable(directory, "no Schematron of a known rule set".to_owned()));
    }
    Ok(release)
}

/// The bytes of a Schematron in UTF-8: those of Peppol's own reports are published in ISO 8859-1, which the parser of
/// documents does not read. Each of its bytes is the character of that number.
fn in_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let declared = bytes.strip_prefix(b"<?xml ").and_then(|rest| {
        let end = rest.windows(2).position(|pair| pair == b"?>")?;
        Some((rest.get(..end)?.to_ascii_lowercase(), rest.get(end + 2..)?))
    });
    match declared {
        Some((declaration, document))
            if String::from_utf8_lossy(&declaration).contains("iso-8859-1") =>
        {
            // The line of the declaration stays, as findings name lines.
            Cow::Owned(document.iter().copied().map(char::from).collect::<String>().into_bytes())
        }
        _ => Cow::Borrowed(bytes),
    }
}

/// Collects the Schematron files of a directory and of those below it; links are not followed.
fn find(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "sch") {
            found.push(path);
        }
    }
    Ok(())
}

/// The checklist, one part a set.
fn report(release: &Release, changes: &[(Change, Entry)]) -> String {
    let mut text = String::new();
    for set in SETS {
        let mut rules = release.entries.iter().filter(|entry| entry.set == set).peekable();
        let changes: Vec<_> = changes.iter().filter(|(_, entry)| entry.set == set).collect();
        if rules.peek().is_none() {
            text += &format!("{set}: not in this release\n");
            continue;
        }
        let rules = rules.filter(|entry| entry.id != ORDER).count();
        let count = |wanted| changes.iter().filter(|(change, _)| *change == wanted).count();
        text += &match changes.as_slice() {
            [] => format!("{set}: {rules} rules, no drift\n"),
            _ => format!(
                "{set}: {rules} rules, {} added, {} removed, {} changed\n",
                count(Change::Added),
                count(Change::Removed),
                count(Change::Changed),
            ),
        };
        for (change, entry) in changes {
            text += &format!("- [ ] {}\n", describe(release, *change, entry));
        }
    }
    text
}

fn describe(release: &Release, change: Change, entry: &Entry) -> String {
    let Entry { set, pattern, id, line, .. } = entry;
    let change = match change {
        Change::Added => "added  ",
        Change::Removed => "removed",
        Change::Changed => "changed",
    };
    match release.files.get(&(set.clone(), pattern.clone())) {
        Some(file) if *line > 0 => {
            format!("{change} {id} (pattern {pattern}): {}:{line}", file.display())
        }
        _ => format!("{change} {id} (pattern {pattern})"),
    }
}

/// Writes the table of the release, with the sets that it does not have as they are.
fn write(file: &Path, implemented: Vec<Entry>, release: Release) -> Result<(), Error> {
    let sets: BTreeSet<_> = release.entries.iter().map(|entry| entry.set.clone()).collect();
    let kept = implemented.into_iter().filter(|entry| !sets.contains(&entry.set));
    let table = official::table(kept.chain(release.entries).collect());
    fs::write(file, table).map_err(|why| Error::Unreadable(format!("{}: {why}", file.display())))
}

/// The command line; none when it asks for help.
fn options(mut arguments: lexopt::Parser) -> Result<Option<Options>, Error> {
    let usage = |message: String| Error::Usage(message, USAGE);
    let wrong = |error: lexopt::Error| usage(error.to_string());
    let (mut artefacts, mut write) = (None, None);
    while let Some(argument) = arguments.next().map_err(wrong)? {
        match argument {
            Long("help") | Short('h') => return Ok(None),
            Long("artefacts") => {
                artefacts = Some(PathBuf::from(arguments.value().map_err(wrong)?));
            }
            Long("write") => write = Some(PathBuf::from(arguments.value().map_err(wrong)?)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let artefacts = artefacts.ok_or_else(|| usage("--artefacts is missing".to_owned()))?;
    Ok(Some(Options { artefacts, write }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, line: u32) -> Entry {
        Entry {
            set: "mls".to_owned(),
            pattern: "default".to_owned(),
            id: id.to_owned(),
            digest: String::new(),
            line,
        }
    }

    #[test]
    fn a_schematron_in_latin_letters_is_read() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<a>\xe9</a>";
        assert_eq!(&*in_utf8(latin), "\n<a>é</a>".as_bytes());
        let unicode = "<?xml version='1.0' encoding='UTF-8'?><a>é</a>".as_bytes();
        assert_eq!(&*in_utf8(unicode), unicode);
    }

    #[test]
    fn the_report_is_a_checklist_of_the_sets_in_the_release() {
        let pattern = ("mls".to_owned(), "default".to_owned());
        let release = Release {
            entries: vec![entry("A", 7), entry("B", 8), entry(ORDER, 1)],
            files: BTreeMap::from([(pattern, PathBuf::from("new.sch"))]),
        };
        let changes = [(Change::Changed, entry("A", 7)), (Change::Removed, entry("C", 0))];
        assert_eq!(
            report(&release, &changes),
            "pint-billing: not in this release\n\
             pint-selfbilling: not in this release\n\
             tdd: not in this release\n\
             mls: 2 rules, 0 added, 1 removed, 1 changed\n\
             - [ ] changed A (pattern default): new.sch:7\n\
             - [ ] removed C (pattern default)\n\
             tsr: not in this release\n\
             eusr: not in this release\n"
        );
        assert!(report(&release, &[]).contains("\nmls: 2 rules, no drift\n"));
    }
}
