//! How long it takes on one core to show a document: from the bytes of its UBL to a page of HTML in both languages.

mod common;

use std::{
    hint::black_box,
    io::{self, Write},
};

use access_point::{
    document::{self, Operation},
    rendering::{Languages, Rendering, View, html},
    ubl, xml,
};
use common::{SIZES, Sender, body, cpu_time, median};

/// CPU nanoseconds of parsing, reading and writing, and the bytes that came out.
fn show(document: &[u8]) -> Result<([i128; 3], usize), Box<dyn std::error::Error>> {
    let start = cpu_time();
    let tree = xml::parse(black_box(document))?;
    let parsed = cpu_time();
    let view = View::of(&tree)?;
    let read = cpu_time();
    let page = black_box(html(&view, &Rendering::of(Languages::Both))?);
    let written = cpu_time();
    Ok(([parsed - start, read - parsed, written - read], page.len()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sender = Sender::new()?;
    let mut out = io::stdout().lock();
    writeln!(out, "UBL to HTML in both languages on one core, CPU time, medians in microseconds")?;
    writeln!(
        out,
        "{:>6} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "lines", "runs", "UBL", "HTML", "parse", "read", "write", "all", "ns/line"
    )?;
    for (lines, runs) in SIZES {
        let submission = document::read(Operation::Invoice, &body(lines));
        let submission = submission.map_err(|error| format!("{error:?}"))?;
        let document = document::complete(submission, &sender.issuance());
        let document = ubl::write(&document.map_err(|findings| format!("{findings:?}"))?.0);
        // The first runs warm caches and allocator.
        for _ in 0..runs / 10 {
            show(&document)?;
        }
        let mut times = [const { Vec::new() }; 4];
        let mut bytes = 0;
        for _ in 0..runs {
            let (stages, length) = show(&document)?;
            let all = stages.iter().sum();
            times.iter_mut().zip(stages.into_iter().chain([all])).for_each(|(v, t)| v.push(t));
            bytes = length;
        }
        let [parse, read, write, all] = times.map(median);
        writeln!(
            out,
            "{lines:>6} {runs:>6} {:>9} {bytes:>9} {:>9} {:>9} {:>9} {:>9} {:>8}",
            document.len(),
            parse / 1000,
            read / 1000,
            write / 1000,
            all / 1000,
            all / lines as i128,
        )?;
    }
    Ok(())
}
