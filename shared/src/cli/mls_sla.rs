//! `access-point mls-sla`: how well a deployment sends the Message Level Statuses that it owes.

use jiff::{ToSpan, civil::Date};
use lexopt::prelude::*;

use super::{Error, block_on, print, text};
use crate::{
    environment::Environment,
    service::{
        Context,
        answer::figures::{self, Figures, GOAL_PER_MILLE},
    },
    types::Mode,
};

pub(super) const USAGE: &str = "\
access-point mls-sla [OPTION…]

Counts the Message Level Statuses that were owed for the documents that came in a period, and how many of
them were sent within 20 minutes of the message (M1); the goal is 99.5 % (Peppol Network Policy, MLS-1).
Needs the environment of the functions: TABLE_NAME, and access to the table.

  --since DATE     the first day, in UTC; 30 days ago without it
  --until DATE     the last day; today without it
";

/// How many days are counted unless it is said.
const DAYS: i64 = 30;
/// How many days can be asked for.
const MOST_DAYS: i32 = 366;

/// The days that were asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Period {
    since: Option<Date>,
    until: Option<Date>,
}

/// Counts.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(period) = period(arguments)? else { return print(USAGE.as_bytes()) };
    block_on(count(period))
}

async fn count(period: Period) -> Result<(), Error> {
    let context = Context::start(&Environment::of_process())
        .await
        .map_err(|why| Error::failed("the environment", why))?;
    let (first, last) = days(period, figures::day(context.now()))?;
    let figures = figures::figures(&context, Mode::Live, (first, last))
        .await
        .map_err(|why| Error::failed("the table", why))?;
    print(report(&figures, first, last).as_bytes())
}

/// The first and the last day.
fn days(Period { since, until }: Period, today: Date) -> Result<(Date, Date), Error> {
    let last = until.unwrap_or(today);
    let first = since.unwrap_or_else(|| last.saturating_sub(DAYS.days()));
    let wrong = |why: String| Error::Usage(why, USAGE);
    let between = last.since(first).map_err(|why| wrong(why.to_string()))?.get_days();
    if !(0..MOST_DAYS).contains(&between) {
        return Err(wrong(format!("from {first} to {last} is no period of 1 to {MOST_DAYS} days")));
    }
    Ok((first, last))
}

fn report(figures: &Figures, first: Date, last: Date) -> String {
    let percent = |per_mille: usize| format!("{}.{} %", per_mille / 10, per_mille % 10);
    let share = figures.per_mille().map_or("none was due".to_owned(), percent);
    let oldest = figures.oldest.map_or(String::new(), |oldest| format!(", the oldest of {oldest}"));
    format!(
        "{first} to {last}\nowed\t{}\nsent\t{}\nwithin 20 minutes of M1\t{}\t{share} (goal {})\n\
         unconfirmed\t{}\nreceiver not registered\t{}\nopen\t{}{oldest}\noverdue\t{}\n",
        figures.owed,
        figures.sent,
        figures.in_time,
        percent(GOAL_PER_MILLE),
        figures.unconfirmed,
        figures.undeliverable,
        figures.open,
        figures.overdue,
    )
}

/// The command line; `None` when help was asked for.
fn period(mut arguments: lexopt::Parser) -> Result<Option<Period>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let mut period = Period::default();
    while let Some(argument) = arguments.next().map_err(usage)? {
        let day = match argument {
            Long("since") => &mut period.since,
            Long("until") => &mut period.until,
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        };
        let given = text(&mut arguments).map_err(usage)?;
        let read = given.parse();
        *day = Some(read.map_err(|_| Error::Usage(format!("{given} is no date"), USAGE))?);
    }
    Ok(Some(period))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_period_ends_today_and_is_of_a_month_unless_it_is_said() {
        let today = date(2026, 11, 20);
        let days = |since, until| days(Period { since, until }, today).ok();
        assert_eq!(days(None, None), Some((date(2026, 10, 21), today)));
        let first = date(2026, 11, 1);
        assert_eq!(days(Some(first), None), Some((first, today)));
        assert_eq!(days(Some(first), Some(first)), Some((first, first)));
        assert_eq!(days(Some(today), Some(first)), None);
        assert_eq!(days(Some(date(2024, 1, 1)), None), None);
    }

    #[test]
    fn the_report_says_the_share_and_the_goal() {
        let day = date(2026, 11, 20);
        let figures = Figures { owed: 3, sent: 3, in_time: 2, ..Figures::default() };
        let text = report(&figures, day, day);
        assert!(text.contains("within 20 minutes of M1\t2\t66.6 % (goal 99.5 %)"), "{text}");
        assert!(report(&Figures::default(), day, day).contains("none was due"));
    }
}
