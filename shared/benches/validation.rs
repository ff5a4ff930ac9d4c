//! How long the check of a document takes on one core: parse, schema, rules, and all that a caller
//! gets; against a pass of quick-xml over the same bytes that does nothing with what it reads.

mod common;

use std::{
    error::Error,
    hint::black_box,
    io::{self, Write},
};

use access_point::{pint, schema, validate, xml};
use common::{SIZES, Sender, cpu_time, invoice, median};
use quick_xml::{Reader, events::Event};

/// CPU nanoseconds of parsing, schema and rules, one after the other.
fn stages(bytes: &[u8]) -> Result<[i128; 3], String> {
    let start = cpu_time();
    let document = xml::parse(black_box(bytes)).map_err(|error| format!("{error:?}"))?;
    let parsed = cpu_time();
    let errors = black_box(schema::check(&document));
    let checked = cpu_time();
    let fired = black_box(pint::set_of(&document).check(&document));
    let ruled = cpu_time();
    if !errors.is_empty() || !fired.is_empty() {
        return Err(format!("the document is not valid: {errors:?} {fired:?}"));
    }
    Ok([parsed - start, checked - parsed, ruled - checked])
}

/// CPU nanoseconds of the whole, as callers call it.
fn whole(bytes: &[u8]) -> Result<i128, String> {
    let start = cpu_time();
    let verdict = validate::validate(black_box(bytes)).map_err(|error| error.to_string())?;
    drop(black_box(verdict));
    Ok(cpu_time() - start)
}

/// CPU nanoseconds of reading every event.
fn bare(bytes: &[u8]) -> Result<i128, quick_xml::Error> {
    let start = cpu_time();
    let mut reader = Reader::from_reader(black_box(bytes));
    while !matches!(black_box(reader.read_event()?), Event::Eof) {}
    Ok(cpu_time() - start)
}

fn main() -> Result<(), Box<dyn Error>> {
    let sender = Sender::new()?;
    let mut out = io::stdout().lock();
    writeln!(out, "Check of a document on one core, CPU time, medians in microseconds")?;
    writeln!(
        out,
        "{:>6} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "lines", "runs", "bytes", "parse", "schema", "rules", "all", "bare", "all/bare", "ns/line"
    )?;
    for (lines, runs) in SIZES {
        let bytes = invoice(lines, &sender)?;
        // The first runs warm caches and allocator.
        for _ in 0..runs / 10 {
            stages(&bytes)?;
            whole(&bytes)?;
        }
        let mut times = [const { Vec::new() }; 5];
        for _ in 0..runs {
            let [parse, schema, rules] = stages(&bytes)?;
            let measured = [parse, schema, rules, whole(&bytes)?, bare(&bytes)?];
            times.iter_mut().zip(measured).for_each(|(times, time)| times.push(time));
        }
        let [parse, schema, rules, all, bare] = times.map(median);
        let hundredths = 100 * all / bare.max(1);
        writeln!(
            out,
            "{lines:>6} {runs:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>5}.{:02} {:>8}",
            bytes.len(),
            parse / 1000,
            schema / 1000,
            rules / 1000,
            all / 1000,
            bare / 1000,
            hundredths / 100,
            hundredths % 100,
            all / lines as i128,
        )?;
    }
    Ok(())
}
