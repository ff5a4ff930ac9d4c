use crate::{codes::is_reported_country, peppol::sbdh::CountryCode};

/// A country that a report may name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Country(CountryCode);

impl Country {
    /// The United Arab Emirates.
    pub const UAE: Country = Country(CountryCode::UAE);

    /// The country of a code; `None` when the code list of the reports does not have it.
    pub fn new(code: CountryCode) -> Option<Self> {
        is_reported_country(code.as_str()).then_some(Country(code))
    }

    /// The code's text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}
