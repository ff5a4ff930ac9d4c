//! Names in `urn:fdc:peppol:transaction-statistics-report:1.0`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    18, "tsr" = "urn:fdc:peppol:transaction-statistics-report:1.0";
    CUSTOMIZATION_ID "CustomizationID", END_DATE "EndDate", HEADER "Header", INCOMING "Incoming",
    KEY "Key", OUTGOING "Outgoing", PROFILE_ID "ProfileID", REPORTER_ID "ReporterID",
    REPORT_PERIOD "ReportPeriod", START_DATE "StartDate", SUBTOTAL "Subtotal", TOTAL "Total",
    TRANSACTION_STATISTICS_REPORT "TransactionStatisticsReport",
}
