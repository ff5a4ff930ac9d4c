//! Records the AWS calls of a use case, and repeats them without the service.

use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::{
    operation::{
        batch_get_item::BatchGetItemInput, get_item::GetItemInput, put_item::PutItemInput,
        query::QueryInput, transact_write_items::TransactWriteItemsInput,
        update_item::UpdateItemInput,
    },
    primitives::Blob,
};
use aws_sdk_s3::{operation::put_object::PutObjectInput, primitives::ByteStream};
use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::interceptors::{
        Intercept,
        context::{BeforeSerializationInterceptorContextRef, Input},
    },
};
use aws_smithy_types::config_bag::ConfigBag;

use super::{
    World,
    clients::{BUCKET, TABLE, dynamo, s3},
};
use crate::{
    service::{Context, Sending},
    store::{Bucket, Store},
};

/// The input of a call.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    Get(GetItemInput),
    GetMany(BatchGetItemInput),
    Query(Box<QueryInput>),
    Put(Box<PutItemInput>),
    Update(Box<UpdateItemInput>),
    Transact(TransactWriteItemsInput),
    Store { key: Option<String>, content_type: Option<String>, bytes: Blob },
}

impl Call {
    /// The key of an item that a call puts.
    pub(crate) fn puts(&self) -> Option<String> {
        let Call::Put(put) = self else { return None };
        let item = put.item.as_ref()?;
        Some(format!("{:?} {:?}", item.get("pk")?, item.get("sk")?))
    }

    fn of(input: &Input) -> Option<Self> {
        if let Some(input) = input.downcast_ref::<PutObjectInput>() {
            let bytes = Blob::new(input.body.bytes()?);
            let (key, content_type) = (input.key.clone(), input.content_type.clone());
            return Some(Call::Store { key, content_type, bytes });
        }
        let get = input.downcast_ref().cloned().map(Call::Get);
        get.or_else(|| input.downcast_ref().cloned().map(Call::GetMany))
            .or_else(|| input.downcast_ref().cloned().map(Box::new).map(Call::Query))
            .or_else(|| input.downcast_ref().cloned().map(Box::new).map(Call::Put))
            .or_else(|| input.downcast_ref().cloned().map(Box::new).map(Call::Update))
            .or_else(|| input.downcast_ref().cloned().map(Call::Transact))
    }
}

/// Records inputs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Vec<Call>>>);

impl Recorder {
    /// The inputs since the last call.
    pub(crate) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Intercept for Recorder {
    fn name(&self) -> &'static str {
        "recorder"
    }

    fn read_before_execution(
        &self,
        context: &BeforeSerializationInterceptorContextRef<'_>,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let asked = Call::of(context.input());
        let unknown = || format!("no call that can be made again: {:?}", context.input());
        self.0.lock().unwrap().push(asked.ok_or_else(unknown)?);
        Ok(())
    }
}

impl World {
    /// This world with recorded sends.
    pub(crate) fn recorded(self, recorder: &Recorder) -> World {
        let dynamo = dynamo(&self.cloud, None).config().to_builder();
        let dynamo =
            aws_sdk_dynamodb::Client::from_conf(dynamo.interceptor(recorder.clone()).build());
        let s3 = s3(&self.cloud, None).config().to_builder();
        let s3 = aws_sdk_s3::Client::from_conf(s3.interceptor(recorder.clone()).build());
        let bucket = Bucket::new(s3, BUCKET, self.random.clone());
        let store = Store::new(dynamo, TABLE, self.random.clone());
        let store = store.with_cold_storage(bucket.clone(), self.clock.clone());
        let ctx = Context { store, ..self.ctx.clone() };
        let sending = Sending { ctx: ctx.clone(), bucket, ..self.sending.clone() };
        World { ctx, sending, ..self }
    }

    /// Clients without any wrapper.
    pub(crate) fn bare(&self) -> Bare {
        Bare { dynamo: dynamo(&self.cloud, None), s3: s3(&self.cloud, None) }
    }
}

/// Repeats calls.
#[derive(Clone)]
pub(crate) struct Bare {
    pub(super) dynamo: aws_sdk_dynamodb::Client,
    pub(super) s3: aws_sdk_s3::Client,
}

impl Bare {
    /// Repeats a call, which must succeed.
    pub(crate) async fn make(&self, asked: Call) {
        match asked {
            Call::Get(it) => self.get(it).await,
            Call::GetMany(it) => {
                let call = self.dynamo.batch_get_item().set_request_items(it.request_items);
                call.send().await.unwrap();
            }
            Call::Query(it) => self.query(*it).await,
            Call::Put(it) => self.put(*it).await,
            Call::Update(it) => self.update(*it).await,
            Call::Transact(it) => {
                let call = self.dynamo.transact_write_items();
                call.set_transact_items(it.transact_items).send().await.unwrap();
            }
            Call::Store { key, content_type, bytes } => {
                let call = self.s3.put_object().bucket(BUCKET).set_key(key).if_none_match("*");
                let body = ByteStream::from(bytes.into_inner());
                call.set_content_type(content_type).body(body).send().await.unwrap();
            }
        }
    }

    async fn get(&self, it: GetItemInput) {
        let call = self.dynamo.get_item().set_table_name(it.table_name).set_key(it.key);
        let call = call.set_consistent_read(it.consistent_read);
        call.send().await.unwrap();
    }

    async fn query(&self, it: QueryInput) {
        let call = self.dynamo.query().set_table_name(it.table_name);
        let call = call
            .set_index_name(it.index_name)
            .set_key_condition_expression(it.key_condition_expression)
            .set_filter_expression(it.filter_expression)
            .set_expression_attribute_names(it.expression_attribute_names)
            .set_expression_attribute_values(it.expression_attribute_values)
            .set_consistent_read(it.consistent_read)
            .set_scan_index_forward(it.scan_index_forward)
            .set_limit(it.limit);
        call.send().await.unwrap();
    }

    async fn put(&self, it: PutItemInput) {
        let call = self.dynamo.put_item().set_table_name(it.table_name).set_item(it.item);
        let call = call
            .set_condition_expression(it.condition_expression)
            .set_expression_attribute_names(it.expression_attribute_names)
            .set_expression_attribute_values(it.expression_attribute_values)
            .set_return_values_on_condition_check_failure(
                it.return_values_on_condition_check_failure,
            );
        call.send().await.unwrap();
    }

    async fn update(&self, it: UpdateItemInput) {
        let call = self.dynamo.update_item().set_table_name(it.table_name).set_key(it.key);
        let call = call
            .set_update_expression(it.update_expression)
            .set_condition_expression(it.condition_expression)
            .set_expression_attribute_names(it.expression_attribute_names)
            .set_expression_attribute_values(it.expression_attribute_values)
            .set_return_values(it.return_values)
            .set_return_values_on_condition_check_failure(
                it.return_values_on_condition_check_failure,
            );
        call.send().await.unwrap();
    }
}
