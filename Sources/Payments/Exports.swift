// One import for applications: what they hold, and the values that it is made of.
@_exported public import PaymentAbstraction
@_exported public import PaymentBase
