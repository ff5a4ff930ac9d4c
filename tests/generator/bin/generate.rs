//! Writes generated documents to files and prints what they cover.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use access_point::{error::Severity, ubl};
use generator::{Coverage, cases};
use lexopt::prelude::*;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

const USAGE: &str = "\
generate --count N --seed S --out DIRECTORY

Writes N documents as DIRECTORY/1.json {operation, taxpayer, today, uuid, original, body} and
DIRECTORY/1.xml (their UBL), and so on. The same seed gives the same documents. Prints how often
each field, flag, category and type appeared. Exit status: 1 when a document is refused or a field
of the model never appeared, 2 for wrong usage.
";

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

struct Options {
    count: usize,
    seed: u64,
    out: PathBuf,
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(error) => {
            let _ = writeln!(io::stderr(), "generate: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match generate(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(io::stderr(), "generate: {error}");
            ExitCode::from(1)
        }
    }
}

fn options() -> Outcome<Options> {
    let mut options = Options { count: 100, seed: 1, out: PathBuf::new() };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("count") => options.count = arguments.value()?.parse()?,
            Long("seed") => options.seed = arguments.value()?.parse()?,
            Long("out") => options.out = arguments.value()?.into(),
            other => return Err(other.unexpected().into()),
        }
    }
    if options.out.as_os_str().is_empty() {
        return Err("--out is missing".into());
    }
    Ok(options)
}

/// Whether every document was accepted and every field covered.
fn generate(options: &Options) -> Outcome<bool> {
    fs::create_dir_all(&options.out)?;
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&options.seed.to_be_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = cases();
    let mut coverage = Coverage::default();
    let mut refused = 0;
    for number in 1..=options.count {
        let case = strategy.new_tree(&mut runner).map_err(|why| why.to_string())?.current();
        let path = options.out.join(number.to_string());
        fs::write(path.with_extension("json"), format!("{:#}\n", case.to_json()))?;
        match case.document() {
            Ok((document, _)) => {
                fs::write(path.with_extension("xml"), ubl::write(&document))?;
                coverage.count(&case, &document);
            }
            Err(findings) => {
                refused += 1;
                for finding in findings.iter().filter(|of| of.severity == Severity::Error) {
                    let (rule, pointer) = (&finding.rule, &finding.pointer);
                    writeln!(io::stderr(), "{number}: {rule} {pointer}: {}", finding.message)?;
                }
            }
        }
    }
    let mut out = io::stdout().lock();
    write!(out, "{coverage}")?;
    for field in coverage.missing() {
        writeln!(out, "never covered: {field}")?;
    }
    writeln!(out, "refused by the document checks: {refused}")?;
    Ok(refused == 0 && coverage.missing().is_empty())
}
