// One import for applications: the client, what it is asked and answers, and the values that these are made of.
@_exported public import PaymentBase
@_exported public import PaymentCore
@_exported public import PaymentModel
