//! How long a document takes from JSON to UBL on one core: read, complete, write.

mod common;

use std::{
    hint::black_box,
    io::{self, Write},
};

use access_point::{
    document::{self, Issuance, Operation},
    ubl,
};
use common::{SIZES, Sender, body, cpu_time, median};

/// CPU nanoseconds of reading, completing and writing, and the bytes that came out.
fn convert(json: &[u8], issuance: &Issuance<'_>) -> Result<([i128; 3], usize), String> {
    let start = cpu_time();
    let submission = document::read(Operation::Invoice, black_box(json));
    let submission = submission.map_err(|error| format!("{error:?}"))?;
    let read = cpu_time();
    let document = document::complete(submission, issuance);
    let (document, _) = document.map_err(|findings| format!("{findings:?}"))?;
    let completed = cpu_time();
    let ubl = black_box(ubl::write(&document));
    let written = cpu_time();
    Ok(([read - start, completed - read, written - completed], ubl.len()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sender = Sender::new()?;
    let issuance = sender.issuance();
    let mut out = io::stdout().lock();
    writeln!(out, "JSON to UBL on one core, CPU time, medians in microseconds")?;
    writeln!(
        out,
        "{:>6} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "lines", "runs", "JSON", "UBL", "read", "complete", "write", "all", "ns/line"
    )?;
    for (lines, runs) in SIZES {
        let json = body(lines);
        // The first runs warm caches and allocator.
        for _ in 0..runs / 10 {
            convert(&json, &issuance)?;
        }
        let mut times = [const { Vec::new() }; 4];
        let mut bytes = 0;
        for _ in 0..runs {
            let (stages, length) = convert(&json, &issuance)?;
            let all = stages.iter().sum();
            times.iter_mut().zip(stages.into_iter().chain([all])).for_each(|(v, t)| v.push(t));
            bytes = length;
        }
        let [read, complete, write, all] = times.map(median);
        writeln!(
            out,
            "{lines:>6} {runs:>6} {:>9} {bytes:>9} {:>9} {:>9} {:>9} {:>9} {:>8}",
            json.len(),
            read / 1000,
            complete / 1000,
            write / 1000,
            all / 1000,
            all / lines as i128,
        )?;
    }
    Ok(())
}
