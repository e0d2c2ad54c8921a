/// Which attempt the running task works for, as whatever watches the line wants to know.
///
/// The client sets it around a driver's work; a transport that records or observes reads it. No decision about money
/// may hang on it.
public enum CurrentAttempt {
    /// The attempt's id; nil outside of any.
    @TaskLocal public static var id: String?
}
