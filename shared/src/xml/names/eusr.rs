//! Names in `urn:fdc:peppol:end-user-statistics-report:1.1`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    19, "eusr" = "urn:fdc:peppol:end-user-statistics-report:1.1";
    CUSTOMIZATION_ID "CustomizationID", END_DATE "EndDate",
    END_USER_STATISTICS_REPORT "EndUserStatisticsReport", FULL_SET "FullSet", HEADER "Header",
    KEY "Key", PROFILE_ID "ProfileID", RECEIVING_END_USERS "ReceivingEndUsers",
    REPORTER_ID "ReporterID", REPORT_PERIOD "ReportPeriod", SENDING_END_USERS "SendingEndUsers",
    SENDING_OR_RECEIVING_END_USERS "SendingOrReceivingEndUsers", START_DATE "StartDate",
    SUBSET "Subset",
}
