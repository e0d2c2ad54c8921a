package import PaymentModel

/// What is kept with an attempt and is no content: a repeat may bring other notes, and those of the first request stay.
package struct AttemptNotes: Hashable, Sendable {
    /// Who asked, in the application's own words.
    package var requestedBy: String?
    /// The name of the reader that it is to use.
    package var reader: String?
    /// Whether no other reader may take it.
    package var staysAtReader = false
    /// How much an operation may return to the customer: what is left when it begins may be more than when it was allowed.
    package var returnedMost: Money?
    /// What the application keeps with it.
    package var metadata: [String: String] = [:]

    /// Nothing.
    package init() {}

    /// Those of an intent.
    package init(_ intent: Attempt.Intent) {
        (requestedBy, reader, metadata) = (intent.requestedBy, intent.reader, intent.metadata)
    }
}

extension PaymentClient {
    /// The same client, which keeps notes with the attempts that it begins.
    package func keeping(_ notes: AttemptNotes) -> PaymentClient {
        var client = self
        client.notes = notes
        return client
    }
}
