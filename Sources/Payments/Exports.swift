// One import for applications: the client, what it is asked and answers, and of the ground under both what their interfaces
// name. Who writes an observer of its own imports PaymentTelemetry.
@_exported public import PaymentCore
@_exported public import PaymentModel
@_exported public import protocol PaymentBase.PaymentClock
@_exported public import struct PaymentBase.PersonalData
@_exported public import struct PaymentBase.Secret
@_exported public import struct PaymentBase.SystemClock
