// A simulated provider reads requests and writes JSON: both come with this import.
@_exported public import PaymentBase
@_exported public import PaymentTransport
