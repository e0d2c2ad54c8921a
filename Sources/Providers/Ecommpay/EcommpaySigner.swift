/// What an application gives to the adapter of ecommpay when its own server holds the secret.
///
/// It is handed over among the toolbox's delegates, under the name of the configured provider; on a phone the value that
/// is the vendor's kit may be this, too. The server may check
/// and supplement the parameters of a session; what it must not change is the amount, the currency and the names.
public protocol EcommpaySigner: Sendable {
    /// Signs a set of parameters.
    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters
}
