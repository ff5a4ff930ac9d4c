/// The addresses of the service, as the world knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    /// Origin of the portal.
    pub portal_url: String,
    /// Of the API, with its version, without a slash at its end.
    pub base_url: String,
}
