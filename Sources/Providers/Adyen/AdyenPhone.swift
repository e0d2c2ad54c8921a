public import PaymentBase

/// The kit on a phone that takes cards; an application hands it to the driver, and it runs what the kit would run.
///
/// ```swift
/// struct Phone: AdyenPhone {
///     let kit: PaymentService
///     func setupToken() async throws -> Secret { … }
///     func installationID() async throws -> String { try kit.installationId }
///     func begin(_ sdkData: Secret) async throws { … }
///     func warmUp() async throws { try await kit.warmUp() }
///     func perform(_ request: [UInt8], on interface: AdyenInterface, successMilliseconds: Int64?, logo: [UInt8]?)
///         async throws -> [UInt8] { … }
/// }
/// ```
public protocol AdyenPhone: Sendable {
    /// What the kit gives for a new session.
    func setupToken() async throws -> Secret
    /// The phone's name, which stands where a terminal's would; throws as long as there was no session.
    func installationID() async throws -> String
    /// Hands the session's data to the kit.
    func begin(_ sdkData: Secret) async throws
    /// Gets the reader ready.
    func warmUp() async throws
    /// Runs a Terminal API request, a payment or a reversal, and gives the answer's bytes.
    ///
    /// - Throws: ``AdyenPhoneFailure`` with the kit's own code.
    func perform(
        _ request: [UInt8], on interface: AdyenInterface, successMilliseconds: Int64?, logo: [UInt8]?
    ) async throws -> [UInt8]
    /// What waits on the phone to be forwarded, and until when more may be taken, in milliseconds since 1970.
    func stored() async throws -> (count: Int, openUntil: Int64?)
    /// Forwards what waits; says how many went.
    func forward() async throws -> Int
}
