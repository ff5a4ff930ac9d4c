//! Secrets of Secrets Manager.

use std::error::Error;

use aws_config::SdkConfig;
use aws_sdk_secretsmanager::operation::get_secret_value::GetSecretValueError;

use crate::{service::page::SecretText, tasks::Boxed};

pub(super) type BoxError = Box<dyn Error + Send + Sync>;

/// A text secret of Secrets Manager.
#[derive(Clone)]
pub(super) struct Secret {
    pub(super) client: aws_sdk_secretsmanager::Client,
    pub(super) arn: String,
}

impl Secret {
    pub(super) fn of(aws: &SdkConfig, arn: &str) -> Self {
        Secret { client: aws_sdk_secretsmanager::Client::new(aws), arn: arn.to_owned() }
    }

    /// Its text; `None` before the operator sets a value. The template creates the secrets that an operator fills
    /// without a value. Boxed, so that it is not compiled again where it is awaited.
    pub(super) fn value(&self) -> Boxed<'_, Result<Option<String>, BoxError>> {
        Box::pin(async {
            let request = self.client.get_secret_value().secret_id(&self.arn);
            match request.send().await {
                Ok(output) => {
                    let text = output.secret_string.ok_or("the secret has no text")?;
                    Ok(Some(text).filter(|text| !text.is_empty()))
                }
                // Secrets Manager returns this error for a secret without a version, and for one that does not exist.
                Err(error)
                    if error
                        .as_service_error()
                        .is_some_and(GetSecretValueError::is_resource_not_found_exception) =>
                {
                    tracing::warn!(secret = self.arn, "the secret has no value yet");
                    Ok(None)
                }
                Err(error) => Err(error.into()),
            }
        })
    }
}

impl SecretText for Secret {
    fn fetch(&self) -> Boxed<'_, Result<String, BoxError>> {
        Box::pin(async {
            let text = self.value().await?;
            Ok(text.ok_or("the secret has no value yet: put one, as the README says")?)
        })
    }
}
