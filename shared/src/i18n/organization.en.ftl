
# The portal of organizations
not-allowed-title = Your role does not allow this
not-allowed-text = Ask an owner of your organization to do it, or to give you another role.
actions = Actions
status = Status
time = Time (UAE)
never-used = never
save = Save
filter = Show
filter-from = From the day (UAE)
filter-to = To the day (UAE)
secret-once = Copy it now and keep it where your software finds it: it is shown this once. If you lose it, make another one.
switch-none-title = Your organization is not there
switch-none-text = It has been set up in one mode alone. Ask who operates this service to set it up in the other one, too.
overview-title = Overview

# Members
members-title = Members
members-intro = Whoever is a member is one in Live and in Sandbox.
members-role = Role
members-since = Member since
members-you = (you)
members-invited = Invited on { $date }
members-change = Change
members-change-role = Change role
members-remove = Remove
members-remove-hint = Signed out everywhere at once. What this member made stays, such as keys.
members-invite-title = Invite somebody
members-invite = Send an invitation
members-done-invited = The invitation was sent.
members-done-changed = The role was changed.
members-done-removed = The member was removed.
members-refused-member = This address is a member already. To change the role, use the list.
members-refused-full = Your organization has as many members as it can have.
members-refused-last-owner = Your organization needs an owner. Make somebody else an owner first.
members-refused-often = You have sent as many invitations as you can on one day.
members-refused-changed = Somebody else changed this member at the same moment. Look at the list again.
members-refused-role = Choose a role.
role-owner-may = may do everything, and say who is a member
role-developer-may = keys, applications, webhooks, documents, audit trail
role-billing-may = subscription and usage
role-viewer-may = looks at businesses, documents and events

# API keys
keys-title = API keys
keys-intro = Your software sends a key with each request. Keys of Live and Sandbox are different ones.
keys-none = There is no key yet.
keys-label = Label
keys-label-hint = What it is for, such as the name of a system
keys-label-wrong = Enter a label of 1 to 200 characters on one line.
keys-created = Made on
keys-used = Last used
keys-active = Active
keys-revoked = Revoked
keys-revoke = Revoke
keys-revoke-hint = The next request with it is refused. This cannot be undone.
keys-revoke-now = Revoke this key
keys-done-revoked = The key was revoked.
keys-make-title = Create a key
keys-make = Create a key
keys-new = Your new API key

# OAuth clients
clients-title = Settings (OAuth)
clients-intro = With a client your application asks businesses for access to their documents.
clients-none = There is no client yet.
clients-new = Your client's secret
clients-name = Name
clients-name-hint = Businesses see it when they are asked.
clients-scopes = May ask for
clients-redirects = Redirect URIs
clients-redirects-hint = One a line, exactly as your application sends it. https alone; in Sandbox http on your own machine, too.
clients-change-redirects = Change redirect URIs
clients-done-redirects = The redirect URIs were changed.
clients-rotate = Change the secret
clients-rotate-hint = You get a new secret. The one before works for { $hours ->
    [one] one hour
   *[other] { $hours } hours
} more, so that you can change it everywhere.
clients-leaked = The secret is known to somebody else: it must stop working now
clients-rotate-now = Make a new secret
clients-old-secret = The secret before works until
clients-make-title = Create a client
clients-make = Create a client

# Connected businesses
taxpayers-title = Businesses
taxpayers-intro = Businesses that have given your organization access.
taxpayers-none = No business has given you access yet. Connect one by OAuth, with one of your clients.
taxpayers-name = Business
taxpayers-since = Connected since
taxpayers-grants = Grants
taxpayers-participant = Peppol participant
taxpayers-give-up = Give up
taxpayers-give-up-hint = What uses this grant stops working at once. Your other grants on the business stay. This cannot be undone: the business would have to approve again.
taxpayers-give-up-last-hint = This is your last grant on the business: you see and send nothing of it any more, and in Live its seat becomes free. This cannot be undone: the business would have to approve again.
taxpayers-give-up-now = Give up this grant
taxpayers-done-given-up = The grant was given up.
taxpayer-status-onboarding = Being registered
taxpayer-status-active = Active
taxpayer-status-reverification = Must confirm its details
taxpayer-status-suspended = Suspended
taxpayer-status-deregistered = Deregistered
taxpayer-status-unknown = Another status

