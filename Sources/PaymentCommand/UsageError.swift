/// A command line that can't be understood.
struct UsageError: Error {
    let message: String
}
