// What an observer sees, for applications that write their own.
@_exported public import struct PaymentBase.ObservedAttribute
@_exported public import struct PaymentBase.ObservedCount
@_exported public import struct PaymentBase.ObservedRecord
@_exported public import struct PaymentBase.ObservedSpan
@_exported public import struct PaymentBase.ObservedText
@_exported public import enum PaymentBase.ObservedValue
@_exported public import protocol PaymentBase.PaymentObserver
@_exported public import struct PaymentBase.TraceContext
