//! The End User Statistics Report.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "urn:fdc:peppol:end-user-statistics-report:1.1";
    END_USER_STATISTICS_REPORT "EndUserStatisticsReportType" from xs::ANY_TYPE ()
        (eusr::END_USER_STATISTICS_REPORT) elements {
        goes [eusr::CUSTOMIZATION_ID = eusr::ID] 1;
        goes [eusr::PROFILE_ID = eusr::ID] 2;
        goes [eusr::HEADER = eusr::HEADER] 3;
        goes [eusr::FULL_SET = eusr::FULL_SET] 4;
        ends [eusr::SUBSET = eusr::SUBSET] 4;
    }
    FULL_SET "FullSetType" from xs::ANY_TYPE () () elements {
        goes [eusr::SENDING_END_USERS = xs::NON_NEGATIVE_INTEGER] 1;
        goes [eusr::RECEIVING_END_USERS = xs::NON_NEGATIVE_INTEGER] 2;
        goes [eusr::SENDING_OR_RECEIVING_END_USERS = xs::NON_NEGATIVE_INTEGER] 3;
        ends;
    }
    HEADER "HeaderType" from xs::ANY_TYPE () () elements {
        goes [eusr::REPORT_PERIOD = eusr::REPORT_PERIOD] 1;
        goes [eusr::REPORTER_ID = eusr::ID] 2;
        ends;
    }
    REPORT_PERIOD "ReportPeriodType" from xs::ANY_TYPE () () elements {
        goes [eusr::START_DATE = xs::DATE] 1;
        goes [eusr::END_DATE = xs::DATE] 2;
        ends;
    }
    SUBSET "SubsetType" from xs::ANY_TYPE (TYPE ! Token) () elements {
        goes [eusr::KEY = eusr::SUBSET_KEY] 1;
        goes [eusr::KEY = eusr::SUBSET_KEY] 1
        [eusr::SENDING_END_USERS = xs::NON_NEGATIVE_INTEGER] 2;
        goes [eusr::RECEIVING_END_USERS = xs::NON_NEGATIVE_INTEGER] 3;
        goes [eusr::SENDING_OR_RECEIVING_END_USERS = xs::NON_NEGATIVE_INTEGER] 4;
        ends;
    }
}

super::values! {
    space "urn:fdc:peppol:end-user-statistics-report:1.1";
    ID "IDType" from xs::STRING (SCHEME_ID ? String) () = String;
    SUBSET_KEY "SubsetKeyType" from xs::STRING (META_SCHEME_ID ! Token, SCHEME_ID ! String) () =
        String;
}
