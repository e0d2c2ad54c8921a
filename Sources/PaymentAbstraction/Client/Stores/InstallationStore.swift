/// Where the installation's names are kept.
public protocol InstallationStore: Sendable {
    /// The names, when they were made before.
    func load() async throws -> Installation?
    /// Keeps them.
    func save(_ installation: Installation) async throws
}
