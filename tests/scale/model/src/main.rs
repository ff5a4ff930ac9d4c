//! A discrete-event model of the service on AWS: it plays the measured costs of documents (`tests/scale/costs.json`)
//! against the limits of AWS. See `tests/scale/run`.

mod aws;
mod bill;
mod costs;
mod emulator;
mod ladder;
mod limits;
mod measures;
mod picture;
mod provisioned;
mod random;
mod report;
mod scenario;
mod service;
mod world;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use lexopt::{Arg, Parser, ValueExt};

use crate::{
    bill::Prices,
    costs::Stage,
    emulator::Emulator,
    provisioned::Day,
    report::Run,
    scenario::{Disturbance, Scenario},
    world::Setup,
};

const USAGE: &str = "tests/scale/run model [SCENARIO…] [--quick] [--seed N] [--write]
tests/scale/run model --ladder [--quick] [--seed N] [--write]
tests/scale/run model --emulator FILE
tests/scale/run model --constants

Runs all scenarios, or those that are named, and prints tables. --write also writes tests/scale/results.md and the
pictures, and with --ladder the ladder in infra/OPERATE.md.
";

/// The least write units a second of a table with provisioned capacity (template.yaml, TableMinWrites).
const LEAST_WRITES: f64 = 5.0;

/// What stands around the ladder in the operator's guide.
const BEGIN: &str = "<!-- ladder: written by tests/scale/run model --ladder --write -->\n";
const END: &str = "<!-- ladder: end -->\n";

#[derive(Default)]
struct Arguments {
    scenarios: Vec<String>,
    quick: bool,
    ladder: bool,
    constants: bool,
    emulator: Option<PathBuf>,
    write: bool,
    seed: u64,
    root: PathBuf,
}

fn arguments() -> Result<Arguments, lexopt::Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut asked = Arguments { seed: 1, root, ..Arguments::default() };
    let mut parser = Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("quick") => asked.quick = true,
            Arg::Long("ladder") => asked.ladder = true,
            Arg::Long("constants") => asked.constants = true,
            Arg::Long("emulator") => asked.emulator = Some(parser.value()?.into()),
            Arg::Long("write") => asked.write = true,
            Arg::Long("seed") => asked.seed = parser.value()?.parse()?,
            Arg::Value(name) => asked.scenarios.push(name.string()?),
            other => return Err(other.unexpected()),
        }
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let done = arguments().map_err(|why| format!("{why}\n\n{USAGE}")).and_then(|asked| run(&asked));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run(asked: &Arguments) -> Result<(), String> {
    if asked.constants {
        for it in aws::ALL {
            println!("{}: {} {} ({})", it.what, it.value, it.unit, it.source);
        }
        return Ok(());
    }
    let mut all = costs::read(&asked.root.join("tests/scale/costs.json"))?;
    let mut lives = Vec::new();
    for name in ["sent_1_line", "queued_1_line", "received_1_line"] {
        lives.push(all.remove(name).ok_or_else(|| format!("costs.json has no {name}"))?);
    }
    let kinds = costs::unify(&mut lives);
    let setup = Setup { seed: asked.seed, ..Setup::new(lives, kinds) };
    if let Some(path) = &asked.emulator {
        println!("{}", Emulator::read(path)?.compare(&setup)?);
        return Ok(());
    }
    if asked.ladder { climb(asked, &setup) } else { play(asked, &setup) }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
}

/// Runs scenarios.
fn play(asked: &Arguments, setup: &Setup) -> Result<(), String> {
    let prices = Prices::read(&asked.root.join("shared/src/cli/cost/prices.json"))?;
    let known = scenario::all();
    if let Some(name) = asked.scenarios.iter().find(|name| known.iter().all(|it| it.name != **name))
    {
        let names: Vec<_> = known.iter().map(|it| it.name).collect();
        return Err(format!("no scenario {name}; there are {}", names.join(", ")));
    }
    let chosen = |it: &Scenario| {
        asked.scenarios.is_empty() || asked.scenarios.iter().any(|name| it.name == name)
    };
    let mut runs = Vec::new();
    for scenario in known.into_iter().filter(chosen) {
        let weight = if asked.quick { scenario.weights.1 } else { scenario.weights.0 };
        let setup = Setup { weight, ..setup.clone() };
        let outcome = world::run(&setup, &scenario);
        let quiet = match scenario.disturbance {
            Disturbance::None => None,
            _ => Some(world::run(&setup, &scenario.quiet())),
        };
        eprintln!("{}: {:.1} M events", scenario.name, outcome.events as f64 / 1e6);
        runs.push(Run { scenario, weight, outcome, quiet });
    }
    let text = results(asked, setup, &runs, &prices);
    println!("{text}");
    if asked.write {
        let folder = asked.root.join("tests/scale");
        fs::create_dir_all(folder.join("pictures")).map_err(|why| why.to_string())?;
        for run in &runs {
            let title = format!("{}: documents that wait, by function", run.scenario.name);
            let path = folder.join(format!("pictures/{}.svg", run.scenario.name));
            write(&path, &picture::draw(&title, &run.outcome.series))?;
        }
        if asked.scenarios.is_empty() {
            write(&folder.join("results.md"), &text)?;
        }
    }
    Ok(())
}

