internal import PaymentAbstraction
internal import PaymentLinux

/// The errors of the file stores, in words.
enum StoreFailure {
    static func error(_ what: String, _ path: String, _ failure: FileFailure) -> PaymentError {
        let advice: String
        switch failure {
        case .exposed: advice = "Run chmod go= on it, and take what it held for known to others"
        case .notRegular: advice = "Remove what stands there"
        case .missing: advice = "Make the folder that it belongs into"
        case .foreign: advice = "Make it this user's own, or name another place"
        case .openFolder(let folder): advice = "Run chmod go-w \(folder), or name a place where nobody else may write"
        case .forbidden, .tooLarge, .failed: advice = "Check the path that was given to the store"
        }
        return PaymentError.notExecuted(
            .configuration, "\(what) can't be kept in \(path): \(failure.problem). \(advice).")
    }

    static func unreadable(_ what: String, _ path: String) -> PaymentError {
        PaymentError.notExecuted(
            .configuration, "\(what) in \(path) can't be understood. Restore the file, or remove it to begin anew.")
    }
}
