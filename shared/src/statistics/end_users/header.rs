//! The reporter and the period of the report.

use super::super::check::{is_day, is_in_order, is_of_subject, is_reporter};
use super::super::rule;
use crate::rules::Group;
use crate::xml::Name;
use crate::xml::names::eusr;

/// The path to the first day.
const START: &[Name] = &[eusr::REPORT_PERIOD, eusr::START_DATE];
/// The path to the last day.
const END: &[Name] = &[eusr::REPORT_PERIOD, eusr::END_DATE];

/// `/eusr:EndUserStatisticsReport/eusr:Header`
pub(super) const HEADER: Group<()> = &[
    rule(
        "SCH-EUSR-16",
        START,
        "The first day of the period is missing, or has a time zone.",
        "Write only the date, as YYYY-MM-DD.",
        |header, _| is_day(header.select(START)),
    ),
    rule(
        "SCH-EUSR-17",
        END,
        "The last day of the period is missing, or has a time zone.",
        "Write only the date, as YYYY-MM-DD.",
        |header, _| is_day(header.select(END)),
    ),
    rule(
        "SCH-EUSR-18",
        END,
        "The period ends before it starts.",
        "Give the first and the last day of the period.",
        |header, _| is_in_order(header.select(START), header.select(END)),
    ),
];

/// `/eusr:EndUserStatisticsReport/eusr:Header/eusr:ReporterID`
pub(super) const REPORTER: Group<()> = &[
    rule(
        "SCH-EUSR-06",
        &[],
        "The reporter is not named.",
        "Give the common name of the access point's certificate.",
        |id, _| id.has_text(),
    ),
    rule(
        "SCH-EUSR-07",
        &[],
        "The scheme of the reporter's identifier is not one of the known codes.",
        "Use CertSubjectCN.",
        |id, _| is_of_subject(id),
    ),
    rule(
        "SCH-EUSR-08",
        &[],
        "The reporter's identifier is not a seat of Peppol.",
        "Give the common name of the access point's certificate, such as PAE000123.",
        |id, _| is_reporter(id),
    ),
];