# Billing
billing-title = Subscription
billing-active = Your subscription is active.
billing-none = There is no active subscription: nothing can be sent in Live, and no business connected.
billing-stale = Your subscription could not be confirmed lately. We keep trying.
billing-in-use = Businesses connected
billing-seats = Businesses paid for
billing-any-number = any number
billing-confirmed = Confirmed
billing-usage = You are billed by the documents that you send in Live, as your contract says.
billing-days = Documents of the last 30 days
billing-days-intro = How many documents were sent and received, as far as your organization was told, by the day in the UAE on which they were accepted or received.
billing-days-billed = You are billed by what the billing provider has, which counts by itself.
billing-days-all = All days
billing-sent = Sent
billing-received = Received
billing-sandbox = Sandbox is free.
billing-sent-today = Documents sent today (UTC)
billing-quota = Documents a day, at most

# Audit trail
audit-title = Audit trail
audit-intro = Who changed what decides who may act for whom. Entries are never changed or removed.
audit-action = What
audit-every = Everything
audit-actor = Who
audit-subject = To what
audit-from = From
audit-none = There is no such entry.
audit-operator = Operator of this service
audit-national-portal = National tax portal

# Mails to members
mail-invited-subject = You are invited to an organization
mail-invited-text = you were invited to be a member of { $organization } in our e-invoicing service.
mail-invited-how = To accept, sign in there with this e-mail address. You need no password:
mail-invited-not-you = If you do not know the organization, do nothing.
mail-endpoint-disabled-subject = A webhook endpoint was disabled
mail-endpoint-failing-text = your webhook endpoint { $url } has taken nothing that we sent it for five days. We have disabled it.
mail-endpoint-gone-text = your webhook endpoint { $url } answered that it is gone (410). We have disabled it.
mail-endpoint-disabled-now = Nothing is sent there until you enable it again. What happens meanwhile stays to be found for 30 days, and can be sent again.

keys-none-text = Create one below, and your software can send its first document.
clients-none-text = Create one below, and businesses can connect with your application.
taxpayers-none-text = Once a business approves your application, it is here.
audit-none-text = Choose something else to look for.

