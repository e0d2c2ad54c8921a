/// What the exit status of a command tells.
enum ExitStatus: Int32, Sendable {
    case fine = 0
    /// The payment or the check failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
    /// The outcome is unknown.
    case unknown = 3
}
