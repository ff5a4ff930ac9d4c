//! Which taxpayers are registered with an e-mail address: a pointer for each, written with the taxpayer's own record.

use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, to_item},
    keys::{self, Key, TAXPAYER},
};
use crate::types::{EmailAddress, Mode, TaxpayerId};
#[cfg(test)]
use crate::{access::Taxpayer, store::dynamo::Update};

#[derive(Serialize, Deserialize)]
struct Registered {
    taxpayer_id: TaxpayerId,
}

/// The write of the pointer from an address to a taxpayer.
pub(super) fn pointer_write(
    mode: Mode,
    email: &EmailAddress,
    taxpayer_id: &TaxpayerId,
) -> Result<Write, StoreError> {
    let pointer = Registered { taxpayer_id: taxpayer_id.clone() };
    let item = to_item(Key::email(mode, email, taxpayer_id), &pointer)?;
    Ok(Write::Put { item, condition: Expression::default() })
}

impl Store {
    /// The taxpayers that are registered with an address. It takes one query.
    pub async fn list_registered_with(
        &self,
        mode: Mode,
        email: &EmailAddress,
    ) -> Result<Vec<TaxpayerId>, StoreError> {
        let found: Vec<Registered> = self.all(&keys::email(mode, email), TAXPAYER).await?;
        Ok(found.into_iter().map(|found| found.taxpayer_id).collect())
    }

    /// Sets or removes a taxpayer's verified address.
    #[cfg(test)]
    pub(crate) async fn set_email(&self, read: &Taxpayer, email: Option<&EmailAddress>) {
        let (mode, id) = (read.mode, &read.taxpayer_id);
        let update = match email {
            Some(email) => Update::new().set("email", email).unwrap(),
            None => Update::new().remove("email"),
        };
        let (key, condition) = (Key::taxpayer(mode, id), Expression::default());
        let mut writes = vec![Write::Update { key, update: update.build(), condition }];
        writes.extend(read.email.as_ref().map(|old| Write::Delete {
            key: Key::email(mode, old, id),
            condition: Expression::default(),
        }));
        writes.extend(email.map(|email| pointer_write(mode, email, id).unwrap()));
        self.transact(writes).await.unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;

    #[tokio::test]
    async fn taxpayers_are_found_by_the_address_that_they_have_now() {
        let world = World::new().await;
        let (store, mode) = (&world.ctx.store, world.mode);
        let [a, b]: [EmailAddress; 2] =
            ["a@example.com", "b@example.com"].map(|text| text.parse().unwrap());
        let falcon = world.registered("Falcon", "1001234501", &a).await;
        let oasis = world.registered("Oasis", "1009876543", &a).await;
        let ids = async |email| store.list_registered_with(mode, email).await.unwrap();
        assert_eq!(ids(&a).await, [falcon.taxpayer_id.clone(), oasis.taxpayer_id.clone()]);
        assert!(store.list_registered_with(Mode::Live, &a).await.unwrap().is_empty());
        store.set_email(&falcon, Some(&b)).await;
        assert_eq!(
            (ids(&a).await, ids(&b).await),
            (vec![oasis.taxpayer_id.clone()], vec![falcon.taxpayer_id.clone()])
        );
        store.set_email(&oasis, None).await;
        assert!(ids(&a).await.is_empty());
        let current = store.get_taxpayer(mode, &oasis.taxpayer_id).await.unwrap().unwrap();
        assert_eq!(current, Taxpayer { email: None, ..oasis });
    }
}
