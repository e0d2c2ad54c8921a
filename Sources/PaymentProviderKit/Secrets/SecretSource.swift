public import PaymentAbstraction
public import PaymentBase

/// A credential that is fetched whenever an adapter needs it, such as a token that somebody else renews.
public struct SecretSource: Sendable {
    private let name: String
    private let fetch: @Sendable () async throws -> Secret

    /// Makes a source of a function; the name stands in errors.
    public init(_ name: String, _ fetch: @escaping @Sendable () async throws -> Secret) {
        (self.name, self.fetch) = (name, fetch)
    }

    /// A fresh value.
    ///
    /// - Throws: `authentication`, nothing moved, when there is none now; `network` when an address was out of reach.
    public func secret() async throws(PaymentError) -> Secret {
        let secret: Secret
        do { secret = try await fetch() } catch let error as PaymentError where error.outcome == .notExecuted {
            throw error
        } catch {
            let reason = (error as? SecretResolutionError).map { "\($0.problem). \($0.advice)" } ?? "\(type(of: error))"
            let isCancelled = error is CancellationError
            throw PaymentError.notExecuted(
                isCancelled ? .cancelled : .authentication, "no token came from \(name): \(reason)")
        }
        guard !secret.isEmpty else {
            throw PaymentError.notExecuted(.authentication, "the token that came from \(name) is empty")
        }
        return secret
    }
}
