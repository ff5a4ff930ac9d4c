use jiff::civil::date;

use super::*;
use crate::{store::listing::READ_TOGETHER, types::SeededRandom};

#[test]
fn the_item_of_a_week_in_which_everything_happens_is_one_write_unit() {
    let organization = OrganizationId::new(Timestamp::UNIX_EPOCH, &SeededRandom::new(1));
    let week = date(2026, 11, 16);
    let key = Key::daily_counts(Mode::Sandbox, &organization, week, DAILY_COUNTERS - 1);
    let number = |number: u64| AttributeValue::N(number.to_string());
    let mut item =
        expiring(to_item(key, &BTreeMap::<String, u32>::new()).unwrap(), i64::from(u32::MAX));
    let names: Vec<_> = week
        .series(1.day())
        .take(7)
        .flat_map(|day| Reached::ALL.map(|reached| counter(day, reached)))
        .collect();
    item.extend(names.iter().map(|name| (name.clone(), number(u32::MAX.into()))));
    item.insert("last".to_owned(), AttributeValue::S("0".repeat(LAST)));
    assert_eq!(item.len(), 7 * Reached::ALL.len() + 4, "each has a name of its own");
    let size: usize = item
        .iter()
        .map(|(name, value)| match value {
            // "One byte per two significant digits", and one more (DynamoDB, item sizes).
            AttributeValue::N(number) => name.len() + number.len().div_ceil(2) + 1,
            value => name.len() + value.as_s().unwrap().len(),
        })
        .sum();
    assert!(size <= 1_024, "{size}");
    let days = days_of(week, &item).unwrap();
    assert_eq!(days.len(), 7);
    assert!(days.iter().all(|day| Reached::ALL.iter().all(|it| day.of(*it) == u32::MAX)));
}

#[test]
fn fourteen_days_are_one_read_and_thirty_are_two_whatever_day_of_the_week_it_is() {
    let monday = date(2026, 11, 16);
    for last in monday.series(1.day()).take(7) {
        for (days, reads) in [(14, 1), (30, 2)] {
            let first = last.saturating_sub((days - 1).days());
            let weeks: Vec<_> = weeks_of(&(first..=last)).collect();
            assert!(weeks[0] <= first && first < weeks[0].saturating_add(7.days()));
            assert_eq!(weeks.last(), Some(&monday));
            let keys = weeks.len() * usize::from(DAILY_COUNTERS);
            assert!(keys <= reads * READ_TOGETHER, "{last}: {keys} for {days} days");
        }
    }
}

#[test]
fn a_week_begins_and_ends_at_midnight_in_the_uae() {
    let instant = |text: &str| text.parse::<Timestamp>().unwrap();
    let last = instant("2026-11-22T19:59:59Z");
    assert_eq!(week_of(uae_date(last)), date(2026, 11, 16));
    assert_eq!(week_of(uae_date(instant("2026-11-22T20:00:00Z"))), date(2026, 11, 23));
    assert_eq!(end_of(date(2026, 11, 16), last), instant("2026-11-22T20:00:00Z"));
}

/// An outcome that is awaited at so many seconds after an instant.
fn awaited_at(second: i64) -> AwaitedOf {
    AwaitedOf {
        document_id: "doc_1".parse().unwrap(),
        taxpayer_id: "txpay_1".parse().unwrap(),
        what: Awaited::Status,
        by: Timestamp::from_second(second).unwrap(),
    }
}

#[test]
fn the_earliest_of_several_lists_end_where_one_of_them_was_not_read() {
    let list = |seconds: &[i64]| seconds.iter().map(|it| awaited_at(*it)).collect::<Vec<_>>();
    for (lists, expected) in [
        // All were read to their ends.
        (vec![list(&[3, 9]), list(&[]), list(&[1])], list(&[1, 3, 9])),
        // After 4 the second one may have others than those that were read.
        (vec![list(&[3, 9]), list(&[1, 2, 4])], list(&[1, 2, 3, 4])),
        (vec![list(&[3, 5, 9]), list(&[1, 2, 4])], list(&[1, 2, 3, 4])),
    ] {
        assert_eq!(first_of(lists, 3), expected);
    }
}

#[test]
fn events_are_counted_by_every_counter_alike() {
    let random = SeededRandom::new(1);
    let mut counted = BTreeMap::new();
    for _ in 0..3_200 {
        let event = EventId::new(Timestamp::UNIX_EPOCH, &random);
        *counted.entry(keys::daily_counter(&event)).or_insert(0) += 1;
    }
    assert_eq!(counted.len(), usize::from(DAILY_COUNTERS));
    // The average is 100. The bounds are more than three standard deviations away.
    assert!(counted.values().all(|count| (60..=140).contains(count)), "{counted:?}");
}
