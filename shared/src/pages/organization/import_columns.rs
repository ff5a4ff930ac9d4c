//! The page that asks which field each column of a table with foreign headings is.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use super::{
    super::{App, Frame, LargeForm, PageError, PageRequest, see_other},
    Refusal, correctable, frame,
    imports::{
        NAME, TYPE, check_path, checking, columns_path, file_name, gone, kind, named, owner,
        shortened,
    },
};
use crate::{
    access::Permission,
    document::Operation,
    error::Code,
    import_tables::mapping::offered,
    service::{
        imports::{columns, map},
        sessions::SignedInMember,
        taxpayers::Connected,
    },
};

#[derive(Template)]
#[template(path = "organization/import_columns.html")]
struct ColumnsPage<'a> {
    frame: Frame<'a>,
    /// The name of the file.
    name: String,
    taxpayer_id: &'a str,
    import_id: &'a str,
    operation: Operation,
    /// The headings with the fields that are filled in.
    columns: Vec<(String, String)>,
    offered: Vec<&'static str>,
    problem: Option<Refusal>,
}

/// The name of a column's field in the form.
fn field(place: usize) -> String {
    format!("column-{place}")
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, import_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let (member, connected, operation) = checking(&app, &request, &taxpayer_id).await?;
    let owner = owner(&member, &connected);
    let columns = columns(&app, owner, (operation, &import_id)).await.map_err(gone)?;
    page(&request, &member, (&connected, &import_id, operation), columns, None)
}

fn page(
    request: &PageRequest,
    member: &SignedInMember,
    (connected, import_id, operation): (&Connected, &str, Operation),
    columns: Vec<(String, String)>,
    problem: Option<Refusal>,
) -> Result<Response, PageError> {
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = ColumnsPage {
        frame: frame(request, member),
        taxpayer_id: connected.taxpayer.taxpayer_id.as_str(),
        import_id,
        operation,
        name: file_name(request)?,
        columns,
        offered: offered(operation),
        problem,
    };
    request.page(status, &page)
}

/// Takes the fields of the columns, and goes to the check of the table with these.
pub(super) async fn choose(
    State(app): State<App>,
    LargeForm(form): LargeForm,
) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, _) = request.acting(&app, Permission::Develop).await?;
    let connected = named(&app, &member, &form).await?;
    let (operation, import_id) = (kind(form.field(TYPE))?, form.field("import"));
    let name = shortened(form.field(NAME));
    let (owner, file) = (owner(&member, &connected), (operation, import_id));
    let mut columns = columns(&app, owner, file).await.map_err(gone)?;
    for (place, (_, chosen)) in columns.iter_mut().enumerate() {
        form.field(&field(place)).trim().clone_into(chosen);
    }
    let chosen = columns.iter().map(|(_, chosen)| chosen.clone()).collect();
    match map(&app, owner, file, chosen).await {
        Ok(mapped) => {
            let ids = (&mapped, Some(import_id));
            Ok(see_other(&check_path(request, &connected, ids, (operation, &name))))
        }
        Err(failure) if failure.code == Code::NotFound => Err(gone(failure)),
        Err(failure) => {
            let here = columns_path(request, &connected, import_id, (operation, &name));
            let problem = Some(correctable(failure)?);
            page(&request.at(&here), &member, (&connected, import_id, operation), columns, problem)
        }
    }
}
