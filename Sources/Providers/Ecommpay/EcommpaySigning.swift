public import PaymentProviderKit

/// How parameters become a text, and the text a signature.
enum EcommpaySigning {
    /// The orders of the parameters that are in use; each is an authenticated form of the same tree.
    enum Order: CaseIterable {
        /// Natural order of the paths, as the documents have it.
        case natural
        /// Bytes of the paths.
        case paths
        /// Bytes of path and value together.
        case leaves
    }

    /// The member that holds the signature.
    static let member = "signature"

    /// The text to sign; numbers stand in it as they stood in the JSON.
    static func text(_ parameters: JSON, _ order: Order = .natural) throws(SignedFieldList.Excess) -> String {
        let leaves = try SignedFieldList(parameters)
        return leaves.text(leaves.sorted(order))
    }

    /// The texts of a message in all orders, each once; nearly always there is one.
    static func texts(_ message: JSON) throws(SignedFieldList.Excess) -> [String] {
        let leaves = try SignedFieldList(message)
        let natural = leaves.sorted(.natural)
        var texts = [leaves.text(natural)]
        // What is in an order already has the same text in it.
        for order in Order.allCases where order != .natural && !leaves.isSorted(natural, order) {
            let text = leaves.text(leaves.sorted(order))
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    /// Whether a member is never signed, at whatever depth.
    static func isUnsigned(_ name: String) -> Bool { name == member || name == "frame_mode" }

    /// The signature of a text, as the wire has it.
    static func signature(_ text: String, _ secret: Secret, _ crypto: any Crypto) throws(CryptoFailure) -> String {
        Base64.standard.encode(try crypto.authenticate(.sha512, key: secret, Array(text.utf8)))
    }

    /// How long the code is that a signature is made of, in bytes.
    private static let codeBytes = 64
    /// How long a signature is: the Base64 of the code.
    private static let signatureCharacters = 88

    /// The parts of messages that name the project, and then carry the signature too.
    static let parts = ["general", "customer"]

    /// The signature that a message carries, at its top or in one of its parts.
    static func given(in message: JSON) -> String? {
        message[member]?.string ?? parts.lazy.compactMap { message[$0]?[member]?.string }.first
    }

    /// Whether a text has the form of a signature.
    static func isSignature(_ text: String) -> Bool {
        text.utf8.count == signatureCharacters && Base64.standard.decode(text)?.count == codeBytes
    }

    /// Whether a message carries a signature that fits one of the orders.
    static func isGenuine(_ message: JSON, _ secret: Secret, _ crypto: any Crypto) -> Bool {
        doubt(about: message, secret, crypto) == nil
    }

    /// Why a message is not believed to be the provider's; nil if its signature fits one of the orders.
    static func doubt(about message: JSON, _ secret: Secret, _ crypto: any Crypto) -> String? {
        guard let given = given(in: message) else { return "it carries no signature" }
        return doubt(about: message, signed: given, secret, crypto)
    }

    /// Why a signature does not prove a message; nil if it fits one of the orders.
    ///
    /// What can't be a signature, and a message that exceeds the limits of what is signed, are refused before any work is
    /// done for them. All orders are tried, so that time shows nothing of the signature.
    static func doubt(
        about message: JSON, signed given: String, _ secret: Secret, _ crypto: any Crypto
    ) -> String? {
        guard !secret.isEmpty else { return "there is no secret to check its signature with" }
        guard isSignature(given) else { return "its signature is not \(signatureCharacters) characters of Base64" }
        let texts: [String]
        do { texts = try Self.texts(message) } catch { return error.reason }
        let isGenuine = texts.reduce(false) { isGenuine, text in
            guard let due = try? signature(text, secret, crypto) else { return isGenuine }
            return crypto.equal(Array(given.utf8), Array(due.utf8)) || isGenuine
        }
        return isGenuine ? nil : "it carries no signature that fits our secret"
    }

    /// Whether the text of a message could be another message's too: a key or a text has the mark in it that is
    /// between two members.
    static func isAmbiguous(_ message: JSON) -> Bool {
        switch message {
        case .null, .bool, .number: false
        case .string(let text): text.utf8.contains(UInt8(ascii: ";"))
        case .array(let items): items.contains { isAmbiguous($0) }
        case .object(let object):
            object.members.contains { member in
                !isUnsigned(member.key)
                    && (member.key.utf8.contains(UInt8(ascii: ";")) || isAmbiguous(member.value))
            }
        }
    }
}

/// Who signs: this process, a function that signs bytes, or the merchant's server.
struct EcommpaySignatureMode: Sendable {
    /// The secret, where it is here.
    let secret: Secret?
    private let crypto: any Crypto
    private let sign: @Sendable (EcommpaySigningRequest) async throws -> EcommpaySignedParameters

    static func local(_ secret: Secret, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(secret: secret, crypto: crypto) { request in
            EcommpaySignedParameters(
                request.parameters, signature: try EcommpaySigning.signature(request.text, secret, crypto))
        }
    }

    static func bytes(_ signer: @escaping ProviderDependencies.Signer, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(secret: nil, crypto: crypto) { request in
            let proof = try await signer(Array(request.text.utf8))
            return EcommpaySignedParameters(request.parameters, signature: proof.expose())
        }
    }

    static func server(_ signer: any EcommpaySigner, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(secret: nil, crypto: crypto) { try await signer.sign($0) }
    }

    /// Members that a signer must leave as they are.
    static let fixed = ["project_id", "payment_id", "payment_amount", "payment_currency"]
    /// Members that it may set but not change: who pays, and with what, and what a page does until when.
    static let kept = ["customer_id", "account_token", "operation_type", "best_before"]

    /// Parameters of a session with their signature; a server may have added to them.
    ///
    /// - Parameter text: What the signature is made of, where the vendor's kit says it; nil for our own text.
    func signed(session parameters: JSONObject, text: String? = nil) async throws -> JSON {
        let request =
            if let text { EcommpaySigningRequest(.object(parameters), text: text) } else {
                try EcommpaySigningRequest(.object(parameters))
            }
        let signed = try await sign(request)
        let due = Self.fixed + Self.kept.filter { parameters[$0] != nil }
        guard let object = signed.parameters.object, due.allSatisfy({ object[$0] == parameters[$0] }) else {
            throw PaymentError.notExecuted(
                .mismatch, "the signer changed the amount, the currency, a name, or who pays; it must keep them")
        }
        return signed.parameters.adding(EcommpaySigning.member, .string(signed.signature))
    }

    /// A message with its signature beside the project's number; nothing may be added to it.
    func signed(_ message: JSON) async throws -> JSON {
        let signed = try await sign(EcommpaySigningRequest(message))
        guard signed.parameters == message else {
            throw PaymentError.notExecuted(.mismatch, "the signer changed a message that it may only sign")
        }
        let proof = JSON.string(signed.signature)
        for part in EcommpaySigning.parts {
            guard let inner = message[part], inner["project_id"] != nil else { continue }
            return message.adding(part, inner.adding(EcommpaySigning.member, proof))
        }
        return message.adding(EcommpaySigning.member, proof)
    }

    /// Whether a message is the provider's.
    func isGenuine(_ message: JSON) async throws -> Bool {
        if let secret { return EcommpaySigning.isGenuine(message, secret, crypto) }
        guard let given = EcommpaySigning.given(in: message), EcommpaySigning.isSignature(given),
            let texts = try? EcommpaySigning.texts(message)
        else { return false }
        // Nearly always the orders give one text, and the signer is asked once.
        for text in texts {
            let due = try await sign(EcommpaySigningRequest(message, text: text)).signature
            if !due.isEmpty, crypto.equal(Array(given.utf8), Array(due.utf8)) { return true }
        }
        return false
    }
}

/// What an application gives to the adapter of ecommpay when its own server holds the secret.
///
/// It is handed over among the toolbox's delegates, under the name of the configured provider; on a phone the value that
/// is the vendor's kit may be this, too. The server may check
/// and supplement the parameters of a session; what it must not change is the amount, the currency and the names.
public protocol EcommpaySigner: Sendable {
    /// Signs a set of parameters.
    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters
}

/// A set of parameters that is to be signed.
public struct EcommpaySigningRequest: Sendable {
    /// The parameters.
    public let parameters: JSON
    /// The text of them that the signature is made of.
    public let text: String

    /// Makes a request of parameters.
    ///
    /// - Throws: `invalidRequest`, nothing moved, if the parameters exceed the limits of what is signed. A server that signs
    ///   for others answers them with a refusal then.
    public init(_ parameters: JSON) throws(PaymentError) {
        do { self.init(parameters, text: try EcommpaySigning.text(parameters)) } catch {
            throw PaymentError.notExecuted(.invalidRequest, "the message can't be signed: \(error.reason)")
        }
    }

    init(_ parameters: JSON, text: String) { (self.parameters, self.text) = (parameters, text) }
}

/// A final set of parameters with its signature.
public struct EcommpaySignedParameters: Sendable {
    /// The parameters as they were signed.
    public let parameters: JSON
    /// The signature, in Base64.
    public let signature: String

    /// Keeps parameters with their signature.
    public init(_ parameters: JSON, signature: String) { (self.parameters, self.signature) = (parameters, signature) }
}

/// What is signed of a message: every value with the path to it, as `path:value`, in the message's order.
///
/// Each value repeats the names of everything around it, so that a short message can have a very long text. A message
/// whose text would exceed one of the limits is refused before the text is made: anyone can send one, and its signature has
/// not been checked yet. The documented messages stay far below each limit.
struct SignedFieldList {
    /// The longest name of a member, in bytes.
    static let nameBytesMax = 256
    /// The longest path to a value, in bytes.
    static let pathBytesMax = 1_024
    /// How many objects and lists may be around a value.
    static let levelsMax = 32
    /// The longest text, in bytes: what is signed, and what is kept in memory for it.
    static let textBytesMax = 1_024 * 1_024

    /// How many values are signed: sorting them costs more than their bytes.
    static let valuesMax = 20_000

    /// Which limit a message exceeds.
    enum Excess: Error { case name, path, levels, text, values }

    /// Where one of them is; its path ends before the value's colon.
    struct Leaf {
        let start: Int
        let pathEnd: Int
        let end: Int
    }

    /// All texts, one behind the other.
    private var bytes: [UInt8] = []
    private var leaves: [Leaf] = []

    /// Takes a message apart.
    ///
    /// - Throws: the limit that the message exceeds, as soon as it does.
    init(_ message: JSON) throws(Excess) {
        bytes.reserveCapacity(Self.standardCapacity)
        var path: [UInt8] = []
        try collect(message, &path, 0)
    }

    /// The leaves in an order.
    func sorted(_ order: EcommpaySigning.Order) -> [Leaf] { leaves.sorted { isBefore($0, $1, order) } }

    /// Whether leaves stand in an order already.
    func isSorted(_ leaves: [Leaf], _ order: EcommpaySigning.Order) -> Bool {
        zip(leaves.dropFirst(), leaves).allSatisfy { !isBefore($0, $1, order) }
    }

    /// The text of leaves in the order in which they are given.
    func text(_ leaves: [Leaf]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + leaves.count)
        for leaf in leaves {
            if !text.isEmpty { text.append(UInt8(ascii: ";")) }
            text += bytes[leaf.start..<leaf.end]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Room for the texts of an ordinary message.
    private static let standardCapacity = 2_048
    private static let colon = UInt8(ascii: ":")

    private mutating func collect(_ value: JSON, _ path: inout [UInt8], _ level: Int) throws(Excess) {
        switch value {
        case .null: try add("", path)
        case .bool(let flag): try add(flag ? "1" : "0", path)
        case .number(let number): try add(number.text, path)
        case .string(let text): try add(text, path)
        case .array(let items):
            for (index, item) in items.enumerated() { try collect(item, &path, String(index), level) }
        case .object(let object):
            for member in object.members where !EcommpaySigning.isUnsigned(member.key) {
                try collect(member.value, &path, member.key, level)
            }
        }
    }

    /// Goes one step further, in whose name a colon is twice.
    private mutating func collect(
        _ value: JSON, _ path: inout [UInt8], _ name: String, _ level: Int
    ) throws(Excess) {
        guard level < Self.levelsMax else { throw .levels }
        guard name.utf8.count <= Self.nameBytesMax else { throw .name }
        let count = path.count
        if !path.isEmpty { path.append(Self.colon) }
        for byte in name.utf8 {
            path.append(byte)
            if byte == Self.colon { path.append(Self.colon) }
        }
        guard path.count <= Self.pathBytesMax else { throw .path }
        try collect(value, &path, level + 1)
        path.removeLast(path.count - count)
    }

    private mutating func add(_ value: String, _ path: [UInt8]) throws(Excess) {
        guard leaves.count < Self.valuesMax else { throw .values }
        // Between two of them is one byte more.
        let separators = leaves.count
        guard bytes.count + separators + path.count + 1 + value.utf8.count <= Self.textBytesMax else { throw .text }
        let start = bytes.count
        bytes += path
        bytes.append(Self.colon)
        bytes += value.utf8
        leaves.append(Leaf(start: start, pathEnd: start + path.count, end: bytes.count))
    }

    private func isBefore(_ one: Leaf, _ other: Leaf, _ order: EcommpaySigning.Order) -> Bool {
        switch order {
        case .natural: isNaturallyBefore(one.start..<one.pathEnd, other.start..<other.pathEnd)
        case .paths: isBefore(one.start..<one.pathEnd, other.start..<other.pathEnd)
        case .leaves: isBefore(one.start..<one.end, other.start..<other.end)
        }
    }

    /// Whether some bytes come before others.
    private func isBefore(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        var (left, right) = (one.lowerBound, other.lowerBound)
        while left < one.upperBound, right < other.upperBound {
            if bytes[left] != bytes[right] { return bytes[left] < bytes[right] }
            (left, right) = (left + 1, right + 1)
        }
        return one.count < other.count
    }

    /// Whether one path comes before another when runs of digits count as numbers.
    private func isNaturallyBefore(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        var (left, right) = (one.lowerBound, other.lowerBound)
        while left < one.upperBound, right < other.upperBound {
            guard Self.isDigit(bytes[left]), Self.isDigit(bytes[right]) else {
                if bytes[left] != bytes[right] { return bytes[left] < bytes[right] }
                (left, right) = (left + 1, right + 1)
                continue
            }
            let (digits, others) = (digits(left..<one.upperBound), digits(right..<other.upperBound))
            (left, right) = (digits.upperBound, others.upperBound)
            if digits.count != others.count { return digits.count < others.count }
            if !bytes[digits].elementsEqual(bytes[others]) { return isBefore(digits, others) }
        }
        if (left == one.upperBound) != (right == other.upperBound) { return left == one.upperBound }
        return isBefore(one, other)
    }

    /// The run of digits that some bytes begin with, without its leading zeros.
    private func digits(_ range: Range<Int>) -> Range<Int> {
        let end = bytes[range].firstIndex { !Self.isDigit($0) } ?? range.upperBound
        let start = bytes[range.lowerBound..<end].firstIndex { $0 != UInt8(ascii: "0") } ?? end
        return start..<end
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

extension SignedFieldList.Excess {
    /// What is wrong with the message.
    var reason: String {
        switch self {
        case .name: "a name in it has more than \(SignedFieldList.nameBytesMax) bytes"
        case .path: "a path in it has more than \(SignedFieldList.pathBytesMax) bytes"
        case .levels: "it is nested more than \(SignedFieldList.levelsMax) levels deep"
        case .values: "it has more than \(SignedFieldList.valuesMax) values"
        case .text: "its text to be signed has more than \(SignedFieldList.textBytesMax) bytes"
        }
    }
}

/// Signatures by hand: of requests, of callbacks, of the parameters of a session.
struct EcommpaySignatures: SignatureScheme {
    func sign(_ message: [UInt8], secret: Secret, crypto: any Crypto) throws(PaymentError) -> String {
        let parameters = try read(message)
        guard !secret.isEmpty else { throw Self.refused("the secret is empty") }
        let text = try EcommpaySigningRequest(parameters).text
        do { return try EcommpaySigning.signature(text, secret, crypto) } catch {
            throw PaymentError.notExecuted(.unsupported, "there is no cryptography: \(error)")
        }
    }

    func verifies(
        _ message: [UInt8], signature: String?, secret: Secret, crypto: any Crypto
    ) throws(PaymentError) -> Bool {
        let parameters = try read(message)
        guard let given = signature ?? EcommpaySigning.given(in: parameters) else {
            throw Self.refused("the message has no signature, at its top or in `general`")
        }
        return EcommpaySigning.doubt(about: parameters, signed: given, secret, crypto) == nil
    }

    private func read(_ message: [UInt8]) throws(PaymentError) -> JSON {
        guard let json = try? JSONReader().read(message), json.object != nil else {
            throw Self.refused("the message is no JSON object")
        }
        return json
    }

    private static func refused(_ why: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, why)
    }
}
