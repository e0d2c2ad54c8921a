// One import for applications: the client, what it is asked and answers, and of the ground under both what their interfaces
// name.
@_exported public import PaymentCore
@_exported public import PaymentModel
@_exported public import struct PaymentBase.ObservedAttribute
@_exported public import struct PaymentBase.ObservedCount
@_exported public import struct PaymentBase.ObservedRecord
@_exported public import struct PaymentBase.ObservedSpan
@_exported public import struct PaymentBase.ObservedText
@_exported public import enum PaymentBase.ObservedValue
@_exported public import protocol PaymentBase.PaymentClock
@_exported public import protocol PaymentBase.PaymentObserver
@_exported public import struct PaymentBase.PersonalData
@_exported public import protocol PaymentBase.RandomSource
@_exported public import struct PaymentBase.Secret
@_exported public import struct PaymentBase.SystemClock
@_exported public import struct PaymentBase.SystemRandom
@_exported public import struct PaymentBase.TraceContext
