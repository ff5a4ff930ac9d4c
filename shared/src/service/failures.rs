//! The answer to a caller when the table or another part of the service fails.

use crate::{
    error::{Code, Failure},
    store::StoreError,
};

/// For a failed read, or a failed write without an idempotency key.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt(_) => Failure::new(
                Code::InternalError,
                "Something went wrong on our side; the request id leads to the cause.",
            ),
            StoreError::Unavailable(_) | StoreError::Unknown(_) => Failure::new(
                Code::ServiceUnavailable,
                "A part of the service cannot be reached: retry, with the same Idempotency-Key if \
                 there was one.",
            ),
        }
        .because(error)
    }
}
