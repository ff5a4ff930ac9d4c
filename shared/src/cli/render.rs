//! `access-point render`: documents as people read them.

use std::{fs, path::PathBuf};

use lexopt::prelude::*;

use super::{Error, complain, out::Out, print};
#[cfg(feature = "pdf")]
use crate::types::{Clock, SystemClock};
use crate::{
    validate::validate,
    view::{self, Languages, View},
    words::Language,
    xml,
};

pub(super) const USAGE: &str = "\
access-point render [--format FORMAT] [--language LANGUAGE] [--findings] [--out DIRECTORY] FILE…

Shows invoices and credit notes of UBL 2.1, from wherever they are, as pages of HTML or as PDF/A-3: every value
with the name of its business term of PINT-AE. Each is written to standard output, or as a file; it needs
nothing from elsewhere. Exit status: 0 all shown, 1 some are no such documents, 2 wrong usage.

  --format FORMAT       html (unless it is said) or pdf, in which the document itself is attached; a build
                        without the feature pdf has html alone
  --language LANGUAGE   en (unless it is said), ar or both
  --findings            judges the documents, and shows what was found above them
  --out DIRECTORY       writes DIRECTORY/FILE.html or .pdf instead of standard output
";

struct Options {
    format: Format,
    languages: Languages,
    findings: bool,
    out: Out,
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy)]
enum Format {
    Html,
    #[cfg(feature = "pdf")]
    Pdf,
}

impl Format {
    fn of_word(word: &str) -> Result<Self, String> {
        match word {
            "html" => Ok(Format::Html),
            #[cfg(feature = "pdf")]
            "pdf" => Ok(Format::Pdf),
            #[cfg(not(feature = "pdf"))]
            "pdf" => Err("this build makes no PDFs: build it with --features pdf".to_owned()),
            _ => Err(format!("{word:?} is neither html nor pdf")),
        }
    }

    /// What a file of it is called.
    fn extension(self) -> &'static str {
        match self {
            Format::Html => "html",
            #[cfg(feature = "pdf")]
            Format::Pdf => "pdf",
        }
    }
}

/// Shows every document; one that cannot be shown does not keep the others back.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(options) = options(arguments)? else { return print(USAGE.as_bytes()) };
    let mut refused = false;
    for path in &options.files {
        let bytes = fs::read(path).map_err(|why| Error::failed(path.display(), why))?;
        match shown(&bytes, &options) {
            Ok(shown) => options.out.write(path, &shown)?,
            Err(why) => {
                complain(&format!("{}: {why}\n", path.display()));
                refused = true;
            }
        }
    }
    if refused { Err(Error::Refused) } else { Ok(()) }
}

fn shown(bytes: &[u8], options: &Options) -> Result<Vec<u8>, String> {
    let tree = xml::parse(bytes).map_err(|error| format!("it is no XML: {error}"))?;
    let view = View::of(&tree).map_err(|error| error.to_string())?;
    let verdict = options.findings.then(|| validate(bytes)).transpose();
    let verdict = verdict.map_err(|error| error.to_string())?;
    let found = verdict.into_iter().flat_map(|verdict| verdict.findings);
    let findings: Vec<_> = found.map(|found| found.finding).collect();
    match options.format {
        Format::Html => {
            let page = view::html(&view, options.languages, &findings);
            page.map(String::into_bytes).map_err(|error| error.to_string())
        }
        #[cfg(feature = "pdf")]
        Format::Pdf => {
            let now = SystemClock.now();
            let pdf = view::pdf(&view, options.languages, &findings, bytes, now);
            pdf.map_err(|error| error.to_string())
        }
    }
}

/// The command line; none when it asks for help.
fn options(mut arguments: lexopt::Parser) -> Result<Option<Options>, Error> {
    let usage = |error: lexopt::Error| Error::Usage(error.to_string(), USAGE);
    let (mut format, mut languages) = (Format::Html, Languages::One(Language::English));
    let (mut findings, mut out, mut files) = (false, None, Vec::new());
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("help") | Short('h') => return Ok(None),
            Long("language") => {
                let word = arguments.value().map_err(usage)?.string().map_err(usage)?;
                languages = Languages::of_word(&word).ok_or_else(|| {
                    Error::Usage(format!("{word:?} is none of en, ar and both"), USAGE)
                })?;
            }
            Long("format") => {
                let word = arguments.value().map_err(usage)?.string().map_err(usage)?;
                format = Format::of_word(&word).map_err(|why| Error::Usage(why, USAGE))?;
            }
            Long("findings") => findings = true,
            Long("out") => out = Some(arguments.value().map_err(usage)?.into()),
            Value(path) => files.push(path.into()),
            other => return Err(usage(other.unexpected())),
        }
    }
    if files.is_empty() {
        return Err(Error::Usage("a FILE is missing".to_owned(), USAGE));
    }
    let out = Out::new(out, format.extension(), &files).map_err(|why| Error::Usage(why, USAGE))?;
    Ok(Some(Options { format, languages, findings, out, files }))
}
