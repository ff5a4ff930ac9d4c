# The documentation at /docs.

docs-service = E-invoicing
docs-title = documentation
docs-navigation = Documentation
docs-portal = Portal
docs-portal-sandbox = Portal, Sandbox
docs-portal-live = Portal, Live
docs-footer = UAE e-invoicing access point.
docs-contents = On this page
docs-commands = Commands
docs-answer = Response
docs-setup = Variables
docs-languages = Programming language
docs-guides = Guides
docs-topic-start = Get started
docs-topic-send = Send documents
docs-topic-follow = Follow and receive
docs-topic-businesses = Businesses
docs-topic-more = Portal, tools, limits
docs-reference = API reference
docs-operations = Operations
docs-operations-about = Every operation with its fields and responses. You can try it in Sandbox.
docs-events = Webhook events
docs-checks = Errors and rules
docs-errors = Error codes
docs-errors-about = What each code means, an example, and how to correct it.
docs-rules = Rules
docs-rules-about = Every rule of a finding, with an example and its correction.
docs-validator = Validator
docs-validator-about = Findings for any UBL document, and for the JSON of a send.
docs-changes = Changes
docs-changelog = Changelog
docs-changelog-about = What changed in the API.
docs-start-title = Send and receive e-invoices by an API
docs-start-lead = PINT-AE documents for the United Arab Emirates. You send JSON over HTTP. The service converts it to valid UBL, delivers it, reports it, and notifies you of the outcome by signed webhooks.
docs-search = Search
docs-search-hint = Search (press /)
docs-search-nothing = Nothing was found.
docs-search-empty = Write what you search for: a word, a field, a code or a rule.
docs-search-none = Nothing was found. Try fewer or shorter words.
docs-search-found =
    { $count ->
        [one] One result.
       *[other] { $count } results.
    }
docs-search-cut = { $count } results. The page shows the first { $shown }.
docs-kinds = Guide,Operation,Event,Field,Error,Rule
docs-kind-guide = Guide
docs-kind-operation = Operation
docs-kind-event = Event
docs-kind-field = Field
docs-kind-error = Error
docs-kind-rule = Rule
docs-key-used = The examples use your Sandbox key. Only this browser tab keeps it.
docs-key-forget = Forget key
keys-use-in-docs = Use in the documentation
keys-use-in-docs-hint = The documentation then shows its examples with this Sandbox key. Only this browser tab keeps the key, until you close the tab or press “Forget key”.
