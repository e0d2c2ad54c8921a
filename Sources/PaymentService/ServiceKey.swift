package import PaymentBase
package import PaymentModel
package import PaymentTransport

/// What a key may do; each role may do what those before it may.
package enum ServiceRole: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Reads.
    case viewer
    /// Takes payments.
    case till
    /// Decides what is open and refunds without a payment.
    case office

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .till: 1
        case .office: 2
        }
    }
}

/// One key as the configuration has it: never the key itself.
package struct ServiceKey: Hashable, Sendable {
    /// The SHA-256 of the key, as hexadecimal text.
    package let digest: String
    /// What people call it.
    package let name: String
    /// The shop whose payments it reaches.
    package let shop: String
    /// What it may do.
    package let role: ServiceRole
    /// Whether it may refund; a till's key may not unless its configuration says so.
    package var mayRefund: Bool
    /// Whether it may sell without a reference.
    package var mayOmitReference = false
    /// When it ends, in milliseconds since 1970; nil for never.
    package var endsAt: Int64?
    /// The operations that it may call; nil for all of its role.
    package var operations: Set<String>?
    /// The readers that it may use; nil for all.
    package var readers: Set<String>?
    /// How much it may charge at once, by currency; nothing in other currencies. Nil for no limit.
    package var amountMax: [Currency: Money]?
    /// How much it may refund at once, by currency; nothing in other currencies. Nil for no limit.
    package var refundMax: [Currency: Money]?
    /// How much it may refund on one day (UTC), by currency; nothing in other currencies. Nil for no limit.
    package var refundMaxPerDay: [Currency: Money]?

    /// Whether it sees what another entry of it saw.
    func sees(asMuchAs other: ServiceKey) -> Bool {
        func has(_ mine: Set<String>?, _ theirs: Set<String>?) -> Bool {
            mine.map { theirs?.isSubset(of: $0) ?? false } ?? true
        }
        return shop == other.shop && role >= other.role && has(operations, other.operations)
            && has(readers, other.readers)
    }

    /// Makes a key of the digest of its text.
    package init(digest: String, name: String, shop: String, role: ServiceRole) {
        (self.digest, self.name, self.shop, self.role) = (digest.lowercased(), name, shop, role)
        mayRefund = role == .office
    }

    /// Makes a key of its text.
    ///
    /// - Throws: If the system can't compute a digest.
    package init(
        _ text: Secret, name: String, shop: String, role: ServiceRole, crypto: any Crypto
    ) throws(CryptoFailure) {
        self.init(
            digest: Hex.encode(try crypto.digest(.sha256, text.exposeBytes())), name: name, shop: shop, role: role)
    }

    /// Draws the text of a new key: `paysecret_test_SHOP_` and 43 letters and digits.
    package static func draw(shop: String, random: any RandomSource, isLive: Bool = false) -> Secret {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var text: [UInt8] = []
        // 62 letters: of the 256 values of a byte those above 247 would favour the first ones.
        while text.count < 43 {
            for byte in random.bytes(64) where byte < 248 && text.count < 43 { text.append(letters[Int(byte % 62)]) }
        }
        return Secret(bytes: Array("paysecret_\(isLive ? "live" : "test")_\(shop)_".utf8) + text)
    }
}

/// The keys of a service, by their digests. They can be replaced while it runs.
final class KeyRing: Sendable {
    private let keys: Locked<[String: ServiceKey]>
    private let crypto: any Crypto
    /// The longest key that is looked at, in bytes.
    private static let bytesMax = 256

    init(_ keys: [ServiceKey], crypto: any Crypto) {
        self.keys = Locked(Self.byDigest(keys))
        self.crypto = crypto
    }

    private static func byDigest(_ keys: [ServiceKey]) -> [String: ServiceKey] {
        Dictionary(keys.map { ($0.digest, $0) }) { first, _ in first }
    }

    /// Takes other keys; returns the digests of those that are gone, or may see something else now.
    func replace(_ keys: [ServiceKey]) -> Set<String> {
        let fresh = Self.byDigest(keys)
        return self.keys.withLock { keys in
            defer { keys = fresh }
            return Set(keys.values.filter { fresh[$0.digest]?.sees(asMuchAs: $0) != true }.map(\.digest))
        }
    }

    /// Whether a key is still one of the service's, and sees what it saw.
    func isKnown(_ key: ServiceKey, at now: Int64) -> Bool {
        guard let held = keys.withLock({ $0[key.digest] }), held.sees(asMuchAs: key) else { return false }
        return held.endsAt.map { $0 > now } ?? true
    }

    /// A checksum of all keys, so that people see whether two processes have the same.
    var checksum: String {
        let text = keys.withLock { $0.keys.sorted().joined() }
        return (try? crypto.digest(.sha256, Array(text.utf8))).map { String(Hex.encode($0).prefix(16)) } ?? ""
    }

    /// The key of an `Authorization` field; nil if it is unknown or has ended.
    func key(_ field: String?, at now: Int64) -> ServiceKey? {
        guard let field, field.utf8.count <= Self.bytesMax else { return nil }
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer",
            let digest = try? crypto.digest(.sha256, Array(words[1].utf8)),
            let key = keys.withLock({ $0[Hex.encode(digest)] })
        else { return nil }
        return key.endsAt.map { $0 > now } ?? true ? key : nil
    }
}
