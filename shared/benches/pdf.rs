//! How long it takes on one core to make a document a PDF: from the bytes of its UBL to PDF/A-3 in both languages.

mod common;

use std::{
    hint::black_box,
    io::{self, Write},
};

use access_point::{
    rendering::{Languages, MAX_PDF_LINES, MAX_PDF_TEXT, Rendering, View, pdf},
    xml,
};
use common::{SIZES, Sender, cpu_time, invoice, median};
use jiff::Timestamp;

/// Setting type takes a thousand times longer than what the other benchmarks measure: so many runs of theirs are one.
const FEWER: usize = 40;

/// CPU nanoseconds, and the bytes that came out.
fn print(document: &[u8]) -> Result<(i128, usize), Box<dyn std::error::Error>> {
    let start = cpu_time();
    let view = View::of(&xml::parse(black_box(document))?)?;
    let pdf = pdf(&view, &Rendering::of(Languages::Both), document, Timestamp::UNIX_EPOCH)?;
    Ok((cpu_time() - start, black_box(pdf).len()))
}

/// What the UBL of each line says of its item.
const DESCRIPTION: &str = "Steel &amp; brass, galvanised";

/// A document of the most lines that a PDF may have, whose items are described at such length that it has the most text, too.
fn wordiest(sender: &Sender) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let document = String::from_utf8(invoice(MAX_PDF_LINES, sender)?)?;
    let text = View::of(&xml::parse(document.as_bytes())?)?.text_bytes(&[]);
    let more = MAX_PDF_TEXT.saturating_sub(text) / MAX_PDF_LINES;
    let words: String = " tin bronze copper nickel zinc".chars().cycle().take(more).collect();
    Ok(document.replace(DESCRIPTION, &format!("{DESCRIPTION}{words}")).into_bytes())
}

/// Prints what a document takes, the first time and usually.
fn measure(
    out: &mut impl Write,
    document: &[u8],
    lines: usize,
    runs: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let text = View::of(&xml::parse(document)?)?.text_bytes(&[]);
    let (first, bytes) = print(document)?;
    let mut times = Vec::new();
    for _ in 0..runs {
        times.push(print(document)?.0);
    }
    let all = median(times);
    writeln!(
        out,
        "{lines:>6} {runs:>5} {text:>9} {bytes:>9} {:>9} {:>9} {:>9}",
        first / 1_000_000,
        all / 1_000_000,
        all / 1_000 / lines as i128,
    )?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sender = Sender::new()?;
    let mut out = io::stdout().lock();
    writeln!(out, "UBL to PDF/A-3 in both languages, CPU time, medians in milliseconds")?;
    writeln!(
        out,
        "{:>6} {:>5} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "lines", "runs", "text", "PDF", "first", "all", "µs/line"
    )?;
    for (lines, runs) in SIZES {
        // The first one of the process reads the fonts.
        measure(&mut out, &invoice(lines, &sender)?, lines, (runs / FEWER).max(3))?;
    }
    writeln!(out, "with the most text that the service makes one of")?;
    measure(&mut out, &wordiest(&sender)?, MAX_PDF_LINES, 3)
}
