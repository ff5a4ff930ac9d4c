/// The public addresses of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    /// Origin of the portal.
    pub portal_url: String,
    /// The API's address with its version, without a final slash.
    pub base_url: String,
}
