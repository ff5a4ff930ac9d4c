
# Portal of organizations
not-allowed-title = Your role does not allow this
not-allowed-text = Ask an owner of your organization to do this, or to give you another role.
actions = Actions
status = Status
time = Time (UAE)
never-used = never
save = Save
filter = Apply
filter-from = From date (UAE)
filter-to = To date (UAE)
secret-once = Copy it now and store it securely. It is shown only once. If you lose it, create a new one.
switch-none-title = Your organization is not set up in that mode
switch-none-text = Your organization exists in one mode only. Ask the operator of this service to set it up in the other mode, too.

# Members
members-title = Members
members-intro = Each member has access to both Live and Sandbox.
members-role = Role
members-since = Member since
members-you = (you)
members-invited = Invited on { $date }
members-change = Change
members-change-role = Change role
members-remove = Remove
members-remove-hint = The member is signed out everywhere at once. Items that the member created, such as API keys, remain.
members-invite-title = New member
members-invite = Send invitation
members-done-invited = The invitation was sent.
members-done-changed = The role was changed.
members-done-removed = The member was removed.
members-refused-member = This address already belongs to a member. To change the role, use the list.
members-refused-full = Your organization has reached the maximum number of members.
members-refused-last-owner = Your organization needs an owner. Make another member an owner first.
members-refused-often = You have reached the daily limit of invitations. Try again tomorrow.
members-refused-changed = Another person changed this member at the same time. Check the list and try again.
members-refused-role = Select a role.
role-owner-may = full access, including members
role-developer-may = API keys, OAuth clients, webhooks, documents, audit trail
role-billing-may = subscription and usage
role-viewer-may = views businesses, documents and events

# API keys
keys-title = API keys
keys-intro = Your software sends an API key with each request. Live and Sandbox have separate keys.
keys-none = No API keys yet
keys-label = Label
keys-label-hint = The purpose of the key, such as the name of a system
keys-label-wrong = Enter a label of 1 to 200 characters on one line.
keys-created = Created
keys-used = Last used
keys-active = Active
keys-revoked = Revoked
keys-revoke = Revoke
keys-revoke-hint = The next request with this key is rejected. This cannot be undone.
keys-revoke-now = Revoke key
keys-done-revoked = The key was revoked.
keys-make-title = New API key
keys-make = Create key
keys-new = Your new API key

# OAuth clients
clients-title = Settings (OAuth)
clients-intro = Your app uses an OAuth client to ask businesses for access to their documents.
clients-none = No OAuth clients yet
clients-new = Your new client secret
clients-name = Name
clients-name-hint = Businesses see this name when your app asks for access.
clients-scopes = Permissions
clients-redirects = Redirect URIs
clients-redirects-hint = Enter one URI per line, exactly as your app sends it. Only https is allowed. In Sandbox, http on your own machine is allowed, too.
clients-change = Edit client
clients-done-changed = The client was changed.
clients-done-deleted = The client was deleted.
clients-delete = Delete client
clients-delete-hint = Apps that use this client can no longer connect businesses or renew their access. An access token works until it expires. Connected businesses stay connected to your organization.
clients-delete-now = Delete this client
clients-rotate = Rotate secret
clients-rotate-hint = You get a new secret. The previous secret works for { $hours ->
    [one] one hour
   *[other] { $hours } hours
} more, so that you can replace it everywhere.
clients-leaked = Someone else knows the secret: it must stop working now
clients-rotate-now = Create new secret
clients-old-secret = Previous secret works until
clients-make-title = New OAuth client
clients-make = Create client

# Connected businesses
taxpayers-title = Businesses
taxpayers-intro = Businesses that gave your organization access.
taxpayers-none = No connected businesses yet
taxpayers-name = Business
taxpayers-since = Connected since
taxpayers-grants = Access
taxpayers-participant = Peppol participant
taxpayers-disconnect = Disconnect
taxpayers-disconnect-hint = Everything that uses this access stops working at once. Your other access to the business remains. This cannot be undone: the business must approve your app again.
taxpayers-disconnect-last-hint = This is your last access to the business. You can no longer see its documents or send for it, and in Live its seat becomes free. This cannot be undone: the business must approve your app again.
taxpayers-disconnect-now = Disconnect now
taxpayers-done-given-up = The access was disconnected.
taxpayer-status-onboarding = Being registered
taxpayer-status-active = Active
taxpayer-status-reverification = Confirmation required
taxpayer-status-suspended = Suspended
taxpayer-status-deregistered = Deregistered
taxpayer-status-unknown = Another status

