public import PaymentBase
public import PaymentDriverKit
public import PaymentTransport

/// Reads any message of a provider's wire, without sending anything and without a key.
///
/// What is unreadable, or says something that no table lists, is `unknown`; it never throws and never guesses.
public protocol Inspector: Sendable {
    /// What the message says; one inspection for each item of a message that has several, never none.
    func inspect(_ message: InspectedMessage) -> [Inspection]
}

/// A message to be explained: its bytes, and what is known about where it comes from.
public struct InspectedMessage: Hashable, Sendable {
    /// The body, as it stood on the wire.
    public let body: [UInt8]
    /// What it belongs to, where the message alone can't say.
    public var operation: PaymentOperation?
    /// The status of the reply, where it is known.
    public var httpStatus: Int?

    /// Makes a message.
    public init(_ body: [UInt8]) { self.body = body }
}

/// What one message of a provider says, in neutral words.
///
/// Nothing in it is proven to come from the provider: an inspection has no key.
public struct Inspection: Hashable, Sendable {
    /// What the message says about the operation that it belongs to.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// It was done.
        case approved
        /// It was refused, finally.
        case declined
        /// It was ended before it was decided.
        case cancelled
        /// It was accepted and is decided later.
        case pending
        /// It was refused or came to nothing, and that is not the issuer's decision.
        case failed
        /// It should say, and can't be judged.
        case unknown
        /// It says nothing about an outcome: a request, or news of something else.
        case none
    }

    /// What is known about the money after this message, and nothing but this message.
    public enum MoneyEffect: String, Hashable, Sendable, CaseIterable {
        /// The money moved.
        case executed
        /// The money did not move.
        case notExecuted
        /// The message doesn't say.
        case unknown
    }

    /// An error that the message reports.
    public struct Problem: Hashable, Sendable {
        /// The provider's code, as it is in the message.
        public let code: String
        /// What kind of error it is.
        public let category: PaymentError.Code
        /// The provider's words.
        public let message: String

        /// Makes a problem.
        public init(_ code: String, _ category: PaymentError.Code, _ message: String = "") {
            let said = ProviderMessage(code: code, message: message)
            (self.code, self.category, self.message) = (said.code, category, said.message)
        }
    }

    /// What kind of message it is, in the provider's words.
    public let message: String
    /// What the message says about its operation.
    public let status: Status
    /// What is known about the money.
    public let money: MoneyEffect
    /// The amount that it names, if it names one.
    public var amount: Money?
    /// The client's reference that it carries, where it carries one.
    public var attempt: String?
    /// What the provider calls the payment or the operation.
    public var providerReference: String?
    /// What the provider calls the payment that this operation belongs to, where that is another name.
    public var originalReference: String?
    /// Why it was declined, if it was.
    public var decline: Decline?
    /// The error that it reports, if it reports one.
    public var problem: Problem?
    /// Members that the provider's documents don't name, as paths from the root with dots in between, in order.
    public var unknownFields: [String] = []

    /// Makes an inspection.
    public init(_ message: String, _ status: Status, _ money: MoneyEffect) {
        self.message = ProviderMessage(code: message).code
        (self.status, self.money) = (status, money)
    }

    /// A message that can't be judged.
    public static func unknown(_ message: String) -> Inspection { Inspection(message, .unknown, .unknown) }
}

extension Inspection {
    /// What a verdict says, as the adapter's own mapping gives it; nil is a hint to look again.
    public init(_ message: String, _ verdict: Verdict?) {
        switch verdict {
        case .approved(let approval):
            self.init(message, .approved, .executed)
            amount = approval.amount
        case .declined(let declined):
            self.init(message, declined.reason == .failedAfterApproval ? .failed : .declined, .notExecuted)
            decline = declined
        case .cancelled: self.init(message, .cancelled, .notExecuted)
        case .pending: self.init(message, .pending, .unknown)
        case nil: self.init(message, .none, .unknown)
        }
    }

    /// A body that reports an error, sorted by the adapter's own table: a failure of the server proves nothing.
    public init(_ message: String, code: String, words: String, httpStatus: Int?, _ table: ErrorTable) {
        let isServer = (httpStatus ?? 0) >= 500
        let fallback = httpStatus.map { "http.\($0)" }
        let fault = table.failure(code: isServer ? "" : code, fallback: fallback, message: words)
        let isRefused = fault.delivery == .refused
        self.init(message, isRefused ? .failed : .unknown, isRefused ? .notExecuted : .unknown)
        problem = Problem(code.isEmpty ? fallback ?? "" : code, fault.code, words)
    }
}

/// The names that a provider's documents have for members, to tell what they don't name.
public struct KnownFields: Sendable {
    private let names: Set<String>
    private let open: Set<String>
    private let ignoresCase: Bool

    /// Takes names, with white space in between.
    ///
    /// - Parameters:
    ///   - names: The names that the documents list.
    ///   - open: Members whose own members have names that no document lists.
    ///   - ignoresCase: Whether the provider writes its names in more than one way.
    public init(_ names: String, open: String = "", ignoresCase: Bool = false) {
        func set(_ text: String) -> Set<String> {
            Set(text.split(whereSeparator: \.isWhitespace).map { ignoresCase ? $0.lowercased() : String($0) })
        }
        self.ignoresCase = ignoresCase
        self.open = set(open)
        self.names = set(names).union(self.open)
    }

    /// The paths from the root of all members that are not listed, with dots in between, in their order.
    public func unknown(in json: JSON) -> [String] { unknown(in: json, under: "") }

    /// What a message says, each with what the documents don't name in it.
    public func noting(_ found: [Inspection], in json: JSON) -> [Inspection] {
        let unknown = unknown(in: json)
        return found.map { item in
            var item = item
            item.unknownFields = unknown
            return item
        }
    }

    private func unknown(in json: JSON, under path: String) -> [String] {
        func below(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch json {
        case .object(let object):
            return object.members.flatMap { member in
                let name = ignoresCase ? member.key.lowercased() : member.key
                guard names.contains(name) else { return [below(member.key)] }
                return open.contains(name) ? [] : unknown(in: member.value, under: below(member.key))
            }
        case .array(let items):
            return items.enumerated().flatMap { unknown(in: $1, under: below("\($0)")) }
        case .null, .bool, .number, .string: return []
        }
    }
}

/// How a provider's messages are signed, to make or check a signature by hand.
public protocol SignatureScheme: Sendable {
    /// The signature of a message, as the wire has it.
    ///
    /// - Throws: `invalidRequest` when the message is none that can be signed; `unsupported` without cryptography.
    func sign(_ message: [UInt8], secret: Secret, crypto: any Crypto) throws(PaymentError) -> String

    /// Whether a signature fits a message, compared in constant time.
    ///
    /// - Parameters:
    ///   - message: What was signed.
    ///   - signature: The one to check; nil for the one inside the message.
    ///   - secret: The secret that signs.
    ///   - crypto: What computes it.
    /// - Throws: `invalidRequest` when the message is none that can be signed, or has no signature inside.
    func verifies(
        _ message: [UInt8], signature: String?, secret: Secret, crypto: any Crypto
    ) throws(PaymentError) -> Bool
}
