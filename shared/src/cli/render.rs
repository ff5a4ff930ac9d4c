//! `access-point render`: documents as people read them.

use super::{
    Error, one_of,
    out::{Documents, made},
};
#[cfg(feature = "pdf")]
use crate::types::{Clock, SystemClock};
use crate::{
    i18n::Language,
    rendering::{self, Languages, Rendering, View},
    validate::validate,
    xml,
};

/// Render documents as readable pages
///
/// Reads invoices and credit notes of UBL 2.1 from any source. Writes each as a self-contained page of HTML or as PDF/A-3:
/// the invoice for people, then an annex with every other value and the name of its business term of PINT-AE.
///
/// Exit status: 0 all rendered, 1 some refused, 2 wrong usage.
#[derive(clap::Args)]
pub(super) struct Args {
    /// html, or pdf with the document attached; a build without the feature pdf supports only html
    #[arg(long, default_value = "html", value_parser = Format::of_word)]
    format: Format,
    /// Languages of the names
    #[arg(
        long,
        default_value = Languages::One(Language::English).word(),
        value_parser = one_of(Languages::ALL, Languages::word)
    )]
    language: Languages,
    /// Validate the documents, and show the findings above them
    #[arg(long)]
    findings: bool,
    /// Leave out the annex with the business terms that the body does not show
    #[arg(long)]
    no_annex: bool,
    #[command(flatten)]
    documents: Documents,
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
            "pdf" => Err("this build cannot create PDFs: build it with --features pdf".to_owned()),
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

/// Shows every document.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let extension = args.format.extension();
    args.documents.each(extension, |path, bytes| made(path, shown(bytes, args)))
}

fn shown(bytes: &[u8], args: &Args) -> Result<Vec<u8>, String> {
    let tree = xml::parse(bytes).map_err(|error| format!("it is no XML: {error}"))?;
    let view = View::of(&tree).map_err(|error| error.to_string())?;
    let verdict = args.findings.then(|| validate(bytes)).transpose();
    let verdict = verdict.map_err(|error| error.to_string())?;
    let found = verdict.into_iter().flat_map(|verdict| verdict.findings);
    let findings: Vec<_> = found.map(|found| found.finding).collect();
    let rendering = Rendering {
        annex: !args.no_annex,
        ..Rendering::of(args.language).with_findings(&findings)
    };
    match args.format {
        Format::Html => {
            let page = rendering::html(&view, &rendering);
            page.map(String::into_bytes).map_err(|error| error.to_string())
        }
        #[cfg(feature = "pdf")]
        Format::Pdf => {
            let now = SystemClock.now();
            let pdf = rendering::pdf(&view, &rendering, bytes, now);
            pdf.map_err(|error| error.to_string())
        }
    }
}
