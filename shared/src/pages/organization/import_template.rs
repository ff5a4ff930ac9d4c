//! Tables to start with: the headings and two documents, as CSV and as an Excel workbook whose cells offer the codes.

use axum::{extract::State, response::Response};

use super::{
    super::{App, PageError, PageRequest},
    imports::file,
};
use crate::access::Permission;

/// The table, as the command line writes it.
const CSV: &str = include_str!("../../../../events/imports/invoices.csv");
/// The workbook. A test writes it from the table and the code lists.
const WORKBOOK: &[u8] = include_bytes!("../../../../events/imports/invoices.xlsx");

/// Returns the table in the format of the query.
pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    request.member(&app, Permission::Look).await?;
    match request.parameter("format")?.as_deref() {
        None | Some("csv") => Ok(file("invoices", ("text/csv; charset=utf-8", "csv"), CSV.into())),
        Some("xlsx") => {
            let media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
            Ok(file("invoices", (media_type, "xlsx"), WORKBOOK.into()))
        }
        Some(_) => Err(PageError::Unreadable("the parameter format is invalid".to_owned())),
    }
}
