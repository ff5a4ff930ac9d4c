//! Functions whose events are HTTP requests, served by a router.

use axum::Router;
use lambda_http::{
    Request, RequestExt,
    request::RequestContext,
    tower::{ServiceBuilder, ServiceExt},
};

use super::Error;
use crate::log::{ClientAddress, RequestId};

/// Serves the requests of an HTTP API by a router, until the runtime ends.
pub async fn serve(router: Router) -> Result<(), Error> {
    let router = ServiceExt::<Request>::map_err(router, Error::from);
    lambda_http::run(ServiceBuilder::new().map_request(identify).service(router)).await
}

/// Sets the request's id to that of its invocation, which the platform's log lines also have, and notes its IP address.
fn identify(mut request: Request) -> Request {
    let id = request.lambda_context_ref().map(|context| context.request_id.clone());
    let ip = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.clone(),
        _ => None,
    };
    if let Some(id) = id {
        request.extensions_mut().insert(RequestId(id));
    }
    if let Some(ip) = ip.and_then(|ip| ip.parse().ok()) {
        request.extensions_mut().insert(ClientAddress(ip));
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_name_of_its_invocation_and_the_address_that_it_came_from() {
        let event = r#"{
            "version": "2.0", "routeKey": "$default", "rawPath": "/v1/me", "rawQueryString": "", "headers": {},
            "requestContext": {
                "accountId": "1", "apiId": "a", "domainName": "d", "domainPrefix": "p", "requestId": "r",
                "routeKey": "$default", "stage": "$default", "time": "", "timeEpoch": 0,
                "http": {
                    "method": "GET", "path": "/v1/me", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.7", "userAgent": "c"
                }
            },
            "isBase64Encoded": false
        }"#;
        let request = lambda_http::request::from_str(event).unwrap();
        let mut context = lambda_http::Context::default();
        context.request_id = "invocation-1".to_owned();
        let request = identify(request.with_lambda_context(context));
        assert_eq!(request.extensions().get::<RequestId>().unwrap().0, "invocation-1");
        let address = request.extensions().get::<ClientAddress>().unwrap().0;
        assert_eq!(address.to_string(), "192.0.2.7");
    }
}
