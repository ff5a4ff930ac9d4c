
# The logo of a business on its invoices.
logo-title = Logo on invoices
logo-text = Your invoices and credit notes show this logo instead of the first letter of your name.
logo-none = Your invoices show the first letter of your name. Upload a logo to show it instead.
logo-has = Your invoices show your logo.
logo-current = Your logo
logo-alt = Logo of your business
logo-file = Picture
logo-file-hint = PNG or JPEG, at most 1 MB and { $most } pixels on each side. Wide pictures fit best.
logo-upload = Upload logo
logo-replace = Replace logo
logo-remove = Remove logo
logo-change = Change logo
logo-saved = The logo was saved. Documents show it from now on, earlier ones too.
logo-removed = The logo was removed.
logo-missing = Select a picture.
logo-too-large = The file has more than 1 MB. Select a smaller one.
logo-wrong-type = The file is neither PNG nor JPEG. Save the picture as PNG and select that file.
logo-too-many-pixels = The picture has too many pixels. Make it smaller and select it again.
logo-unreadable = The picture is damaged. Save it again as PNG and select that file.

# The page behind the QR code of an invoice.
verify-title = This service sent this document
verify-title-failed = This document was not delivered
verify-title-sandbox = A test document, no invoice
verify-text = This service knows a document with these data.
verify-sandbox = This is a test document of Sandbox. It is no invoice.
verify-issued = Issue date
verify-seller = Seller
verify-trn = TRN
verify-total = Total with VAT
verify-sent = Sent with this service
verify-state = State
verify-since = Since
verify-compare = Compare these data with your paper. If they differ, the paper was changed. Ask the seller.
verify-unknown-title = This link verifies no document
verify-unknown-text = This service sent no document with this link. Scan the QR code again. If the answer is the same, ask the seller whether the paper is genuine.

# The logo of a business, in the portal of an organization
logo-of-business-set = Set the logo
logo-of-business-text = Invoices and credit notes of { $name } show this logo instead of the first letter of its name. The business sees the change in its account.
logo-of-business-current = Current logo
