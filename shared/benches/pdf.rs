//! How long it takes on one core to make a document a PDF: from the bytes of its UBL to PDF/A-3 in both languages.

mod common;

use std::{
    hint::black_box,
    io::{self, Write},
};

use access_point::{
    document::{self, Operation},
    ubl,
    view::{Languages, View, pdf},
    xml,
};
use common::{SIZES, Sender, body, cpu_time, median};
use jiff::Timestamp;

/// Setting type takes a thousand times longer than what the other benchmarks measure: so many runs of theirs are one.
const FEWER: usize = 40;

/// CPU nanoseconds, and the bytes that came out.
fn print(document: &[u8]) -> Result<(i128, usize), Box<dyn std::error::Error>> {
    let start = cpu_time();
    let view = View::of(&xml::parse(black_box(document))?)?;
    let pdf = pdf(&view, Languages::Both, &[], document, Timestamp::UNIX_EPOCH)?;
    Ok((cpu_time() - start, black_box(pdf).len()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sender = Sender::new()?;
    let mut out = io::stdout().lock();
    writeln!(out, "UBL to PDF/A-3 in both languages, CPU time, medians in milliseconds")?;
    writeln!(
        out,
        "{:>6} {:>5} {:>9} {:>9} {:>9} {:>9}",
        "lines", "runs", "PDF", "first", "all", "µs/line"
    )?;
    for (lines, runs) in SIZES {
        let submission = document::read(Operation::Invoice, &body(lines));
        let submission = submission.map_err(|error| format!("{error:?}"))?;
        let document = document::complete(submission, &sender.issuance());
        let document = ubl::write(&document.map_err(|findings| format!("{findings:?}"))?.0);
        // The first one of the process reads the fonts.
        let (first, _) = print(&document)?;
        let runs = (runs / FEWER).max(3);
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..runs {
            let (time, length) = print(&document)?;
            times.push(time);
            bytes = length;
        }
        let all = median(times);
        writeln!(
            out,
            "{lines:>6} {runs:>5} {bytes:>9} {:>9} {:>9} {:>9}",
            first / 1_000_000,
            all / 1_000_000,
            all / 1_000 / lines as i128,
        )?;
    }
    Ok(())
}
