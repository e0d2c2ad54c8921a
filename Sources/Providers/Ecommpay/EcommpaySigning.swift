internal import PaymentBase
internal import PaymentTransport

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
    static func text(_ parameters: JSON, _ order: Order = .natural) -> String {
        let leaves = EcommpayLeaves(parameters)
        return leaves.text(leaves.sorted(order))
    }

    /// The texts of a message in all orders, each once; nearly always there is one.
    static func texts(_ message: JSON) -> [String] {
        let leaves = EcommpayLeaves(message)
        let natural = leaves.sorted(.natural)
        var texts = [leaves.text(natural)]
        // What stands in an order already has the same text in it.
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

    /// The parts of messages that name the project, and then carry the signature too.
    static let parts = ["general", "customer"]

    /// The signature that a message carries, at its top or in one of its parts.
    static func given(in message: JSON) -> String? {
        message[member]?.string ?? parts.lazy.compactMap { message[$0]?[member]?.string }.first
    }

    /// Whether a message carries a signature that fits one of the orders.
    static func isGenuine(_ message: JSON, _ secret: Secret, _ crypto: any Crypto) -> Bool {
        guard let given = given(in: message) else { return false }
        return fits(given, message, secret, crypto)
    }

    /// Whether a signature fits a message in one of the orders; all are tried, so that time tells nothing of the
    /// signature.
    static func fits(_ given: String, _ message: JSON, _ secret: Secret, _ crypto: any Crypto) -> Bool {
        guard !secret.isEmpty else { return false }
        return texts(message).reduce(false) { isGenuine, text in
            guard let due = try? signature(text, secret, crypto) else { return isGenuine }
            return crypto.equal(Array(given.utf8), Array(due.utf8)) || isGenuine
        }
    }

    /// Whether the text of a message could be another message's too: a key or a text has the mark in it that stands
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
