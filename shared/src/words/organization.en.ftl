
# The portal of organizations
not-allowed-title = Your role does not allow this
not-allowed-text = Ask an owner of your organization to do it, or to give you another role.

# Mails to members
mail-invited-subject = You are invited to an organization
mail-invited-text = you were invited to be a member of { $organization } in our e-invoicing service.
mail-invited-how = To accept, sign in there with this e-mail address. You need no password:
mail-invited-not-you = If you do not know the organization, do nothing.
mail-endpoint-disabled-subject = A webhook endpoint was disabled
mail-endpoint-failing-text = your webhook endpoint { $url } has taken nothing that we sent it for five days. We have disabled it.
mail-endpoint-gone-text = your webhook endpoint { $url } answered that it is gone (410). We have disabled it.
mail-endpoint-disabled-now = Nothing is sent there until you enable it again. What happens meanwhile stays to be found for 30 days, and can be sent again.