# Billing
billing-title = Subscription
billing-active = Your subscription is active.
billing-none = You have no active subscription. In Live, you cannot send documents or connect a business.
billing-stale = We could not confirm your subscription recently. We keep trying.
billing-in-use = Businesses connected
billing-seats = Businesses paid for
billing-any-number = any number
billing-confirmed = Last confirmed
billing-usage = You are billed for the documents that you send in Live, under your contract.
billing-days = Documents of the last 30 days
billing-days-intro = Documents sent and received, as notified to your organization, by the day in the UAE on which they were accepted or received.
billing-days-billed = Your bill is based on the separate count of the billing provider.
billing-days-all = All days
billing-sent = Sent
billing-received = Received
billing-sandbox = Sandbox is free.
billing-sent-today = Documents sent today (UTC)
billing-quota = Maximum documents per day

# Audit trail
audit-title = Audit trail
audit-intro = Changes to who can act for whom. Entries are never changed or removed.
audit-action = Action
audit-every = All
audit-from = IP address
audit-none = No entries found
audit-operator = The operator of this service
audit-national-portal = The national tax portal

# Mails to members
mail-invited-subject = You are invited to an organization
mail-invited-text = You are invited to become a member of { $organization } in our e-invoicing service.
mail-invited-how = To accept, sign in with this e-mail address. You need no password:
mail-invited-not-you = If you do not know the organization, ignore this e-mail.
mail-endpoint-disabled-subject = A webhook endpoint was disabled
mail-endpoint-failing-text = Your webhook endpoint { $url } has accepted no delivery for five days. We have disabled it.
mail-endpoint-gone-text = Your webhook endpoint { $url } responded that it is gone (410). We have disabled it.
mail-endpoint-disabled-now = We send nothing to it until you enable it again. New events remain available for 30 days, and can be sent again.

keys-none-text = Create a key below. Your software can then send its first document.
clients-none-text = Create a client below. Businesses can then connect to your app.
taxpayers-none-text = Connect a business by OAuth with one of your clients. It appears here when it approves your app.
audit-none-text = Change the filters and try again.

# Webhooks
webhooks-title = Webhooks
webhooks-intro = We notify your software of events by signed requests to your endpoints.
webhooks-none = No webhook endpoints yet
webhooks-none-text = Create an endpoint below and send it a test event.
webhooks-endpoint = Endpoint
webhooks-url = Address
webhooks-url-hint = An https address, such as https://example.com/hooks
webhooks-description = Description (optional)
webhooks-described = Description
webhooks-types = Event types
webhooks-types-hint = Select none to receive all event types, including future types.
webhooks-every-type = all event types
webhooks-every-business = all businesses
webhooks-make-title = New endpoint
webhooks-make = Add endpoint
webhooks-new = Your new endpoint's signing secret
webhooks-look-at = View the endpoint and send a test event
webhooks-enabled = Enabled
webhooks-failing = Failing
webhooks-disabled = Disabled
webhooks-disabled-failing = Disabled: failed for days
webhooks-disabled-gone = Disabled: the endpoint responded 410 Gone
webhooks-failing-since = Failing since
webhooks-disabled-since = Disabled since
webhooks-new-secret = New signing secret
webhooks-test-title = Test event
webhooks-test-hint = A test event is signed like any other event and contains test: true. It changes nothing.
webhooks-test-event = Event
webhooks-test = Send test event
webhooks-simulate-accepted = document.reported, accepted
webhooks-simulate-rejected = document.reported, rejected
webhooks-simulate-failed = document.reported, failed
webhooks-retry-failed = Resend failed events
webhooks-retry-delivered = Include delivered events (with the same webhook-id)
webhooks-verify-title = Signature verification
webhooks-verify-hint = Copy this code into your software. Verify the raw body before you parse it.
webhooks-change-title = Endpoint settings
webhooks-change = Edit address, event types and businesses
webhooks-takes = Send events to this endpoint
webhooks-rotate-hint = You get a new secret. We sign with both secrets for { $hours ->
    [one] one hour
   *[other] { $hours } hours
}, so that you can replace the previous one without losing an event.
webhooks-delete = Delete endpoint
webhooks-delete-hint = Pending deliveries to this endpoint are no longer sent. This cannot be undone.
webhooks-delete-now = Delete endpoint
webhooks-done-deleted = The endpoint was deleted.
webhooks-done-changed = The endpoint was changed.
webhooks-done-test = The test event is being sent. The result appears below.
webhooks-done-retried = The failed events are being sent again.
webhooks-done-more = The first events found are being sent again. There are more events to check: continue with the rest.
webhooks-done-none = There are no events to send again.
webhooks-retry-since = Events since (UAE time)
webhooks-retry-rest = Continue with the rest
webhooks-since-wrong = Enter the date and time from which to send events again.
deliveries-title = Deliveries
deliveries-none = No deliveries yet.
deliveries-further = No results on this page. The list continues with older deliveries.
deliveries-last = Last response
deliveries-attempts = Attempts
delivery-title = Delivery
delivery-pending = Pending
delivery-delivering = Sending
delivery-failing = Failing
delivery-delivered = Delivered
delivery-failed = Failed
delivery-unknown = Other status
delivery-next = Next attempt
delivery-retry = Retry now
delivery-again = Send again
delivery-no-attempts = No attempts yet.
delivery-done-retried = The event is being sent again. The attempts below show the result.
delivery-not-retried-title = The event was not sent again
delivery-not-retried-text = The endpoint is disabled, or an attempt is running. Check the endpoint.
attempt-request = Request headers
attempt-answer = Response
attempt-answer-empty = The response has no body.
attempt-answer-owners = Only owners can see the response of the endpoint.
attempt-answer-cut = Shortened. The API returns more of it:

