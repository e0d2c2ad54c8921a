// Made by Scripts/stubs of Tests/Contracts/sdk/ecommpay-msdkcore-0.14.2.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public class MockAwaitingCustomerStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockAwaitingRedirectResultStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockCanceledStatus: MockBaseStatus {
    public init() { fatalError() }
}

public class MockDeclineStatus: MockBaseStatus {
    public init() { fatalError() }
}

open class MockErrorStatus: MockBaseStatus {
    public init(duration: Duration?, exception: KotlinException) { fatalError() }
    public var exception: KotlinException { get { fatalError() } }
}

public class MockNetworkIsNotAvailableStatus: MockErrorStatus {
    public init(duration: Duration?) { fatalError() }
}

public class MockPartiallyRefundedStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockProcessingStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockRefundProcessingStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockRefundedStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockReversalProcessingStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockReversedStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockSuccessStatus: MockBaseStatus {
    public init() { fatalError() }
}

public class Duration: KotlinBase {
    public class var companion: Duration.Companion { get { fatalError() } }
    public var millis: Int64 { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: Duration.Companion { get { fatalError() } }
        public func millis(millis: Int64) -> Duration { fatalError() }
        public func seconds(seconds: Int64) -> Duration { fatalError() }
    }
}

public protocol Validator: AnyObject {
    func isValid(value: String) -> Bool
}

open class BaseValidator: KotlinBase, Validator {
    public init() { fatalError() }
    public func isValid(value: String) -> Bool { fatalError() }
    public func validate(value: String) -> Bool { fatalError() }
}

open class LengthValidator: BaseValidator {
    public init(length: Int32) { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

open class RegexValidator: BaseValidator {
    public init(pattern: String) { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

open class RegexWithLengthValidator: BaseValidator {
    public init(pattern: String, length: Int32) { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

open class RegexWithMaxMinLengthValidator: BaseValidator {
    public init(pattern: String, minLength: Int32, maxLength: Int32) { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

public class AboveZeroValidator: BaseValidator {
    public override init() { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

public class AvsPostCodeValidator: RegexWithLengthValidator {
    public init() { fatalError() }
}

public class AvsStreetAddressValidator: LengthValidator {
    public init() { fatalError() }
}

public class CardHolderNameValidator: BaseValidator {
    public override init() { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

public class DateValidator: RegexWithLengthValidator {
    public init() { fatalError() }
}

public class EmailValidator: RegexWithLengthValidator {
    public init() { fatalError() }
}

public class ExpiryValidator: RegexWithLengthValidator {
    public init() { fatalError() }
}

public class FxcmAccountNumberValidator: RegexValidator {
    public init() { fatalError() }
}

public class MinAgeValidator: RegexValidator {
    public init() { fatalError() }
}

public class MonthValidator: BaseValidator {
    public override init() { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

public class NetellerAccountNumberValidator: BaseValidator {
    public override init() { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

public class PanValidator: BaseValidator {
    public override init() { fatalError() }
    public override func validate(value: String) -> Bool { fatalError() }
}

public class PhoneNumberValidator: RegexWithMaxMinLengthValidator {
    public init() { fatalError() }
}

public class PostalCodeValidator: LengthValidator {
    public init() { fatalError() }
}

public class YearValidator: RegexValidator {
    public init() { fatalError() }
}

public class KotlinByteArray: KotlinBase {
    public init(size: Int32) { fatalError() }
    public func get(index: Int32) -> Int8 { fatalError() }
    public func set(index: Int32, value: Int8) { fatalError() }
    public var size: Int32 { get { fatalError() } }
}

open class KotlinThrowable: KotlinBase {
    public init() { fatalError() }
    public init(message: String?) { fatalError() }
    public init(cause: KotlinThrowable?) { fatalError() }
    public init(message: String?, cause: KotlinThrowable?) { fatalError() }
    public func getStackTrace() -> KotlinArray<String> { fatalError() }
    public func printStackTrace() { fatalError() }
    public var cause: KotlinThrowable? { get { fatalError() } }
    public var message: String? { get { fatalError() } }
    public func asError() -> any Error { fatalError() }
}

public class SignatureParamKt: KotlinBase {
    public class func coreOnly(_ receiver: Set<SignatureParam>) -> Set<SignatureParam> { fatalError() }
    public class func minus(_ receiver: Set<SignatureParam>, param: SignatureParam) -> Set<SignatureParam> { fatalError() }
    public class func minus(_ receiver: Set<SignatureParam>, params: Set<SignatureParam>) -> Set<SignatureParam> { fatalError() }
    public class func plus(_ receiver: Set<SignatureParam>, param: SignatureParam) -> Set<SignatureParam> { fatalError() }
    public class func plus(_ receiver: Set<SignatureParam>, params: Set<SignatureParam>) -> Set<SignatureParam> { fatalError() }
    public class func signatureParamsOf(params: KotlinArray<SignatureParam>) -> Set<SignatureParam> { fatalError() }
    public class func withoutHideSavedWallets(_ receiver: Set<SignatureParam>) -> Set<SignatureParam> { fatalError() }
}

public class KotlinArray<T>: KotlinBase {
    public func get(index: Int32) -> T? { fatalError() }
    public func set(index: Int32, value: T?) { fatalError() }
    public var size: Int32 { get { fatalError() } }
}

open class KotlinException: KotlinThrowable {
    public override init() { fatalError() }
    public override init(message: String?) { fatalError() }
    public override init(cause: KotlinThrowable?) { fatalError() }
    public override init(message: String?, cause: KotlinThrowable?) { fatalError() }
}

open class KotlinRuntimeException: KotlinException {
    public override init() { fatalError() }
    public override init(message: String?) { fatalError() }
    public override init(cause: KotlinThrowable?) { fatalError() }
    public override init(message: String?, cause: KotlinThrowable?) { fatalError() }
}

open class KotlinIllegalStateException: KotlinRuntimeException {
    public override init() { fatalError() }
    public override init(message: String?) { fatalError() }
    public override init(cause: KotlinThrowable?) { fatalError() }
    public override init(message: String?, cause: KotlinThrowable?) { fatalError() }
}

open class KotlinCancellationException: KotlinIllegalStateException {
    public override init() { fatalError() }
    public override init(message: String?) { fatalError() }
    public override init(cause: KotlinThrowable?) { fatalError() }
    public override init(message: String?, cause: KotlinThrowable?) { fatalError() }
}
