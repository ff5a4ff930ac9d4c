
# The portal of organizations
not-allowed-title = Your role does not allow this
not-allowed-text = Ask an owner of your organization to do it, or to give you another role.
actions = Actions
status = Status
time = Time (UAE)
never-used = never
save = Save
filter = Show
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
members-done-invited = The invitation is on its way.
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
keys-make-title = Make a key
keys-make = Make a key
keys-new = Your new API key

# OAuth clients
clients-title = OAuth clients
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
clients-make-title = Make a client
clients-make = Make a client

# Connected businesses
taxpayers-title = Businesses
taxpayers-intro = Businesses that have given your organization access.
taxpayers-none = No business has given you access yet. Connect one by OAuth, with one of your clients.
taxpayers-name = Business
taxpayers-since = Connected since
taxpayers-grants = Grants
taxpayers-participant = Peppol participant
taxpayers-give-up = To give up a grant, send DELETE /v1/grants/… with your API key.
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

keys-none-text = Make one below, and your software can send its first document.
clients-none-text = Make one below, and businesses can connect with your application.
taxpayers-none-text = Once a business approves your application, it is here.
audit-none-text = Choose something else to look for.
