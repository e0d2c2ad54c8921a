package import PaymentModel

// A proven message about a payment that was pruned may say that its money went back. The journal can't count it any more, and
// the client that takes the message may have no subscriber. One mark for each name stays, kept like a message whose name is
// not known yet, under a name that no provider gives. Like those it goes when the journal is pruned of its time.

extension Notice {
    private static let prunedPrefix = "message of a pruned payment: "

    /// The mark that a message about a pruned payment leaves.
    ///
    /// - Parameter name: What the message calls the payment, by which the journal knows that it was pruned.
    package static func ofPruned(_ name: String, at account: ProviderIdentity) -> Notice {
        var text = prunedPrefix + name
        while text.utf8.count > Attempt.Name.bytesMax { text.removeLast() }
        return Notice(text, account, .name(text), [], nil, at: nil)
    }

    /// What the message called the payment; nil for every message that says something.
    package var prunedName: String? {
        guard case .name(let name) = subject, verdict == nil, name.hasPrefix(Self.prunedPrefix) else { return nil }
        return String(name.dropFirst(Self.prunedPrefix.count))
    }
}
