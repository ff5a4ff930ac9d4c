//! The fields that describe an endpoint, in the forms that create and change one.

use crate::{
    pages::{
        App, Form, PageError,
        excerpt::{Excerpt, cut},
        organization::{Refusal, Who, caller},
    },
    service::{page::PageQuery, sessions::SignedInMember, taxpayers, webhooks::MAX_TAXPAYERS},
    store::EventType,
    types::TaxpayerId,
};

/// Characters of a business name in a row.
const NAME_SHOWN: usize = 40;

/// Maximum bytes of typed text on a page, more than the identifiers of an endpoint need.
const TYPED_SHOWN: usize = 5_000;

/// The businesses to which an endpoint may be limited. The form has checkboxes if there are few, otherwise a text field
/// with their identifiers.
#[derive(Default)]
pub(super) struct Businesses {
    pub(super) few: Vec<Business>,
    /// The chosen identifiers, one on each line, if there are many.
    pub(super) many: Option<String>,
}

/// A business with a checkbox.
pub(super) struct Business {
    pub(super) id: TaxpayerId,
    pub(super) name: String,
    pub(super) is_chosen: bool,
}

impl Businesses {
    /// Maximum number of checkboxes: a form has 50 fields.
    const FEW: u8 = 20;

    /// The connected businesses and the chosen ones, whose grants may have ended since. Typed text is kept. A member
    /// who may not send the form gets no choice.
    pub(super) async fn of(
        app: &App,
        signed_in: &SignedInMember,
        chosen: &[TaxpayerId],
        typed: Option<&str>,
    ) -> Result<Self, PageError> {
        if !(Who { member: signed_in }).may_develop() {
            return Ok(Businesses::default());
        }
        let asked = PageQuery { cursors: &app.cursors, cursor: None, limit: Self::FEW };
        let filter = taxpayers::Filter::default();
        let found = taxpayers::list(&app.ctx, &caller(signed_in), &filter, asked).await?;
        let connected = found.items.into_iter().map(|it| Business {
            is_chosen: chosen.contains(&it.taxpayer.taxpayer_id),
            name: cut(it.name(), NAME_SHOWN),
            id: it.taxpayer.taxpayer_id,
        });
        let mut few: Vec<Business> = connected.collect();
        for id in chosen {
            if !few.iter().any(|business| business.id == *id) {
                few.push(Business { id: id.clone(), name: id.to_string(), is_chosen: true });
            }
        }
        if found.next_cursor.is_none() && few.len() <= usize::from(Self::FEW) {
            return Ok(Businesses { few, many: None });
        }
        let ids = || chosen.iter().map(|id| id.as_str()).collect::<Vec<_>>().join("\n");
        let typed = typed.map(|typed| Excerpt::of(typed, TYPED_SHOWN).text);
        Ok(Businesses { few: Vec::new(), many: Some(typed.unwrap_or_else(ids)) })
    }

    /// Whether there is a choice.
    pub(super) fn is_offered(&self) -> bool {
        self.many.is_some() || !self.few.is_empty()
    }
}

/// The prefix of the checkboxes for businesses.
pub(super) const BUSINESS: &str = "taxpayer ";

/// The text field with identifiers of businesses.
pub(super) const BUSINESSES: &str = "taxpayers";

/// The businesses to which a form limits an endpoint; empty for all businesses.
pub(super) fn chosen_businesses(form: &Form) -> Result<Vec<TaxpayerId>, Refusal> {
    let separators = |c: char| c.is_whitespace() || c == ',';
    let typed = form.field(BUSINESSES).split(separators).filter(|text| !text.is_empty());
    let mut chosen: Vec<TaxpayerId> = Vec::new();
    for text in form.chosen(BUSINESS).chain(typed) {
        let id = text.parse().map_err(|_| Refusal::said("webhooks-taxpayers-wrong"))?;
        if !chosen.contains(&id) {
            chosen.push(id);
        }
    }
    match chosen.len() <= MAX_TAXPAYERS {
        true => Ok(chosen),
        false => Err(Refusal::said("webhooks-taxpayers-many")),
    }
}

/// The chosen types of a form; all types if none was chosen.
pub(super) fn chosen_types(form: &Form) -> Vec<EventType> {
    let chosen = |it: &EventType| !form.field(&format!("type {}", it.as_str())).is_empty();
    EventType::ALL.into_iter().filter(chosen).collect()
}

/// The entered description.
pub(super) fn description(form: &Form) -> Option<String> {
    Some(form.field("description").trim().to_owned()).filter(|text| !text.is_empty())
}