# Events
events-title = Events
events-intro = Events of the last 30 days, whether an endpoint received them or not.
events-type = Type
events-document = Document
events-test = test
events-none = No events found
events-none-text = Events occur when documents are sent or received, and when businesses connect.
event-body = Payload
event-body-cut = Shortened.
event-body-whole = Download full payload
event-send-to = Endpoint to which this event was never sent
event-send = Send event
event-no-deliveries = No endpoint was subscribed to this event.
event-endpoint-deleted = Deleted

# Overview
overview-attention = Needs attention
overview-awaited = Awaited responses
overview-awaited-intro = Sorted by due time, the earliest first.
overview-awaits-status = Status from the recipient’s access point
overview-awaits-verdict = Response of the tax authority to the report
overview-overdue = Overdue
overview-days = Documents of the last 14 days
overview-days-intro = Outcomes of the documents accepted or received on each day. A document that was sent, delivered and reported counts in all three columns.
overview-day = Day
overview-all-events = All events
overview-first-steps = First steps
overview-step-key = Create an API key for your software
overview-step-webhook = Create a webhook endpoint and send it a test event
overview-step-client = Create an OAuth client for your app
overview-step-done = Done

# Sessions of a member
member-sessions-title = Sessions
member-sessions-intro = Your active sessions as { $email }, in this mode.
member-session-ended = The session was ended.
member-sign-out-everywhere-text = Ends all your sessions in this organization and mode, including this one.

# Businesses of an endpoint
webhooks-taxpayers-hint = Select none to receive events of every business that gave your organization access, including future businesses.
webhooks-taxpayers-ids = Business IDs (taxpayer_id), one per line
webhooks-taxpayers-wrong = A business ID is not valid. Each ID begins with txpay_ and is on its own line.
webhooks-taxpayers-many = An endpoint can have at most 100 businesses. Enter fewer, or none to receive events of all businesses.

