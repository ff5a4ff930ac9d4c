//! `access-point validate`: validates documents by schema and rules, for people or for programs.

mod json;
mod text;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write},
    num::NonZeroU32,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    environment::Environment,
    types::timed,
    validate::{Verdict, validate},
    xml::Limits,
};
use clap::ValueEnum;

use super::{Error, kind::instead_of_xml};

/// Validate documents by schema and rules
///
/// Validates UBL invoices and credit notes (PINT-AE, billing and self-billing), Tax Data Documents, Message Level Statuses
/// and Peppol's own reports (TSR, EUSR). Applies XML Schema, the official rules and the stricter checks of this service.
///
/// Exit status: 0 all valid, 1 some invalid, 2 some unreadable or wrong usage.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// File with the names of further documents, one per line
    #[arg(long = "list", value_name = "FILE")]
    lists: Vec<PathBuf>,
    /// Also measure how long it takes to parse and validate a document, without reading the file: the first time, the next,
    /// and the median of RUNS times after the first; first_s, next_s and median_s in JSON
    #[arg(long = "time")]
    runs: Option<NonZeroU32>,
    /// Documents to validate; standard input for -, or if there is no FILE and no list
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Output format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// One line per document: file, set, version, complete, xsd (schema errors as LINE: MESSAGE), fired (ids of official
    /// rules, sorted, as often as they fire) and findings; or file and error
    Json,
}

/// What is said about one document.
struct Report<'r> {
    /// The name of the file; `-` for standard input.
    file: &'r str,
    /// The verdict, or why there is none.
    verdict: Result<&'r Verdict, &'r str>,
    /// How long it took, when that was asked for.
    times: Option<Times>,
}

/// How long a document's validations took.
struct Times {
    /// The first one: of the first document of a process with all that is done but once.
    first: Duration,
    /// The one after it.
    next: Duration,
    /// The median of all but the first.
    median: Duration,
}

/// Why the work ends early.
enum Halt {
    /// Whoever read the output went away, such as `head`: that is no failure.
    ReaderGone,
    Failed(Error),
}

impl From<io::Error> for Halt {
    /// A failure to write.
    fn from(why: io::Error) -> Self {
        match why.kind() {
            io::ErrorKind::BrokenPipe => Halt::ReaderGone,
            _ => Halt::Failed(Error::failed("standard output", why)),
        }
    }
}

/// Validates document by document; no more than one is in memory.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let out = io::stdout();
    let colour = out.is_terminal() && !Environment::of_process().wants_no_colour();
    let mut verdicts = Verdicts {
        out: BufWriter::new(out.lock()),
        format: args.format,
        colour,
        runs: args.runs.map(NonZeroU32::get),
        documents: 0,
        invalid: 0,
        unreadable: 0,
    };
    match verdicts.all(args).and_then(|()| Ok(verdicts.out.flush()?)) {
        Err(Halt::Failed(error)) => return Err(error),
        Err(Halt::ReaderGone) => return Ok(()),
        Ok(()) => {}
    }
    match verdicts {
        Verdicts { unreadable: 0, invalid: 0, .. } => Ok(()),
        Verdicts { unreadable: 0, .. } => Err(Error::Refused),
        Verdicts { unreadable, documents, .. } => {
            Err(Error::Unreadable(format!("{unreadable} of {documents} documents have no verdict")))
        }
    }
}

/// Where verdicts go, and how many there were.
struct Verdicts<W: Write> {
    out: W,
    format: Format,
    colour: bool,
    runs: Option<u32>,
    documents: usize,
    invalid: usize,
    unreadable: usize,
}

