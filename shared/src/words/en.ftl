# What people read in English. Every message is in ar.ftl too, with the same variables.

service-name = E-invoicing
skip-to-content = Skip to the content
sandbox-banner = Sandbox. This is for testing: nothing here is sent to a real business or to the tax authority.
live-banner = Live. What you do here counts for your real business.
language-label = Language
signed-in-as = Signed in as { $name }
sign-out = Sign out
footer-text = E-invoicing service for businesses in the United Arab Emirates

# Signing in
sign-in-title = Sign in
sign-in-intro = Enter the e-mail address that your business is registered with, or your own as a member of an organization. We send you a link to sign in. You need no password.
email-label = E-mail address
email-hint = For example accounts@example.com
email-wrong = Enter an e-mail address, such as accounts@example.com.
sign-in-button = Send me a link
form-has-problem = There is a problem

sign-in-sent-title = Look into your mailbox
sign-in-sent-text = If this address has an account here, we have sent a link to it. The mail should come within a few minutes.
sign-in-sent-browser = Open the link on this device, in this browser. It works once, for { $minutes ->
    [one] one minute
   *[other] { $minutes } minutes
}.
sign-in-sent-nothing = Nothing came? Look into the folder for unwanted mail, check the address, and ask for another link.
sign-in-again = Ask for another link

confirm-title = Finish signing in
confirm-intro = You opened the link from our mail. Press the button to sign in here.
confirm-button = Sign in

choose-title = Choose an account
choose-intro = Your e-mail address has several accounts. Which one do you want to sign in for?
choose-organization = Organization, as { $role }
role-owner = owner
role-developer = developer
role-billing = billing
role-viewer = viewer
role-unknown = another role
choose-button = Go on

other-browser-title = Open the link where you asked for it
other-browser-text = For your safety a link works in one browser alone: the one in which you asked for it. This is another one.
other-browser-help = Go back to that device and browser, and open the link there. Or ask for a new link here.

link-gone-title = This link does not work any more
link-gone-text = A link works once, and for a short time. This one was used already, or its time is over.

account-title = Your account
account-intro = You are signed in for { $name }.
account-participant = Participant identifier: { $id }
sessions-title = Where you are signed in
sessions-this-browser = This browser
sessions-some-browser = Another browser
sessions-since = Since { $time }.
sessions-seen = Last used { $time }.
sessions-end = End the session since { $time }
sign-out-everywhere = Sign out everywhere
sign-out-everywhere-text = This ends all sessions of this business, on every device, this one too.
signed-out-title = You are signed out
signed-out-text = Nobody can go on from this browser without signing in again.

# Connected applications
connected-title = Who may act for your business
connected-none = Nobody may act for your business.
connected-intro = You approved these. If you take an approval back, it ends at once.
connected-since = Since { $date }.
connected-used = Last used { $time }, noted once an hour.
connected-not-used = No use was noted yet.
connected-take-back = Take back from { $organization }

# Connecting an application
connect-title = { $app } wants to act for your business
connect-from = The application belongs to { $organization }.
connect-business = Your business
connect-label = Name of this connection
connect-other-tin = The application expected the business with the TIN { $tin }. If that is the one you mean, sign out and sign in for it.
connect-permissions = If you approve, it may
permission-taxpayer-read = see the details of your business
permission-invoices-read = see all your invoices and credit notes, also those that others issued for you or sent to you
permission-invoices-write = check and send invoices and credit notes in the name of your business
permission-inbound-read = see the invoices and credit notes that others send you
permission-unknown = do something that this version of the service does not know
connect-end = You can take this back at any time.
connect-back = Then you go back to { $address }.
connect-approve = Approve
connect-decline = Decline
connect-wrong-title = The application sent you here in a way that we cannot accept
connect-wrong-request = There is a mistake in its request. Nothing was granted. Tell whoever makes the application.
connect-wrong-client = We do not know this application here. Nothing was granted. Tell whoever makes it.
connect-wrong-redirect = We do not know the address that the application wants you to go back to. For your safety nothing was granted. Tell whoever makes it.
connect-gone-title = Go back to the application
connect-gone-text = This request is too old, or it was made in another browser. Begin again in the application.
connect-decided-title = This was decided before
connect-decided-text = Go back to the application. To decide anew, begin again there.
connect-inactive-title = Your business is not active yet
connect-inactive-text = Only a business that has completed its registration can connect an application. Nothing was granted.
connect-full-title = There are too many connections
connect-full-text = This application's owner has as many connections to your business as there can be. End one of them first. Nothing was granted.
connect-unpaid-title = This application cannot be connected yet
connect-unpaid-text = Its owner has no active subscription with us. Nothing was granted. Tell whoever makes the application; once that is settled, go back to the application and approve again.
connect-seats-title = This application cannot be connected yet
connect-seats-text = Its owner's subscription is for fewer businesses than it would have then. Nothing was granted. Tell whoever makes the application; once that is settled, go back to the application and approve again.
connect-stale-title = Try again later
connect-stale-text = We cannot find out at the moment whether the application's owner has an active subscription with us. Nothing was granted. Go back, and approve again in some minutes.

