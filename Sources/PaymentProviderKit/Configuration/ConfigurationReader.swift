public import PaymentAbstraction
internal import PaymentBase

/// Reads `providers.json`; an error lists everything that is wrong with the file, each with its place.
///
/// The file is strict JSON; members whose names begin with `$` or `//` are passed over, so that it can carry comments:
///
/// ```json
/// {
///   "active": "till",                     who takes what no route takes
///   "draining": ["old"],                  who takes nothing new and serves what it took
///   "providers": {
///     "till": {                           a name of your choice; it is recorded with every payment
///       "adapter": "memory",              one of the registry's
///       "environment": "sandbox",         one of the entry's
///       "endpoint": "https://host:8443",  only when it isn't the environment's own
///       "merchant": "m-1",
///       "currencies": ["EUR"],            all when left out
///       "settings": {},                   what the entry describes
///       "credentials": { "secret": "env:TILL_SECRET" }
///     }
///   },
///   "routes": [                           the first that matches wins; what is left out matches everything
///     { "currency": "EUR", "least": "10.00", "most": "500.00", "source": "reader", "label": "fuel",
///       "providers": ["till"] }
///   ],
///   "journal": { "kind": "sqlite", "path": "payments.sqlite" },
///   "deadlineMilliseconds": 180000
/// }
/// ```
///
/// `active`, `providers`, `journal` and, of a provider, `adapter`, `environment` and `merchant` must be there.
public struct ConfigurationReader: Sendable {
    /// The largest file.
    public static let bytesMax = 1_024 * 1_024
    /// What a file to start from has where only the merchant knows the value; a file with it is not read.
    public static let placeholder = "REPLACE-ME"

    private let registry: ProviderRegistry

    /// Makes a reader that knows the adapters of a registry.
    public init(_ registry: ProviderRegistry) { self.registry = registry }

    /// Reads the bytes of a file.
    ///
    /// - Throws: `configuration`, nothing moved; a line of its detail for each problem, at most 20, with file, line,
    ///   column, the member's path, what was found, what was expected, and what to do. Values that stand where a
    ///   credential belongs are never in it.
    public func read(_ bytes: [UInt8], file: String) throws(PaymentError) -> PaymentConfiguration {
        try registry.check()
        var problems = ConfigurationProblems(file: file, bytes)
        let root: ConfigurationNode
        var path = ""
        do { root = try ConfigurationNode.read(bytes, bytesMax: Self.bytesMax, path: &path) } catch {
            problems.add(error, path, bytesMax: Self.bytesMax)
            throw problems.error
        }
        var scan = ConfigurationScan(registry: registry, problems: problems)
        let configuration = scan.configuration(root)
        guard let configuration, scan.problems.isEmpty else { throw scan.problems.error }
        return configuration
    }
}
