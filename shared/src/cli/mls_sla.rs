//! `access-point mls-sla`: how well a deployment sends the Message Level Statuses that it owes.

use jiff::{ToSpan, civil::Date};

use super::{Error, block_on, common::context, print};
use crate::{
    service::mls_outbound::figures::{self, Figures, GOAL_PER_MILLE},
    types::Mode,
};

/// Count the Message Level Statuses that are sent in time
///
/// Counts the Message Level Statuses owed for the documents received in a period, and those sent within 20 minutes of the
/// message (M1). The goal is 99.5 % (Peppol Network Policy, MLS-1). Needs the environment of the functions: TABLE_NAME, and
/// access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    /// First day, in UTC; default: 30 days before the last day
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Last day; default: today
    #[arg(long, value_name = "DATE")]
    until: Option<Date>,
}

/// Default number of days.
const DAYS: i64 = 30;
/// Maximum number of days.
const MOST_DAYS: i32 = 366;

/// Counts.
pub(super) fn run(args: Args) -> Result<(), Error> {
    block_on(count(args))
}

async fn count(args: Args) -> Result<(), Error> {
    let context = context().await?;
    let (first, last) = days(args, figures::day(context.now()))?;
    let figures = figures::figures(&context, Mode::Live, (first, last))
        .await
        .map_err(|why| Error::failed("the table", why))?;
    print(report(&figures, first, last).as_bytes())
}

/// The first and the last day.
fn days(Args { since, until }: Args, today: Date) -> Result<(Date, Date), Error> {
    let last = until.unwrap_or(today);
    let first = since.unwrap_or_else(|| last.saturating_sub(DAYS.days()));
    let between = last.since(first).map_err(|why| Error::Usage(why.to_string()))?.get_days();
    if !(0..MOST_DAYS).contains(&between) {
        let why = format!("from {first} to {last} is no period of 1 to {MOST_DAYS} days");
        return Err(Error::Usage(why));
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_period_ends_today_and_is_of_a_month_unless_it_is_said() {
        let today = date(2026, 11, 20);
        let days = |since, until| days(Args { since, until }, today).ok();
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