# A test business
test-business-title = Make a test business
test-business-intro = { $app } wants to act for a business. In Sandbox you can make one up here; it is active at once.
test-business-sign-in = Sign in for a test business that you made before
test-business-name = Name of the business
test-business-name-wrong = Enter a name of at most 200 characters.
test-business-tin = TIN
test-business-tin-hint = Ten digits that begin with 1. No other test business has this one.
test-business-tin-wrong = Enter a TIN: ten digits that begin with 1.
test-business-tin-taken = Another test business has this TIN. Enter another one, or sign in for that business.
test-business-email = Your e-mail address (if you want to sign in again)
test-business-email-hint = We send links to sign in to it, and nothing else.
test-business-button = Make it and go on

# Onboarding a business
onboard-title = Register your business
onboard-intro = Your business must appoint us before we can send invoices for it and report them to the tax authority.
onboard-first-title = First: appoint us
onboard-first-text = Sign in to the national tax portal as the business, and choose this service as its accredited service provider. We see that as soon as the portal tells us; you can do it now and come back.
onboard-then-title = Then: show that it is your business
onboard-tin = TIN of the business
onboard-tin-hint = Ten digits that begin with 1: the first ten of the tax registration number.
onboard-tin-wrong = Enter a TIN: ten digits that begin with 1.
onboard-email = E-mail address of the business
onboard-email-hint = The one that the national tax portal has for this business. We send a link to it.
onboard-sent-text = If the business has appointed us, and the national tax portal has this address for it, we have sent a link to it. The mail should come within a few minutes.
onboard-nothing-title = Nothing came?
onboard-nothing-text = Look into the folder for unwanted mail. Then look into the national tax portal: is this service appointed as the service provider of the business, and is this its registered address? Once both are so, ask for another link.
onboard-confirm-title = Go on with your business
onboard-confirm-intro = You opened the link from our mail. Press the button to see the details of the business.
onboard-confirm-button = Go on
onboard-details-title = Are these details right?
onboard-details-intro = The national tax portal has these details of your business. They will stand on its invoices.
onboard-details-changed = The national tax portal has something else by now than what you confirmed. Please look again.
onboard-details-button = They are right: register the business
onboard-details-wrong = Something is wrong? Correct it in the national tax portal, and then
onboard-look-again = look again
onboard-defects-title = Invoices with these details would be refused
onboard-defects-text = Correct the following in the national tax portal. Then look again.
onboard-detail-tin = TIN
onboard-detail-email = E-mail address
onboard-detail-name = Name
onboard-detail-trading-name = Trading name
onboard-detail-trn = Tax registration number
onboard-detail-licence = Registration
onboard-detail-address = Address
onboard-progress-title = Your business is being registered
onboard-progress-text = This usually takes less than a minute. You can close this page: it goes on by itself.
onboard-parked-text = It takes longer than usual, and somebody of us is looking at it. You can close this page: it goes on by itself.
onboard-done-title = Your business is registered
onboard-done-text = It can send and receive invoices from now on.
onboard-changed-title = The details changed meanwhile
onboard-changed-text = The national tax portal has other details by now. Begin again, and confirm them.
onboard-step-details = Details confirmed
onboard-step-authority = Tax authority
onboard-step-network = E-invoicing network
onboard-step-done = done
onboard-step-waits = on its way
onboard-none-title = Businesses are registered in another way here
onboard-none-text = Please turn to who operates this service: businesses are registered there.
onboard-gone-title = Begin again
onboard-gone-text = This page is too old, or it was opened in another browser than the one in which you began.
onboard-appoint-title = Your business has not appointed us
onboard-appoint-text = Sign in to the national tax portal, choose this service as the accredited service provider of the business, and load this page again.
onboard-address-title = The address is another one by now
onboard-address-text = The national tax portal has another e-mail address for this business than the one that you came with. Begin again with that one.
onboard-suspended-title = Your business is suspended
onboard-suspended-text = It cannot act at the moment. Look into the national tax portal, or turn to who operates this service.
onboard-deregistered-title = Your business is deregistered
onboard-deregistered-text = It is no longer registered. Turn to who operates this service if that is wrong.
onboard-not-here-title = Is your business not here yet?
onboard-not-here-text = Register your business
account-reverification = The details of your business must be confirmed again before anybody can act for it.
account-onboarding = Your business is still being registered: nobody can act for it yet.
account-confirm = Confirm them now

