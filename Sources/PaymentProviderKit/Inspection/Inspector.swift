/// Reads any message of a provider's wire, without sending anything and without a key.
///
/// What is unreadable, or says something that no table lists, is `unknown`; it never throws and never guesses.
public protocol Inspector: Sendable {
    /// What the message says; one inspection for each item of a message that has several, never none.
    func inspect(_ message: InspectedMessage) -> [Inspection]
}
