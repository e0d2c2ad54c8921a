/// Why a reference led to no credential; never with anything that was read.
public struct SecretResolutionError: Error, Hashable, Sendable {
    /// What is wrong, as a clause: "it is not set".
    public let problem: String
    /// What to do, as a sentence.
    public let advice: String

    /// Makes a failure.
    public init(_ problem: String, _ advice: String) { (self.problem, self.advice) = (problem, advice) }
}