# Webhooks
webhooks-title = Webhooks
webhooks-intro = We tell your software what happens, in signed requests to addresses of yours.
webhooks-none = There is no endpoint yet
webhooks-none-text = Create one below, and send it a test event.
webhooks-endpoint = Endpoint
webhooks-url = Address
webhooks-url-hint = https, such as https://example.com/hooks
webhooks-description = Description (if you like)
webhooks-described = Description
webhooks-types = Event types
webhooks-types-hint = Choose none to get every type, those of the future too.
webhooks-every-type = every type
webhooks-every-business = every business
webhooks-make-title = Create an endpoint
webhooks-make = Create an endpoint
webhooks-new = Your new endpoint's signing secret
webhooks-look-at = Look at the endpoint, and send it a test event
webhooks-enabled = Enabled
webhooks-failing = Failing
webhooks-disabled = Disabled
webhooks-disabled-failing = Disabled: it failed for days
webhooks-disabled-gone = Disabled: it said that it is gone
webhooks-failing-since = Failing since
webhooks-disabled-since = Disabled since
webhooks-new-secret = The new signing secret
webhooks-test-title = Try it
webhooks-test-hint = A test event is signed like any other and says test: true. It changes nothing.
webhooks-test-event = Event
webhooks-test = Send a test event
webhooks-simulate-accepted = document.reported, accepted
webhooks-simulate-rejected = document.reported, rejected
webhooks-simulate-failed = document.reported, failed
webhooks-retry-failed = Send again what failed since then
webhooks-retry-delivered = and what was delivered, too (under the same webhook-id)
webhooks-verify-title = Verify that a request is ours
webhooks-verify-hint = Ready to paste. Verify the body as it came, before you read it.
webhooks-change-title = Change the endpoint
webhooks-change = Its address, event types and businesses
webhooks-takes = It gets events
webhooks-rotate-hint = You get a new secret. Both sign for { $hours ->
    [one] one hour
   *[other] { $hours } hours
}, so that you can change it without losing anything.
webhooks-delete = Delete the endpoint
webhooks-delete-hint = What waits for it is not delivered any more. This cannot be undone.
webhooks-delete-now = Delete this endpoint
webhooks-done-deleted = The endpoint was deleted.
webhooks-done-changed = The endpoint was changed.
webhooks-done-test = The test event was put on its way. Below is what became of it.
webhooks-done-retried = What failed was put on its way again.
webhooks-done-more = What was found first was put on its way again. There are more to look through: go on with them.
webhooks-done-none = There was nothing to send again.
webhooks-retry-since = Events since (UAE time)
webhooks-retry-rest = Go on with the rest
webhooks-since-wrong = Say since when events are to be sent again: a day and a time.
deliveries-title = Deliveries
deliveries-none = Nothing was sent there yet.
deliveries-further = Nothing on this page. The list goes on with older ones.
deliveries-last = Last answer
deliveries-attempts = Attempts
delivery-title = Delivery
delivery-pending = Waits
delivery-delivering = On its way
delivery-failing = Failing
delivery-delivered = Delivered
delivery-failed = Failed
delivery-unknown = Another state
delivery-next = Tried again
delivery-retry = Try again now
delivery-again = Send it again
delivery-no-attempts = There was no attempt yet.
delivery-done-retried = The event was put on its way again. The attempts below say what became of it.
delivery-not-retried-title = It was not sent again
delivery-not-retried-text = The endpoint is disabled, or an attempt runs just now. Look at the endpoint.
attempt-request = Headers that were sent
attempt-answer = Answer
attempt-answer-empty = The answer has no body.
attempt-answer-owners = Owners see what the endpoint answered.
attempt-answer-cut = Shortened. By the API there is more of it:

# Events
events-title = Events
events-intro = What your organization heard in the last 30 days, whether an endpoint took it or not.
events-type = Type
events-document = Document
events-test = test
events-none = There are no such events
events-none-text = Events come when documents are sent or received, and when businesses connect.
event-body = What is sent
event-body-cut = Shortened.
event-body-whole = Download all of it
event-send-to = An endpoint to which it was never sent
event-send = Send it there
event-no-deliveries = No endpoint was to get it.
event-endpoint-deleted = Deleted

# Overview
overview-attention = Look at these first
overview-awaited = Answers that are awaited
overview-awaited-intro = What should come first stands first, with the time by which it should be here.
overview-awaits-status = Status from the recipient’s access point
overview-awaits-verdict = The tax authority’s answer to the report
overview-overdue = Overdue
overview-days = Documents of the last 14 days
overview-days-intro = What the documents that were accepted or received on a day have come to. One that was sent, delivered and reported counts as all three.
overview-day = Day
overview-all-events = All events
overview-first-steps = First steps
overview-step-key = Create an API key for your software
overview-step-webhook = Create a webhook endpoint and send it a test event
overview-step-client = Create an OAuth client and connect a business
overview-step-done = Done

# Where a member is signed in
member-sessions-title = Signed in
member-sessions-intro = Where you are signed in as { $email }, in this mode.
member-session-ended = The session was ended.
member-sign-out-everywhere-text = Ends every session of yours in this organization and mode, this one too.

# Which businesses an endpoint hears of
webhooks-taxpayers-hint = Choose none to hear of every business that gave your organization access, those of the future too.
webhooks-taxpayers-ids = Identifiers (taxpayer_id), one a line
webhooks-taxpayers-wrong = One of the identifiers of businesses is none. Each begins with txpay_ and stands on a line of its own.
webhooks-taxpayers-many = An endpoint is limited to 100 businesses at most. Name fewer, or none to hear of all.

