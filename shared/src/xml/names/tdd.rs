//! Names in `urn:peppol:schema:taxdata:1.0`.
//!
//! Written by `infra/names.py` from the official schemas.

super::table! {
    15, "pxs" = "urn:peppol:schema:taxdata:1.0";
    CUSTOM_CONTENT "CustomContent", DOCUMENT_SCOPE "DocumentScope",
    DOCUMENT_TYPE_CODE "DocumentTypeCode", MONETARY_TOTAL "MonetaryTotal",
    RECEIVING_PARTY "ReceivingParty", REPORTED_DOCUMENT "ReportedDocument",
    REPORTED_TRANSACTION "ReportedTransaction", REPORTERS_REPRESENTATIVE "ReportersRepresentative",
    REPORTER_ROLE "ReporterRole", REPORTING_PARTY "ReportingParty",
    SOURCE_DOCUMENT "SourceDocument", TAX_DATA "TaxData", TRANSPORT_HEADER_ID "TransportHeaderID",
}