# What went wrong
error-not-found-title = This page is not there
error-not-found-text = Check the address, or start again from the beginning.
error-method-title = This page cannot do that
error-method-text = Go back, and try again from the page before.
error-form-title = We could not read what you sent
error-form-text = Go back to the form, and send it again.
error-large-title = That is too much
error-large-text = What you sent is larger than a form can be.
error-forged-title = We did not do that
error-forged-text = What you sent did not come from a page that we showed in this browser, or that page was too old. Go back, load the page again, and send it once more.
error-often-title = Too many tries
error-often-text = To keep your account safe we allow only so many tries in a short time.
error-down-title = We cannot do that at the moment
error-down-text = A part of our service cannot be reached. Please try again in a minute.
error-ours-title = Something went wrong on our side
error-ours-text = We are sorry. Please try again; if it happens again, tell us the number below.
error-request-id = Request number: { $id }
wait-minutes = Please try again in { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}.

# Mails
mail-sign-in-subject = Your link to sign in
mail-sandbox-subject = Your link to sign in (Sandbox)
mail-greeting = Hello,
mail-sign-in-text = somebody asked to sign in to our e-invoicing service with this e-mail address. If that was you, open this link in the same browser:
mail-sign-in-button = Sign in
mail-sign-in-limits = The link works once, for { $minutes ->
    [one] one minute
   *[other] { $minutes } minutes
}.
mail-sign-in-not-you = If it was not you, do nothing: nobody can sign in without this link. We never ask you to send it to us, or to anyone.
mail-access-ended-subject = An application lost its access
mail-access-ended-text = the application { $application } used a key for the data of { $business } that had been used before. Somebody else may have got hold of it.
mail-access-ended-now = We have ended the access of this connection at once. You need do nothing to be safe.
mail-access-ended-look = If you still want to use the application, connect it again from there. Here you see which applications have access, and can take it back:
mail-onboard-subject = Go on with registering your business
mail-onboard-text = somebody wants to register your business with our e-invoicing service, and gave this e-mail address. If that was you, open this link in the same browser:
mail-onboard-button = Go on
mail-onboard-not-you = If it was not you, do nothing: nobody can go on without this link. We never ask you to send it to us, or to anyone.

# The house of the portal
switch-to-live = Go to Live
switch-to-sandbox = Go to Sandbox
nav-menu = Menu
nav-label = Parts of the portal
nav-account = Overview
pager-label = Pages of the list
pager-first = Newest
pager-next = Older
copy = Copy
copied = Copied
uae-time = All times are those of the United Arab Emirates.
month-1 = Jan
month-2 = Feb
month-3 = Mar
month-4 = Apr
month-5 = May
month-6 = Jun
month-7 = Jul
month-8 = Aug
month-9 = Sep
month-10 = Oct
month-11 = Nov
month-12 = Dec

