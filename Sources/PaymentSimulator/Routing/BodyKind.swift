/// What kind of body a route takes; anything else is answered with 415, an unreadable one with 400.
public enum BodyKind: Hashable, Sendable, CaseIterable {
    /// The body is not looked at.
    case any
    /// JSON, which has to be there.
    case json
    /// A form, as browsers send it.
    case form

    /// Whether a `Content-Type` fits.
    func accepts(_ contentType: String?) -> Bool {
        let given = contentType?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } ?? ""
        return switch self {
        case .any: true
        case .json: given == "application/json" || given.hasPrefix("application/") && given.hasSuffix("+json")
        case .form: given == "application/x-www-form-urlencoded"
        }
    }
}
