// The documented names of Apple's Foundation as far as Sources/PaymentURLSession and Sources/PaymentApple use them, for
// Scripts/phone alone. Nothing of it ever runs. What Apple's protocol of the session's delegate has as optional is demanded here,
// so that a method that is nearly the documented one is found.

@_exported public import Darwin

public protocol ContiguousBytes {}
extension Array: ContiguousBytes where Element == UInt8 {}
public protocol DataProtocol: RandomAccessCollection, ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}

public struct Data: Sendable, Hashable, DataProtocol, MutableCollection {
    public init() {}
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 {
        get { 0 }
        set {}
    }
    public subscript(bounds: Range<Int>) -> Data {
        get { self }
        set {}
    }
    public typealias SubSequence = Data
}

public struct Date: Sendable, Hashable {}
public struct Decimal: Sendable, Hashable {
    public init(_ value: Int) {}
    public init(_ value: UInt64) {}
    public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
}
extension Decimal: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) {}
}

public typealias TimeInterval = Double

open class NSObject {
    public init() {}
}

public struct URLResourceValues {
    public init() {}
    public var isExcludedFromBackup: Bool? {
        get { nil }
        set {}
    }
}

public struct URL: Sendable, Hashable {
    public init?(string: String) { nil }
    public init(fileURLWithPath path: String, isDirectory: Bool) {}
    public var absoluteString: String { "" }
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}

public struct URLError: Error, Hashable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let cancelled = Code(rawValue: -999)
        public static let timedOut = Code(rawValue: -1001)
        public static let cannotFindHost = Code(rawValue: -1003)
        public static let cannotConnectToHost = Code(rawValue: -1004)
        public static let networkConnectionLost = Code(rawValue: -1005)
        public static let dnsLookupFailed = Code(rawValue: -1006)
        public static let badServerResponse = Code(rawValue: -1011)
        public static let cannotParseResponse = Code(rawValue: -1017)
        public static let secureConnectionFailed = Code(rawValue: -1200)
        public static let serverCertificateHasBadDate = Code(rawValue: -1201)
        public static let serverCertificateUntrusted = Code(rawValue: -1202)
        public static let serverCertificateHasUnknownRoot = Code(rawValue: -1203)
        public static let serverCertificateNotYetValid = Code(rawValue: -1204)
    }
    public var code: Code { .cancelled }
}

public struct URLRequest: Sendable, Hashable {
    public init(url: URL) {}
    public var httpMethod: String?
    public var httpShouldHandleCookies = false
    public var timeoutInterval: TimeInterval = 0
    public var httpBody: Data?
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

open class URLResponse: NSObject {}
open class HTTPURLResponse: URLResponse {
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
}
open class HTTPCookieStorage: NSObject {}
public class HTTPCookie: NSObject {
    public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
}
open class URLCache: NSObject {}
open class URLCredential: NSObject {}
open class URLCredentialStorage: NSObject {}
open class URLAuthenticationChallenge: NSObject {
    open var failureResponse: URLResponse? { nil }
}
public enum NSURLRequest {
    public enum CachePolicy: UInt, Sendable { case useProtocolCachePolicy, reloadIgnoringLocalCacheData }
}
open class OperationQueue: NSObject {}

open class URLSessionConfiguration: NSObject {
    open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
    open var timeoutIntervalForRequest: TimeInterval = 0
    open var httpCookieStorage: HTTPCookieStorage?
    open var httpShouldSetCookies = false
    open var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.always
    open var urlCache: URLCache?
    open var urlCredentialStorage: URLCredentialStorage?
    open var requestCachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
}

// A task of data is a task in Foundation, too. It is none here, so that it may be sendable without code of this file's own.
open class URLSessionTask: NSObject {}
public final class URLSessionDataTask: Sendable {
    public func resume() {}
    public func cancel() {}
}

open class URLSession: NSObject {
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) {}
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { URLSessionDataTask() }
    open func invalidateAndCancel() {}
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
}

public protocol URLSessionDelegate: NSObject, Sendable {}
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