# Why something was not done, where use cases say it in English
refused-client-name = The name of a client has 1 to 100 characters on one line.
refused-client-scopes = A client that may ask for nothing can connect nobody: choose what it may ask for.
refused-client-limit = Your organization has as many clients as it can have.
refused-redirects = A client has 1 to 20 redirect URIs.
refused-redirect-long = The redirect URI { $value } is too long.
refused-redirect-absolute = The redirect URI { $value } is no complete address in its normal form, such as https://app.example/callback.
refused-redirect-https = The redirect URI { $value } must begin with https://, or in Sandbox with http:// on your own machine.
refused-redirect-fragment = The redirect URI { $value } must have no # in it.
refused-redirect-user = The redirect URI { $value } must have no user name or password.
refused-webhook-url = Nothing can be sent to this address. It must begin with https://, lead to a public address that can be found, and have no user name or password.
refused-endpoint-limit = Your organization has as many endpoints as it can have. Delete one first.
refused-endpoint-disabled = The endpoint is disabled and takes nothing. Enable it first.
refused-version = Somebody else changed the endpoint since. Look at it again, and change that.
refused-import-column = The names of the columns are not right.
refused-import-documents = An import has 10,000 documents at most. Import the file in parts.
refused-import-empty = There is no document in the file.
refused-import-gzip = The file is not whole as gzip.
refused-import-quotes = A quotation mark is not closed. Every one within a quoted value is doubled.
refused-import-row = A row cannot be read.
refused-import-size = The file has more than 64 MB. Import it in parts.
refused-import-utf8 = The file is not in UTF-8. Save it in UTF-8.
refused-subscription = Live documents need an active subscription.
refused-billing-unknown = It is not known at the moment whether the subscription is active. Try again later.
refused-queued-delivery = An import needs queued delivery, which is not enabled here.

# Imports
imports-title = Imports
imports-intro = Many documents of { $business } in one file. Each is checked and sent like any other; the same file again sends nothing twice.
imports-make-title = Import a file
imports-kind = Kind of document
imports-file = File
imports-file-hint = CSV or JSON Lines with up to { $most } documents, of up to 4 MB; compressed by gzip it may hold 64 MB.
imports-drop = You can also drop the file here. Nothing is sent by that.
imports-drop-many = Please drop one file at a time.
imports-make = Show what is in it
imports-check-title = Check the file, then send it
imports-check-intro = This is what the file says for { $business }. Nothing was sent yet.
imports-check-read = What was read
imports-check-documents = Documents
imports-check-rows = Rows
imports-check-faulty = Documents with errors
imports-check-partly = The file is long: the first { $judged } documents were checked by every rule. The others were read and are checked when they are sent.
imports-check-sums = Totals of the documents without errors
imports-check-currency = Currency
imports-check-errors = Errors
imports-check-errors-text = Documents with errors are not sent. Correct them and import the file again: what was sent is not sent twice. The first errors:
imports-check-row = Row
imports-check-column = Column
imports-check-error = Error
imports-check-send = { $documents ->
    [one] Send 1 document
   *[other] Send { $documents } documents
}
imports-check-other = Choose another file
imports-check-hint = The file is held for one hour. After that, choose it again.
imports-gone-title = The file is no longer held
imports-gone-text = We hold a file for one hour after you chose it. Nothing of it was sent. Go to Imports and choose it again.
imports-done-begun = The file was taken, and its documents are sent. The list below says how far that is.
imports-none = Nothing was imported yet
imports-none-text = What your software and your people import for this business is shown here for 90 days.
imports-begun = Begun
imports-progress = Progress
imports-outcome = Outcome
imports-accepted = Sent:
imports-already-sent = sent before:
imports-refused = refused:
imports-result = Result
imports-download = Download
imports-running = When all are sent
imports-failed = Stopped by a fault of the service. Import the file again: what was sent is not sent again.
