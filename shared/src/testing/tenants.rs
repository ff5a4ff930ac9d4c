//! Organizations, members, taxpayers, and what they have.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::Value;

use super::{World, counting, sealing_key, sends::party};
use crate::{
    access::{
        Actor, By, Caller, Choices, Credentials as Headers, KeyStatus, Member, PresentedKey, Role,
        Scope, Taxpayer, TaxpayerStatus,
    },
    document::Profile,
    error::Failure,
    service::{
        authorize,
        grants::{self, Approval},
        organizations, register, subscriptions,
        webhooks::{self, EndpointSettings},
    },
    store::{EventType, Register, RegistrationRecord, RegistrationStatus},
    types::{EmailAddress, EndpointId, GrantId, MemberId, Mode, OrganizationId, TaxpayerId},
    webhook::Secret,
};

impl World {
    pub(crate) async fn organization(&self, name: &str) -> OrganizationId {
        let made = organizations::create(&self.ctx, self.mode, name, &By::operator()).await;
        made.unwrap().organization_id
    }

    /// A member with an arbitrary address.
    pub(crate) async fn member(
        &self,
        organization_id: &OrganizationId,
        email: EmailAddress,
        role: Role,
    ) -> Member {
        let member = Member {
            member_id: MemberId::new(self.now(), &*self.ctx.random),
            mode: self.mode,
            organization_id: organization_id.clone(),
            email,
            role,
            invited_by: Actor::Operator,
            created_at: self.now(),
            joined_at: None,
            notifications: Choices::default(),
            language: None,
        };
        self.ctx.store.create_member(&member, &[], None).await.unwrap().unwrap();
        member
    }

    pub(crate) async fn api_key(&self, organization_id: &OrganizationId) -> PresentedKey {
        self.api_key_with(organization_id, KeyStatus::Active).await
    }

    pub(crate) async fn api_key_with(
        &self,
        organization_id: &OrganizationId,
        status: KeyStatus,
    ) -> PresentedKey {
        let (ctx, mode, by) = (&self.ctx, self.mode, By::operator());
        let made = organizations::create_key(ctx, mode, organization_id, "Test", &by).await;
        let (key, record) = made.unwrap();
        if status == KeyStatus::Revoked {
            let revoked =
                organizations::revoke_key(ctx, mode, organization_id, &record.key_id, &by).await;
            assert_eq!(revoked.unwrap().status, status);
        }
        key
    }

    /// An active taxpayer with a TIN of 10 digits; in Live it is registered in the network.
    pub(crate) async fn taxpayer(&self, name: &str, tin: &str) -> Taxpayer {
        let record = self.onboarded(name, tin).await;
        if self.mode == Mode::Live {
            let registration = RegistrationRecord {
                status: RegistrationStatus::Registered,
                services: register::services(),
                ..register::wanted(&self.ctx, &record, Register::Network, None)
            };
            let put = self.ctx.store.put_registration(registration, None, None).await;
            assert!(put.unwrap().is_some());
        }
        record
    }

    /// A taxpayer with an e-mail address.
    pub(crate) async fn registered(&self, name: &str, tin: &str, email: &EmailAddress) -> Taxpayer {
        let record = self.onboarded(name, tin).await;
        self.ctx.store.set_email(&record, Some(email)).await;
        Taxpayer { email: Some(email.clone()), ..record }
    }

    /// A taxpayer before its registration.
    pub(crate) async fn onboarded(&self, name: &str, tin: &str) -> Taxpayer {
        let record = Taxpayer {
            taxpayer_id: TaxpayerId::new(self.now(), &*self.random),
            mode: self.mode,
            participant_id: format!("0235:{tin}").parse().unwrap(),
            name: name.to_owned(),
            status: TaxpayerStatus::Active,
            profile: party(name, tin).to_string(),
            email: None,
            suspended_by: None,
            confirmed: None,
            created_at: self.now(),
        };
        assert!(Profile::from_json(record.profile.as_bytes()).is_ok());
        assert!(self.ctx.store.create_taxpayer(&record).await.unwrap());
        record
    }