# Refusals: use cases give them in English only
refused-client-name = Enter a client name of 1 to 100 characters on one line.
refused-client-scopes = Select at least one permission. A client without permissions cannot connect a business.
refused-client-limit = Your organization has reached the maximum number of clients.
refused-redirects = Enter 1 to 20 redirect URIs.
refused-redirect-long = The redirect URI { $value } is too long.
refused-redirect-absolute = The redirect URI { $value } must be a complete address in its normal form, such as https://app.example/callback.
refused-redirect-https = The redirect URI { $value } must begin with https://, or in Sandbox with http:// on your own machine.
refused-redirect-fragment = The redirect URI { $value } must not contain #.
refused-redirect-user = The redirect URI { $value } must have no user name or password.
refused-webhook-url = We cannot send to this address. It must begin with https://, resolve to a public address, and contain no user name or password.
refused-endpoint-limit = Your organization has reached the maximum number of endpoints. Delete one first.
refused-endpoint-disabled = The endpoint is disabled and receives nothing. Enable it first.
refused-version = Another person has changed the endpoint. Check it again before you change it.
refused-import-column = The column names are not valid.
refused-import-documents = An import can contain at most 10,000 documents. Split the file.
refused-import-empty = The file contains no documents.
refused-import-gzip = The gzip file is not complete.
refused-import-quotes = A quotation mark is not closed. Double each quotation mark within a quoted value.
refused-import-row = A row cannot be read.
refused-import-size = The file is larger than 64 MB. Split the file.
refused-import-utf8 = The file is not in UTF-8. Save it as UTF-8.
refused-import-workbook = The workbook cannot be read. Save its sheet as .xlsx again, or as CSV in UTF-8.
refused-subscription = Live documents require an active subscription.
refused-billing-unknown = We cannot confirm at the moment that the subscription is active. Try again later.
refused-queued-delivery = Imports require queued delivery, which is not enabled here.

# Imports
imports-title = Imports
imports-intro = Send many documents of { $business } in one file. Each document is checked and sent like any other. Importing the same file again sends nothing twice.
imports-make-title = New import
imports-kind = Document type
imports-file = File
imports-file-hint = CSV, Excel (.xlsx) or JSON Lines with up to { $most } documents and 4 MB. A file compressed with gzip can hold 64 MB.
imports-drop = You can also drop the file here. Dropping a file sends nothing.
imports-drop-many = Drop one file at a time.
imports-make = Check file
imports-check-title = File check
imports-check-intro = This is the content of the file for { $business }. Nothing was sent yet.
imports-check-read = Content
imports-check-documents = Documents
imports-check-rows = Rows
imports-check-faulty = Documents with errors
imports-check-partly = The file is long. Only the first { $judged } documents were checked by every rule. The others were read and are checked when they are sent.
imports-check-sums = Totals of the documents without errors
imports-check-currency = Currency
imports-check-errors = Errors
imports-check-errors-text = Documents with errors are not sent. Correct them and import the file again. Documents already sent are not sent twice. The first errors:
imports-check-row = Row
imports-check-column = Column
imports-check-error = Error
imports-check-send = { $documents ->
    [one] Send 1 document
   *[other] Send { $documents } documents
}
imports-template = CSV table to start with
imports-template-excel = Excel workbook to start with
imports-check-value = Value
imports-check-preview = Preview one document
imports-check-refused = Download the documents with errors
imports-check-send-of = Send { $documents } of { $all } documents
imports-check-other = Select another file
imports-check-hint = We keep the file for one hour. After that, select it again.
imports-gone-title = The file has expired
imports-gone-text = We keep a file for one hour after you select it. Nothing in it was sent. Go to Imports and select the file again.
imports-done-begun = The import has started. The list below shows its progress.
imports-none = No imports yet
imports-none-text = Imports by your software and your members for this business appear here for 90 days.
imports-begun = Started
imports-progress = Progress
imports-outcome = Outcome
imports-accepted = Sent:
imports-already-sent = sent before:
imports-refused = refused:
imports-result = Result
imports-download = Download
imports-running = Available when all documents are sent
imports-failed = Stopped by a service error. Import the file again. Documents already sent are not sent again.

# Start page of an organization
overview-sent = Sent
overview-received = Received
overview-failed = Rejected or failed
overview-waiting = Waiting for an answer
overview-today = { $count } today
overview-open = { $count ->
    [one] 1 needs attention
   *[other] { $count } need attention
}
overview-late = { $count } overdue
overview-chart-text = { $most ->
    [one] A bar for each day. The tallest day has one document. The table below has the numbers.
   *[other] A bar for each day. The tallest day has { $most } documents. The table below has the numbers.
}
overview-table = Show as a table
overview-see-why = See why
overview-see-attempts = See attempts
overview-nothing = Nothing needs your attention.
overview-latest = Latest documents
overview-all-documents = All documents
overview-steps-done = { $done } done
overview-step-business = Connect a business with your OAuth client
overview-step-send = Send a first invoice
health-on-time = All answers are on time
health-late = Answers of others are overdue
health-webhooks = All webhooks work
health-webhooks-failing = A webhook fails
health-no-webhooks = No webhooks yet
recent-intro = The latest documents of all businesses of the last 30 days.
recent-businesses = To search all documents of a business, open the business.
recent-none-text = Documents of the businesses that gave your organization access appear here.

