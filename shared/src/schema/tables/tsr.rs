//! The Transaction Statistics Report.
//!
//! Written by `infra/schema-tables.py` from the official schemas.

super::models! {
    space "urn:fdc:peppol:transaction-statistics-report:1.0";
    HEADER "HeaderType" from xs::ANY_TYPE () () elements {
        goes [tsr::REPORT_PERIOD = tsr::REPORT_PERIOD] 1;
        goes [tsr::REPORTER_ID = tsr::ID] 2;
        ends;
    }
    INCOMING_OUTGOING "IncomingOutgoingType" from xs::ANY_TYPE () () elements {
        goes [tsr::INCOMING = xs::NON_NEGATIVE_INTEGER] 1;
        goes [tsr::OUTGOING = xs::NON_NEGATIVE_INTEGER] 2;
        ends;
    }
    REPORT_PERIOD "ReportPeriodType" from xs::ANY_TYPE () () elements {
        goes [tsr::START_DATE = xs::DATE] 1;
        goes [tsr::END_DATE = xs::DATE] 2;
        ends;
    }
    SUBTOTAL "SubtotalType" from xs::ANY_TYPE (TYPE ! Token) () elements {
        goes [tsr::KEY = tsr::SUBTOTAL_KEY] 1;
        goes [tsr::KEY = tsr::SUBTOTAL_KEY] 1 [tsr::INCOMING = xs::NON_NEGATIVE_INTEGER] 2;
        goes [tsr::OUTGOING = xs::NON_NEGATIVE_INTEGER] 3;
        ends;
    }
    TRANSACTION_STATISTICS_REPORT "TransactionStatisticsReportType" from xs::ANY_TYPE ()
        (tsr::TRANSACTION_STATISTICS_REPORT) elements {
        goes [tsr::CUSTOMIZATION_ID = tsr::ID] 1;
        goes [tsr::PROFILE_ID = tsr::ID] 2;
        goes [tsr::HEADER = tsr::HEADER] 3;
        goes [tsr::TOTAL = tsr::INCOMING_OUTGOING] 4;
        ends [tsr::SUBTOTAL = tsr::SUBTOTAL] 4;
    }
}

super::values! {
    space "urn:fdc:peppol:transaction-statistics-report:1.0";
    ID "IDType" from xs::STRING (SCHEME_ID ? String) () = String;
    SUBTOTAL_KEY "SubtotalKeyType" from xs::STRING (META_SCHEME_ID ! Token, SCHEME_ID ! String) () =
        String;
}