    /// Gives a taxpayer another profile.
    pub(crate) async fn change_profile(&self, taxpayer_id: &TaxpayerId, profile: Value) {
        let pk = format!("SANDBOX#TAXPAYER#{taxpayer_id}");
        self.set(&pk, "PROFILE", "profile", AttributeValue::S(profile.to_string())).await;
    }

    pub(crate) async fn grant(
        &self,
        organization_id: &OrganizationId,
        taxpayer: &Taxpayer,
        scopes: &[Scope],
    ) -> GrantId {
        self.grant_on(organization_id, &taxpayer.taxpayer_id, scopes).await
    }

    pub(crate) async fn grant_on(
        &self,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        scopes: &[Scope],
    ) -> GrantId {
        let grant_id = GrantId::new(self.now(), &*self.random);
        let approval = Approval {
            grant_id: grant_id.clone(),
            mode: self.mode,
            taxpayer_id: taxpayer_id.clone(),
            organization_id: organization_id.clone(),
            scopes: scopes.iter().copied().collect(),
            grant_label: None,
            external_id: None,
            request: None,
        };
        grants::seed(&self.ctx, &approval).await.unwrap();
        grant_id
    }

    pub(crate) async fn endpoint(
        &self,
        organization_id: &OrganizationId,
        event_types: &[EventType],
    ) -> EndpointId {
        self.make_endpoint(organization_id, event_types, "https://example.com/hook").await
    }

    /// An endpoint for all events at a URL.
    pub(crate) async fn endpoint_at(
        &self,
        organization_id: &OrganizationId,
        url: &str,
    ) -> EndpointId {
        self.make_endpoint(organization_id, &[], url).await
    }

    async fn make_endpoint(
        &self,
        organization_id: &OrganizationId,
        event_types: &[EventType],
        url: &str,
    ) -> EndpointId {
        let wanted = EndpointSettings {
            url: url.to_owned(),
            event_types: event_types.to_vec(),
            ..EndpointSettings::default()
        };
        let (secret, by) = (Secret::new(&*self.random), By::operator());
        let owner = (self.mode, organization_id);
        let made = webhooks::make(&self.ctx, &sealing_key(), owner, wanted, secret, &by).await;
        made.unwrap().endpoint.endpoint_id
    }

    /// Begins an organization's subscription, as an operator does: without an end, with any number of seats.
    pub(crate) async fn subscribe(&self, organization_id: &OrganizationId) {
        subscriptions::set(&self.ctx, organization_id, None, &By::operator()).await.unwrap();
    }

    /// Lets an organization have sent something in Sandbox today, so that its next send counts with one call.
    pub(crate) async fn begin_day(&self, organization_id: &OrganizationId) {
        let store = &self.ctx.store;
        assert!(store.take_send(organization_id, u32::MAX, self.now()).await.unwrap().is_given);
    }

    /// The caller of an organization with every scope on a new taxpayer.
    pub(crate) async fn caller(&self, name: &str, tin: &str) -> Caller {
        let organization_id = self.organization(name).await;
        let taxpayer = self.taxpayer(name, tin).await;
        self.grant(&organization_id, &taxpayer, &Scope::ALL).await;
        let key = self.api_key(&organization_id).await;
        self.authorize(&key, &taxpayer, None, &[Scope::InvoicesWrite]).await.unwrap()
    }

    pub(crate) async fn authorize(
        &self,
        key: &PresentedKey,
        taxpayer: &Taxpayer,
        grant_id: Option<&GrantId>,
        any_of: &[Scope],
    ) -> Result<Caller, Failure> {
        let authorization = format!("Api-Key {}", key.reveal());
        let headers = Headers {
            authorization: Some(&authorization),
            taxpayer_id: Some(taxpayer.taxpayer_id.as_str()),
            grant_id: grant_id.map(GrantId::as_str),
        };
        authorize(&self.ctx, &counting(), headers, any_of).await
    }
}