# Scopes, for the organization that has them
scope-taxpayer-read = see the details of the business
scope-invoices-read = see all invoices and credit notes of the business
scope-invoices-write = check and send invoices and credit notes in the name of the business
scope-inbound-read = see the invoices and credit notes that the business receives

# Test businesses
taxpayers-test-business = Connect a test business
taxpayers-done-connected = The test business is active, and you may act for it.
overview-step-test-business = Connect a test business
overview-step-do = Connect

# Audit trail in sentences: one message for each action, named after it
audit-service = The service
audit-api-key = API key { $name }
audit-client = App { $name }
audit-business = Business { $name }
audit-with-role = { $name } (role: { $role })
audit-did-organization-created = { $actor } created the organization.
audit-did-key-created = { $actor } created the API key { $subject }.
audit-did-key-revoked = { $actor } revoked the API key { $subject }.
audit-did-member-invited = { $actor } invited { $subject } as a member.
audit-did-member-joined = { $actor } signed in for the first time.
audit-did-member-role-changed = { $actor } changed the role of { $subject }.
audit-did-member-removed = { $actor } removed the member { $subject }.
audit-did-client-created = { $actor } created the OAuth client { $subject }.
audit-did-client-updated = { $actor } changed the name or the redirect URIs of the OAuth client { $subject }.
audit-did-client-deleted = { $actor } deleted the OAuth client { $subject }.
audit-did-client-secret-rotated = { $actor } created a new secret for the OAuth client { $subject }.
audit-did-grant-approved = { $actor } granted your organization access ({ $subject }).
audit-did-grant-revoked = { $actor } ended your organization's access ({ $subject }).
audit-did-taxpayer-created = { $actor } created the business { $subject }.
audit-did-taxpayer-updated = { $actor } changed the settings of the business { $subject }.
audit-did-taxpayer-status-changed = { $actor } changed the status of the business { $subject }.
audit-did-onboarding-requested = { $actor } requested the onboarding of a business ({ $subject }).
audit-did-onboarding-verified = { $actor } used the verification link of an onboarding ({ $subject }).
audit-did-onboarding-confirmed = { $actor } confirmed the details of a business ({ $subject }).
audit-did-sign-in-succeeded = { $actor } signed in (session { $subject }).
audit-did-session-ended = { $actor } signed out ({ $subject }).
audit-did-token-reuse-detected = { $actor } presented a used code or token again. We revoked its tokens for the access { $subject }.
audit-did-subscription-set = { $actor } set the subscription.
audit-did-subscription-ended = { $actor } ended the subscription.
audit-did-quota-set = { $actor } set the daily quota for Sandbox.
audit-did-endpoint-created = { $actor } created the webhook endpoint { $subject }.
audit-did-endpoint-updated = { $actor } changed the webhook endpoint { $subject }.
audit-did-endpoint-secret-rotated = { $actor } created a new signing secret for the webhook endpoint { $subject }.
audit-did-endpoint-disabled = { $actor } disabled the webhook endpoint { $subject }, because its deliveries failed.
audit-did-endpoint-deleted = { $actor } deleted the webhook endpoint { $subject }.
audit-did-event-tested = { $actor } sent the test event { $subject }.
audit-did-delivery-retried = { $actor } sent the event { $subject } again.
audit-did-endpoint-replayed = { $actor } sent the failed events of the webhook endpoint { $subject } again.
audit-did-import-created = { $actor } imported the file { $subject }.
audit-did-unknown = { $actor } did something that this page does not know ({ $subject }).

# Home: events whose delivery stopped
overview-stopped = { $count ->
    [one] One event of the last 7 days was not delivered, and we stopped trying.
   *[other] { $count } events of the last 7 days were not delivered, and we stopped trying.
}
overview-stopped-many = More than { $count } events of the last 7 days were not delivered, and we stopped trying.
overview-send-again = See and send again
overview-stopped-checked = For undelivered events, this page checks your first { $most } enabled endpoints.
