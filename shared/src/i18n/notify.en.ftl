
# Notifications: the page on which a person chooses them, and their mails
notifications-title = Notifications
notifications-intro = Choose which e-mails { $email } gets about this organization. Your choice is for you alone.
notifications-live = These are your e-mails about Live. Sandbox has a choice of its own.
notifications-sandbox = These are your e-mails about Sandbox. Live has a choice of its own.
notifications-events = When something happens
notifications-events-hint = You get the first e-mail at once. What happens in the hour after it is gathered in one more e-mail.
notifications-daily = Every morning
notifications-daily-hint = These e-mails go out between 07:00 and 07:30, UAE time.
notifications-rejected = A document was rejected
notifications-rejected-hint = The buyer's access point or the tax authority did not accept it. You have to correct it.
notifications-failed = A document failed
notifications-failed-hint = It could not be sent, its delivery could not be confirmed, or it could not be reported.
notifications-endpoint = A webhook endpoint is down
notifications-endpoint-hint = It has accepted nothing for an hour, or we disabled it.
notifications-seats = The seats are nearly used
notifications-seats-hint = At 80 % and at 100 % of the seats in your subscription.
notifications-certificate = A certificate of this service expires soon
notifications-certificate-hint = At 30, 14, 7 and 1 days before. The operator of the service renews it, and alarms remind the operator.
notifications-sign-in = Somebody signed in as you
notifications-sign-in-hint = With a browser in which you had no open session.
notifications-digest = Yesterday in brief
notifications-digest-hint = Sent, received, rejected and waiting documents, and what needs attention. No e-mail if nothing happened.
notifications-language = Language of these e-mails
notifications-language-wrong = Choose a language.
notifications-save = Save
notifications-saved = Your notifications were saved.
notifications-limit = At most { $most } members of an organization get an e-mail about the same event.
mail-notify-place = { $organization }
mail-notify-place-sandbox = { $organization } (Sandbox)
mail-notify-why = You get this e-mail because of your notifications in our e-invoicing service.
mail-notify-choose = Change or stop these e-mails
mail-notify-documents = See the documents
mail-notify-many = There are more than { $count } documents. The list below has the latest.
mail-notify-rest = { $count ->
    [one] One more document is in your list.
   *[other] { $count } more documents are in your list.
}
mail-notify-rejected-subject = { $count ->
    [one] A document was rejected
   *[other] { $count } documents were rejected
}
mail-notify-rejected-text = The recipient's access point or the tax authority did not accept the document. Its page tells the reason. Correct the document and send it again.
mail-notify-failed-subject = { $count ->
    [one] A document failed
   *[other] { $count } documents failed
}
mail-notify-failed-text = The document could not be sent, its delivery could not be confirmed, or it could not be reported. Its page tells the reason and what you can do.
mail-notify-endpoint-subject = A webhook endpoint accepts nothing
mail-notify-endpoint-text = For an hour or longer, the endpoint has not accepted any event of your organization:
mail-notify-endpoint-now = We try again for up to four days. After five days without success, we disable the endpoint. No event is lost: you can send missed events again for 30 days.
mail-notify-seats-subject = { $used } of { $seats } seats are in use
mail-notify-seats-text = Your subscription has { $seats } seats, and { $used } are in use. When all seats are in use, no other business can connect to you in Live.
mail-notify-seats-full = All { $seats } seats of your subscription are in use. No other business can connect to you in Live until you add seats or a business disconnects.
mail-notify-certificate-subject = A certificate of the service expires on { $day }
mail-notify-certificate-text = A certificate with which this service exchanges documents expires on { $day }. The operator of the service renews it. If you do not know about a renewal, ask the operator.
mail-notify-sign-in-subject = New sign-in
mail-notify-sign-in-text = Somebody opened a sign-in link that was sent to this address, at { $time } UAE time, with this browser:
mail-notify-sign-in-now = If it was not you, end that session, and check who can read your mailbox.
mail-digest-subject = Your documents on { $day }
mail-digest-text = This is what happened on { $day }, UAE time.
mail-digest-attention = Some documents need your attention. Your home page shows them.
mail-digest-well = Nothing needs your attention.
mail-digest-sent = Sent
mail-digest-received = Received
mail-digest-rejected = Rejected
mail-digest-failed = Failed
mail-digest-waiting = Waiting for an answer now
mail-digest-overdue = Waiting for too long now
mail-digest-open = To be corrected now
mail-access-revoked-subject = An app can no longer act for your business
mail-access-revoked-text = The access of { $application } to the data of { $business } has ended. It belonged to { $organization }. You did not end it yourself: { $organization } or the operator of this service did.
mail-access-revoked-now = The app can no longer send invoices for you or read your documents. Your documents stay in your account.
mail-access-revoked-look = To keep using the app, connect it again from the app. Here you can see which apps are connected:
mail-endpoint-disabled-choose = Change or stop these e-mails: { $link }

# The daily quota of the Sandbox
notifications-quota = The Sandbox quota is nearly used
notifications-quota-hint = At 80 % and at 100 % of the documents that your organization may send in Sandbox on a day (UTC).
mail-notify-quota-subject = { $sent } of { $most } Sandbox documents of today are used
mail-notify-quota-text = Your organization may send { $most } documents in Sandbox on a day, and has sent { $sent } today (UTC). When all are sent, further documents are refused until the next day.
mail-notify-quota-full = Your organization has sent all { $most } documents that it may send in Sandbox on a day. Further documents are refused until the next day (UTC). The operator of the service can set a higher quota.
overview-quota-hint = The quota begins again at 00:00 UTC (04:00 in the UAE).
