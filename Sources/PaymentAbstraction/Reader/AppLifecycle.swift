/// What happened to the application around the reader.
public enum AppLifecycle: String, Hashable, Sendable { case becameActive, enteredBackground }
