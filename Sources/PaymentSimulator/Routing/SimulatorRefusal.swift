/// What a provider refuses before or beside its own rules; each provider says it with a body of its own.
public enum SimulatorRefusal: Hashable, Sendable {
    /// The request could not be read.
    case malformed
    /// There is nothing under this path.
    case unknownPath
    /// The path is known, but not under this method.
    case wrongMethod
    /// The body is of a kind that this path doesn't take.
    case wrongMediaType
    /// A header field is missing.
    case missingHeader(String)
    /// The access was refused before anything was done.
    case accessRefused
    /// Too many requests; nothing was done.
    case rateLimited
    /// Something broke; the status is 500, 502, 503 or 504, and the answer does not tell whether anything was done.
    case broken(status: Int)

    /// The status that goes with it.
    public var status: Int {
        switch self {
        case .malformed, .missingHeader: 400
        case .accessRefused: 401
        case .unknownPath: 404
        case .wrongMethod: 405
        case .wrongMediaType: 415
        case .rateLimited: 429
        case .broken(let status): status
        }
    }
}
