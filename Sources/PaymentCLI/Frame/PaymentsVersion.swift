/// Which version this is; CHANGELOG.md begins with the same one.
enum PaymentsVersion {
    /// As it is written, by semantic versioning.
    static let text = "0.1.0-dev"
}
