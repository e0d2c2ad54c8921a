// One import for the author of an adapter: the driver's protocols, the model, the transport, and the ground under them.
@_exported public import PaymentBase
@_exported public import PaymentDriverKit
@_exported public import PaymentModel
@_exported public import PaymentTransport
