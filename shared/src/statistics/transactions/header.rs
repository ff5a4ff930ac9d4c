//! The reporter and the period of the report.

use super::super::check::{is_day, is_in_order, is_of_subject, is_reporter};
use super::super::rule;
use crate::rules::Group;
use crate::xml::Name;
use crate::xml::names::tsr;

/// The path to the first day.
const START: &[Name] = &[tsr::REPORT_PERIOD, tsr::START_DATE];
/// The path to the last day.
const END: &[Name] = &[tsr::REPORT_PERIOD, tsr::END_DATE];

/// `/tsr:TransactionStatisticsReport/tsr:Header`
pub(super) const HEADER: Group<()> = &[
    rule(
        "SCH-TSR-40",
        START,
        "The first day of the period is missing, or has a time zone.",
        "Write only the date, as YYYY-MM-DD.",
        |header, _| is_day(header.select(START)),
    ),
    rule(
        "SCH-TSR-41",
        END,
        "The last day of the period is missing, or has a time zone.",
        "Write only the date, as YYYY-MM-DD.",
        |header, _| is_day(header.select(END)),
    ),
    rule(
        "SCH-TSR-42",
        END,
        "The period ends before it starts.",
        "Give the first and the last day of the period.",
        |header, _| is_in_order(header.select(START), header.select(END)),
    ),
];

/// `/tsr:TransactionStatisticsReport/tsr:Header/tsr:ReporterID`
pub(super) const REPORTER: Group<()> = &[
    rule(
        "SCH-TSR-16",
        &[],
        "The reporter is not named.",
        "Give the common name of the access point's certificate.",
        |id, _| id.has_text(),
    ),
    rule(
        "SCH-TSR-17",
        &[],
        "The scheme of the reporter's identifier is not one of the known codes.",
        "Use CertSubjectCN.",
        |id, _| is_of_subject(id),
    ),
    rule(
        "SCH-TSR-18",
        &[],
        "The reporter's identifier is not a seat of Peppol.",
        "Give the common name of the access point's certificate, such as PAE000123.",
        |id, _| is_reporter(id),
    ),
];
