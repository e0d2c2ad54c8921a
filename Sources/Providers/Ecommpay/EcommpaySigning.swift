internal import PaymentProviderKit

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
