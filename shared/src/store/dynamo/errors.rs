//! The errors of calls.

use std::error::Error;

use crate::store::StoreError;

pub(in crate::store) fn unavailable(error: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(error.into())
}

pub(in crate::store) fn corrupt(error: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::Corrupt(error.into())
}

pub(in crate::store) fn unknown(message: &'static str) -> StoreError {
    StoreError::Unknown(message.into())
}
