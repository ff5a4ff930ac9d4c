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

use super::{Error, print};

/// List what a new official release changes in the rules
///
/// Compares the Schematron files (*.sch) of an official release with the texts that the rules implement. Prints what was
/// added, removed and changed as a checklist. A rule set that the release does not have is not compared. A PINT file is for
/// self-billing if its path contains "selfbilling", "self-billing" or "-sb-".
///
/// Exit status: 0 no drift, 1 drift, 2 wrong usage or unreadable.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The release, unpacked; all folders below are searched
    #[arg(long, value_name = "DIRECTORY")]
    artefacts: PathBuf,
    /// Also write the table of the release, which replaces shared/src/rules/official.txt once the rules implement it
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// The sets, in the order of the report.
const SETS: [&str; 6] = ["pint-billing", "pint-selfbilling", "tdd", "mls", "tsr", "eusr"];

/// What a release says, and in which file each pattern of a set is.
#[derive(Default)]
struct Release {
    entries: Vec<Entry>,
    files: BTreeMap<(String, String), PathBuf>,
}

/// Prints the checklist.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let release = read(&args.artefacts)?;
    let implemented = official::implemented();
    let changes = official::compare(&implemented, &release.entries);
    print(report(&release, &changes).as_bytes())?;
    if let Some(file) = &args.write {
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