impl<W: Write> Verdicts<W> {
    fn all(&mut self, args: &Args) -> Result<(), Halt> {
        if args.files.is_empty() && args.lists.is_empty() {
            self.file(Path::new("-"))?;
        }
        for file in &args.files {
            self.file(file)?;
        }
        for list in &args.lists {
            let unreadable = |why: io::Error| {
                Halt::Failed(Error::Unreadable(format!("{}: {why}", list.display())))
            };
            for name in BufReader::new(File::open(list).map_err(unreadable)?).lines() {
                let name = name.map_err(unreadable)?;
                if !name.is_empty() {
                    self.file(Path::new(&name))?;
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<(), Halt> {
        let bytes = match path.to_str() {
            Some("-") => read(io::stdin().lock()),
            _ => File::open(path).and_then(read),
        };
        let file = path.to_string_lossy();
        match bytes {
            Ok(bytes) => self.document(&file, &bytes),
            Err(why) => self.report(&file, Err(&why.to_string()), None),
        }
    }

    fn document(&mut self, file: &str, bytes: &[u8]) -> Result<(), Halt> {
        let (verdict, first) = timed(|| validate(bytes));
        match verdict {
            Ok(verdict) => {
                let times = self.runs.map(|runs| times(first, runs, bytes));
                self.report(file, Ok(&verdict), times)
            }
            Err(why) => {
                let why = why.to_string();
                let said = instead_of_xml(bytes).unwrap_or(&why);
                self.report(file, Err(said), None)
            }
        }
    }

    fn report(
        &mut self,
        file: &str,
        verdict: Result<&Verdict, &str>,
        times: Option<Times>,
    ) -> Result<(), Halt> {
        self.documents += 1;
        self.unreadable += usize::from(verdict.is_err());
        self.invalid += usize::from(verdict.is_ok_and(|verdict| !verdict.is_valid()));
        let report = Report { file, verdict, times };
        match self.format {
            Format::Json => json::write(&mut self.out, &report)?,
            Format::Text => text::write(&mut self.out, &report, self.colour)?,
        }
        Ok(())
    }
}

/// All there is, up to a byte more than may be: the parser refuses what is too long.
fn read(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(Limits::DEFAULT.bytes).unwrap_or(u64::MAX);
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Validates so many times more.
fn times(first: Duration, runs: u32, bytes: &[u8]) -> Times {
    let mut times: Vec<Duration> = (0..runs).map(|_| timed(|| validate(bytes)).1).collect();
    let next = times.first().copied().unwrap_or_default();
    times.sort_unstable();
    let middle = times.len() / 2;
    let upper = times.get(middle).copied().unwrap_or_default();
    let median = match times.len() % 2 {
        0 => (upper + times.get(middle.wrapping_sub(1)).copied().unwrap_or_default()) / 2,
        _ => upper,
    };
    Times { first, next, median }
}

/// Seconds with nine decimals.
fn seconds(time: Duration) -> String {
    format!("{}.{:09}", time.as_secs(), time.subsec_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

    const GOOD: &[u8] = include_bytes!("../../mls/samples/acceptance.xml");

    fn verdicts_of(documents: &[(&str, &[u8])], runs: Option<u32>) -> (String, [usize; 3]) {
        let mut verdicts = Verdicts {
            out: Vec::new(),
            format: Format::Json,
            colour: false,
            runs,
            documents: 0,
            invalid: 0,
            unreadable: 0,
        };
        for (name, bytes) in documents {
            assert!(verdicts.document(name, bytes).is_ok());
        }
        let counts = [verdicts.documents, verdicts.invalid, verdicts.unreadable];
        (String::from_utf8(verdicts.out).unwrap(), counts)
    }

    #[test]
    fn every_document_has_its_line_and_is_counted() {
        let bad = String::from_utf8(GOOD.to_vec()).unwrap().replace(">AP<", ">XX<");
        let documents: [(&str, &[u8]); 3] =
            [("good", GOOD), ("bad", bad.as_bytes()), ("none", b"<html/>")];
        let (lines, counts) = verdicts_of(&documents, None);
        assert_eq!(counts, [3, 1, 1]);
        let lines: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["fired"], serde_json::json!([]));
        assert_eq!(lines[1]["fired"], serde_json::json!(["SCH-MLS-19"]));
        assert!(lines[2]["error"].as_str().unwrap().contains("html"));
    }

    #[test]
    fn times_are_measured_only_when_they_are_asked_for() {
        assert!(!verdicts_of(&[("good", GOOD)], None).0.contains("_s\""));
        for runs in [1, 2, 3] {
            let (line, _) = verdicts_of(&[("good", GOOD)], Some(runs));
            let line: serde_json::Value = serde_json::from_str(&line).unwrap();
            for time in ["first_s", "next_s", "median_s"] {
                assert!(line[time].is_number(), "{line}");
            }
        }
    }

    #[test]
    fn what_is_too_long_is_read_no_further_than_the_parser_needs() {
        let most = Limits::DEFAULT.bytes;
        assert_eq!(read(io::repeat(b' ')).unwrap().len(), most + 1);
    }

    #[test]
    fn a_command_line_without_sense_is_refused() {
        for wrong in [&["--format", "xml"][..], &["--time", "0"], &["--time", "x"], &["--new"]] {
            assert!(read_line::<Args>(wrong).is_err(), "{wrong:?}");
        }
        let found =
            read_line::<Args>(&["-", "--format=json", "--list", "l", "a.xml"]).ok().unwrap();
        assert_eq!((found.format, found.files.len(), found.lists.len()), (Format::Json, 2, 1));
    }
}
