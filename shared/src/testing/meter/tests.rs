//! The meter over the real SDK and the emulator.

use aws_sdk_dynamodb::types::{
    AttributeValue::{self, S},
    Put, TransactWriteItem,
};
use aws_sdk_s3::primitives::ByteStream;

use super::*;
use crate::{
    service::Relaying,
    store::MailMessage,
    testing::{
        World,
        clients::{BUCKET, over, relaying_over, s3_over},
    },
    types::{MailId, Mode},
};

struct Scene {
    world: World,
    meter: Meter,
    dynamo: aws_sdk_dynamodb::Client,
}

impl Scene {
    async fn new() -> Scene {
        let world = World::new().await;
        let meter = Meter::new(world.cloud.client(None), world.cloud.dynamodb_url());
        let dynamo = over(world.cloud.dynamodb_url(), meter.client());
        Scene { world, meter, dynamo }
    }

    /// An item of a partition with a text of this length.
    fn item(sort: &str, length: usize) -> Put {
        let put = Put::builder().table_name(TABLE).item("pk", S("P".to_owned()));
        put.item("sk", S(sort.to_owned())).item("text", S("x".repeat(length))).build().unwrap()
    }

    async fn put(&self, item: Put, condition: Option<&str>) -> bool {
        let put = self.dynamo.put_item().table_name(TABLE).set_item(Some(item.item));
        put.set_condition_expression(condition.map(str::to_owned)).send().await.is_ok()
    }

    /// The only call since the last one.
    fn only(&self) -> MeteredCall {
        let [call] = self.meter.take_calls().try_into().unwrap();
        call
    }
}

#[tokio::test]
async fn a_write_whose_condition_fails_is_charged_with_the_item_that_is_there() {
    let scene = Scene::new().await;
    assert!(scene.put(Scene::item("A", 1_500), None).await);
    assert_eq!(scene.only().units(), Units { write: 4, read: 0 });
    assert!(!scene.put(Scene::item("A", 10), Some("attribute_not_exists(pk)")).await);
    assert_eq!(scene.only().units(), Units { write: 4, read: 0 });
    assert!(!scene.put(Scene::item("B", 1_500), Some("attribute_exists(pk)")).await);
    assert_eq!(scene.only().units(), Units { write: 2, read: 0 }, "there is no item");
}

#[tokio::test]
async fn a_transaction_counts_each_item_twice_also_if_it_is_cancelled() {
    let scene = Scene::new().await;
    let writes = [Scene::item("A", 10), Scene::item("B", 1_500)];
    let writes = writes.map(|put| TransactWriteItem::builder().put(put).build());
    let transaction = scene.dynamo.transact_write_items().set_transact_items(Some(writes.into()));
    transaction.send().await.unwrap();
    assert_eq!(scene.only().units(), Units { write: 4 + 8, read: 0 });
    let mut put = Scene::item("A", 10);
    put.condition_expression = Some("attribute_not_exists(pk)".to_owned());
    let again = TransactWriteItem::builder().put(put).build();
    let transaction = scene.dynamo.transact_write_items().transact_items(again);
    transaction.send().await.unwrap_err();
    assert_eq!(scene.only().units(), Units { write: 4, read: 0 });
}

#[tokio::test]
async fn an_entry_of_the_index_is_charged_when_it_is_added_moved_and_removed() {
    let scene = Scene::new().await;
    let due = |at: Option<&str>| {
        let mut put = Scene::item("A", 10);
        if let Some(at) = at {
            put.item.insert("due_pk".to_owned(), S("LIVE#DUE#1".to_owned()));
            put.item.insert("due_at".to_owned(), S(at.to_owned()));
        }
        put
    };
    for (at, entries) in [(Some("1"), 1), (Some("1"), 0), (Some("2"), 2), (None, 1)] {
        assert!(scene.put(due(at), None).await);
        let call = scene.only();
        let of_index = call.touched.iter().filter(|it| it.partition == "LIVE#DUE#1");
        assert_eq!(of_index.count(), entries, "{at:?}");
        assert_eq!(call.units(), Units { write: 2 + 2 * entries, read: 0 });
    }
}

#[tokio::test]
async fn a_query_is_charged_with_the_sum_of_what_it_looked_at() {
    let scene = Scene::new().await;
    for sort in ["A", "B", "C"] {
        assert!(scene.put(Scene::item(sort, 2_000), None).await);
    }
    scene.meter.take_calls();
    for (consistent, read) in [(false, 2), (true, 4)] {
        let query = scene.dynamo.query().table_name(TABLE).consistent_read(consistent);
        let query = query
            .key_condition_expression("pk = :pk")
            .filter_expression("begins_with(#text, :none)");
        let query = query.expression_attribute_values(":pk", S("P".to_owned()));
        let query = query.expression_attribute_values(":none", S("none".to_owned()));
        let query = query.expression_attribute_names("#text", "text");
        assert_eq!(query.send().await.unwrap().count, 0);
        assert_eq!(scene.only().units(), Units { write: 0, read });
    }
    let get = scene.dynamo.get_item().table_name(TABLE).key("pk", S("P".to_owned()));
    get.key("sk", AttributeValue::S("none".to_owned())).send().await.unwrap();
    assert_eq!(scene.only().units(), Units { write: 0, read: 1 }, "nothing was found");
}

#[tokio::test]
async fn objects_are_charged_by_request_and_messages_by_batch() {
    let scene = Scene::new().await;
    let s3 = s3_over(scene.meter.client());
    let put = s3.put_object().bucket(BUCKET).key("live/a").if_none_match("*");
    put.body(ByteStream::from_static(b"four")).send().await.unwrap();
    let call = scene.only();
    assert_eq!((call.service, &*call.operation, call.bytes), (Service::Bucket, "PUT", 4));
    s3.get_object().bucket(BUCKET).key("live/a").send().await.unwrap();
    let call = scene.only();
    assert_eq!((call.service, &*call.operation, call.bytes), (Service::Bucket, "GET", 4));

    let Relaying { mail, .. } = relaying_over(scene.meter.client(), &scene.world.ctx);
    let (now, random) = (scene.world.now(), &*scene.world.ctx.random);
    let message = || MailMessage { mode: Mode::Sandbox, mail_id: MailId::new(now, random) };
    mail.send(std::iter::repeat_with(message).take(10).collect()).await.unwrap();
    let call = scene.only();
    assert_eq!((call.service, call.requests), (Service::Queue, 1));
    assert!(call.bytes > 10 * 30 && call.bytes < 64 * 1_024, "{}", call.bytes);
}
