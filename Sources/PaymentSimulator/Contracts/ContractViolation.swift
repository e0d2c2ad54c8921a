/// A message that is not as a published description has it.
public struct ContractViolation: Hashable, Sendable, CustomStringConvertible {
    /// Who said it.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        /// The application's side, in a request.
        case client
        /// The simulated provider, in an answer or a message of its own.
        case provider
    }

    /// The provider whose interface it is.
    public let provider: String
    /// Who said it.
    public let side: Side
    /// The message, as the tables name it, or the call.
    public let message: String
    /// The member, with dots between the steps and `[]` for the items of a list; empty for the message itself.
    public let member: String
    /// What is broken.
    public let rule: String

    public var description: String {
        let who = side == .client ? "sent to" : "said by"
        return "\(message) \(who) \(provider): \(member.isEmpty ? "" : member + " ")\(rule)"
    }
}
