/// What happened to the application around the reader.
public enum AppLifecycle: String, Hashable, Sendable {
    /// The application came to the front.
    case becameActive
    /// The application left the front.
    case enteredBackground
}
