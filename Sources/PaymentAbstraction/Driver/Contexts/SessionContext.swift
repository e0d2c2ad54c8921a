internal import PaymentBase

/// What a driver may use while it gets an access.
public struct SessionContext: Sendable {
    let services: Services

    /// Milliseconds since 1970.
    public var now: Int64 { services.clock.now }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await services.installed() }
}

extension Services {
    func installed() async throws(PaymentError) -> Installation {
        do { return try await installation.installation(executor) } catch {
            throw PaymentError.notExecuted(
                .configuration, "the installation's names could not be read or kept; check the store that was given")
        }
    }
}
