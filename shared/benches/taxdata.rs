//! How long a Tax Data Document takes to be made of a document and checked, on one core, against the
//! check of the document itself in the same run.

mod common;

use std::{
    error::Error,
    hint::black_box,
    io::{self, Write},
};

use access_point::{
    taxdata::{
        check,
        write::{Kind, Report, Role, write},
    },
    types::ParticipantId,
    validate,
};
use common::{SIZES, Sender, cpu_time, invoice, median};
use jiff::Timestamp;

/// At most so many hundredths of the document's own check.
const GOAL: i128 = 150;

/// CPU nanoseconds of the document's check, and of making its report and checking that.
fn measured(bytes: &[u8], report: &Report<'_>) -> Result<[i128; 3], Box<dyn Error>> {
    let start = cpu_time();
    let verdict = validate::validate(black_box(bytes))?;
    drop(black_box(verdict));
    let validated = cpu_time();
    let made = black_box(write(report, black_box(bytes))?);
    let written = cpu_time();
    check(&made)?;
    let checked = cpu_time();
    Ok([validated - start, written - validated, checked - written])
}

fn main() -> Result<(), Box<dyn Error>> {
    let reporter: ParticipantId = "0235:1001234501".parse()?;
    let report = Report {
        kind: Kind::Submit,
        role: Role::Sender,
        reporting_party: &reporter,
        authority: "000773",
        representative: "000001",
        issued_at: Timestamp::UNIX_EPOCH,
        transport_header_id: Some("11111111-2222-3333-4444-555555555555"),
    };
    let sender = Sender::new()?;
    let mut out = io::stdout().lock();
    writeln!(out, "Report of a document on one core, CPU time, medians in microseconds")?;
    writeln!(
        out,
        "{:>6} {:>6} {:>9} {:>9} {:>8} {:>8} {:>14}",
        "lines", "runs", "bytes", "validate", "make", "check", "both/validate"
    )?;
    for (lines, runs) in SIZES {
        let bytes = invoice(lines, &sender)?;
        // The first runs warm caches and allocator.
        for _ in 0..runs / 10 {
            measured(&bytes, &report)?;
        }
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..runs {
            let measured = measured(&bytes, &report)?;
            times.iter_mut().zip(measured).for_each(|(times, time)| times.push(time));
        }
        let [validate, make, check] = times.map(median);
        let hundredths = 100 * (make + check) / validate.max(1);
        writeln!(
            out,
            "{lines:>6} {runs:>6} {:>9} {:>9} {:>8} {:>8} {:>7}.{:02} {}",
            bytes.len(),
            validate / 1000,
            make / 1000,
            check / 1000,
            hundredths / 100,
            hundredths % 100,
            if hundredths <= GOAL { "ok" } else { "BAD" },
        )?;
    }
    Ok(())
}