# Documents
nav-documents = Documents
documents-title = Documents
documents-none = No documents yet
documents-none-text = Invoices and credit notes that are sent in the name of your business, or to it, stand here.
documents-not-found = Nothing found
documents-not-found-text = No document is what you look for. Try fewer conditions.
documents-further = Nothing on this page. The search goes on with older documents.
filter-all = All
filter-issued-from = Issued from
filter-issued-to = Issued to
filter-button = Search
filter-clear = Clear
filter-wrong = One of the conditions cannot be read. Correct it and search again.
fact-number = Number
fact-direction = Direction
fact-kind = Kind
fact-status = Status
fact-counterparty = Other party
fact-issued = Issued
fact-due = Due
fact-total = Total with VAT
fact-without-vat = Total without VAT
fact-vat = VAT
fact-amount-due = Amount due
fact-reporting = Tax authority
fact-seller = Seller
fact-buyer = Buyer
fact-source-id = Your own identifier
fact-document-id = Identifier here
fact-message = Message
fact-attempt = Attempt
fact-endpoint = Address
fact-access-point = Access point
fact-ebms = EBMS code
fact-duration = Time taken
fact-code = Code
fact-report = Report
kind-invoice = Invoice
kind-credit-note = Credit note
kind-self-billed-invoice = Self-billed invoice
kind-self-billed-credit-note = Self-billed credit note
direction-outbound = sent
direction-inbound = received
status-accepted = Accepted
status-converted = Prepared
status-dispatching = On its way
status-sent = Sent
status-unconfirmed = Not confirmed
status-failed = Failed
status-delivered = Delivered
status-forwarded = Passed on
status-received = Received
status-rejected = Rejected
status-unknown = Another state
report-open = Being reported
report-due = To be reported
report-filing = On its way
report-submitted = Answer awaited
report-overdue = Answer overdue
report-reported = Reported
report-not-compliant = Not compliant
report-failed = Report failed
report-kind-submit = Report to the tax authority made
report-kind-resubmit = Report to the tax authority made again
report-kind-withdraw = Withdrawal of the report made
report-kind-failed = Report of an invalid document made
attempt-open = no answer yet
attempt-received = received, with a proof
attempt-not-registered = the recipient is not registered
attempt-not-capable = the recipient does not take such documents
attempt-defective = the recipient is registered wrongly
attempt-lookup-failed = the recipient could not be looked up
attempt-unreachable = the recipient’s access point could not be reached
attempt-unconfirmed = sent, without a proof that it arrived
attempt-deferred = put off by the recipient’s access point
attempt-duplicate = the recipient’s access point has it already
attempt-refused = refused by the recipient’s access point
event-accepted = Taken for sending
event-received = Received from another access point or business
event-state = State
event-attempt = Attempt to send
event-mls = The recipient’s access point says
event-report-attempt = Attempt to deliver the report
event-report-state = Report to the tax authority
event-verdict = The tax authority says
document-title = Document
document-amounts = Amounts
document-files = Files
document-findings = What was found
document-timeline = What happened
document-details = Details
document-identifiers = Identifiers
document-credits = Credits
document-corrects = Corrects
document-corrected-by = Corrected by
download-ubl = UBL (XML)
download-content = Content (JSON)
download-sbdh = Envelope (SBDH)
finding-error = Error
finding-warning = Warning
finding-field = Field
finding-place = Place in the UBL
finding-value = What stands there
finding-expected = What should stand there
document-more-findings = { $count ->
    [one] One more is in the answer of the interface.
   *[other] { $count } more are in the answer of the interface.
}
document-earlier = { $count ->
    [one] One earlier entry is not shown.
   *[other] { $count } earlier entries are not shown.
}

# The account's further rooms
nav-business = Business
nav-settings = Settings
settings-title = Settings
settings-language = Language of what we write to you
settings-language-hint = The language of these pages is chosen above, for this browser.
settings-language-wrong = Choose English or Arabic.
settings-email = E-mail address for notices
settings-email-hint = Leave it empty to get notices at the address that you sign in with.
settings-save = Save
settings-saved = Saved. The applications that are connected to your business are told.
business-title = Your business
business-details = Details
business-details-hint = They stand on your invoices. They come from where your business is registered, and are corrected there.
business-registers = Registers
business-registers-sandbox = In Sandbox no register is told of your business.
standing-onboarding = Being registered
standing-active = Active
standing-reverification = To be confirmed again
standing-suspended = Suspended
standing-deregistered = Deregistered
register-network = E-invoicing network
register-directory = Peppol Directory
registration-none = Not there
registration-registering = On its way
registration-registered = Registered
registration-leaving = Moving to another provider
registration-withdrawing = Being taken out
account-steps = See how far it is
steps-title = The way of your business
steps-verified = This service appointed at the national tax portal, and your mailbox verified
steps-confirmed = Details confirmed
steps-authority = Tax authority told
steps-network = Found in the e-invoicing network (SMP and SML)
steps-active = Active: connected applications can act for it
steps-directory = Shown in the Peppol Directory
steps-done = Done
steps-waits-for-business = Waits for you
steps-waits-for-service = On its way by itself
steps-waits-for-operator = Waits for who operates this service
steps-later = Later
steps-open = If you like
steps-ended = Ended
card-title = Business card
card-none = Your business has no business card yet. An application that you connected can write one.
card-hint = This is what the Peppol Directory shows of your business while it is listed there.
card-country = Country
card-place = Place
card-website = Website
card-contact = Contact
card-further = Further information
listing-begin = Have the Peppol Directory show it
listing-end = Take it out of the Peppol Directory
listing-inactive-title = Your business is not active
listing-inactive-text = Only a business that is active can be shown in the Directory, or taken out. Nothing was changed.