fn results(asked: &Arguments, setup: &Setup, runs: &[Run], prices: &Prices) -> String {
    let mut text = String::from(
        "# Results of the model\n\nWritten by `tests/scale/run model --write`. A document of the model stands for several; its units, \
         requests and\nexecutions count as many times. [tests/README.md](../README.md#cost) explains the model.\n\n",
    );
    let outside = &setup.outside;
    let _ = writeln!(
        text,
        "Of the documents, {:.0} % are sent while the caller waits, {:.0} % are queued and {:.0} % are received. {} taxpayers and {} \
         integrators have\nZipf's distribution. {} access points have {:.0} % of the traffic. Seed {}.\n",
        outside.mix.0 * 100.0,
        outside.mix.1 * 100.0,
        (1.0 - outside.mix.0 - outside.mix.1) * 100.0,
        outside.taxpayers,
        outside.organizations,
        outside.large.0,
        outside.large.1 * 100.0,
        asked.seed
    );
    let sum = |of: fn(&Stage) -> f64| setup.lives[world::SENT].sum(of);
    let _ = writeln!(
        text,
        "A sent document costs {} write units, {} read units and {} PUTs ([costs.json](costs.json)).\n",
        sum(|it| it.writes + it.due_writes),
        sum(|it| it.reads),
        sum(|it| it.puts),
    );
    text.push_str(&report::scenarios(runs));
    text.push('\n');
    text.push_str(&report::runs(runs, prices));
    text.push_str(&report::provisioned(&provisioned_days(asked.seed, setup)));
    text
}

/// Days of different sizes on a table with provisioned capacity: a million and ten million documents in 30 days, a million
/// in a day, and the day of the scenario. Each comes with one that has ten times the load for an hour.
fn provisioned_days(seed: u64, setup: &Setup) -> Vec<[Day; 2]> {
    let sum = |of: fn(&Stage) -> f64| setup.lives[world::SENT].sum(of);
    let units = [sum(|it| it.writes), sum(|it| it.due_writes)];
    let curve = scenario::day();
    let sizes = [1e6 / 30.0, 1e7 / 30.0, 1e6, curve.sum()];
    let surging = curve.surging(11.0 * 3600.0, 10.0);
    let days = |documents: f64| {
        let more = documents * surging.sum() / curve.sum();
        [(&curve, documents), (&surging, more)]
            .map(|(curve, documents)| provisioned::day(curve, documents, units, LEAST_WRITES, seed))
    };
    sizes.map(days).into()
}

/// Climbs the ladder.
fn climb(asked: &Arguments, setup: &Setup) -> Result<(), String> {
    let mut rungs = Vec::new();
    for rate in ladder::RATES {
        let weights = scenario::rung(rate).weights;
        let weight = if asked.quick { weights.1 } else { weights.0 };
        rungs.push(ladder::climb(&Setup { weight, ..setup.clone() }, rate));
    }
    let text = report::ladder(&rungs);
    println!("{text}");
    if asked.write {
        let path = asked.root.join("infra/OPERATE.md");
        let guide =
            fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        let (before, rest) =
            guide.split_once(BEGIN).ok_or("infra/OPERATE.md has no place for the ladder")?;
        let (_, after) = rest.split_once(END).ok_or("infra/OPERATE.md has no end of the ladder")?;
        write(&path, &format!("{before}{BEGIN}{text}\n{END}{after}"))?;
    }
    Ok(())
}
