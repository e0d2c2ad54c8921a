/// Which target may import what; a new target is entered here in the same change.
enum ImportTable {
    /// What one target may import.
    struct Row: Sendable {
        /// Our own modules and the C libraries.
        var modules: Set<String>
        /// Modules of which only named declarations may be imported, as in `import protocol Module.Name`.
        var scoped: Set<String> = []
        /// Path prefixes of the files that may import the system's C library.
        var platformPaths: [String] = []
        /// Whether Foundation may be imported.
        var isFoundationAllowed = false
    }

    /// The system's C library under its own names, which one of our modules knows, and under that module's.
    static let platform: Set<String> = ["Glibc", "Musl", "Darwin", systemModule]
    /// The standard library, which is named only where something of it is marked as special.
    static let standardLibrary = "Swift"
    /// The one module that knows what the system's C library is called.
    static let systemModule = "PaymentSystem"
    /// Foundation under its names.
    static let foundation: Set<String> = ["Foundation", "FoundationEssentials", "FoundationNetworking"]
    /// Folders of Sources that hold C.
    static let cTargets: Set<String> = [
        "CCurl", "CMicroHTTP", "COpenSSL", "CLinux", "CSQLite", "CPostgres", "CXML",
    ]

    /// The targets of the folders of `Sources/PaymentAbstraction`.
    static let folders = [
        "Model": "PaymentModel", "Drivers": "PaymentDriverKit", "Journal": "PaymentJournalKit", "Core": "PaymentCore",
    ]

    private static let core: Set<String> = ["PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentTransport"]
    /// The client and its journal, for what stands around them.
    private static let engine: Set<String> = ["PaymentJournalKit", "PaymentCore"]
    /// What an author of an adapter works with.
    private static let forAuthors = core.union(["PaymentProviderKit", "PaymentMobileSDKs"])
    private static let adapters: Set<String> = [
        "ARISEProvider", "AdyenProvider", "EcommpayProvider", "HaloProvider", "MemoryProvider",
        "NetworkInternationalProvider",
    ]
    private static let everything = forAuthors.union(engine).union(adapters).union([
        "PaymentLinux", "PaymentURLSession", "PaymentSQLite", "PaymentPostgres", "PaymentSimulator",
        "PaymentConformance",
        "PaymentHarnesses", "PaymentSimulation", "PaymentTesting", "Payments", "AllProviders", "PaymentCLI",
        "PaymentHTTPServer", "PaymentService", "PaymentTelemetry",
    ])

    /// The rows, by target.
    static let rows: [String: Row] = fixed.merging(
        adapters.map { ($0, Row(modules: forAuthors.union(["PaymentCore"]))) }
    ) { row, _ in row }

    private static let fixed: [String: Row] = [
        systemModule: Row(modules: [], platformPaths: ["Sources/PaymentSystem/"]),
        "PaymentBase": Row(
            modules: [],
            platformPaths: [
                "Sources/PaymentBase/Concurrency/Locked.swift", "Sources/PaymentBase/Concurrency/DedicatedThread.swift",
                "Sources/PaymentBase/Concurrency/ThreadSignal.swift",
                "Sources/PaymentBase/Clock.swift", "Sources/PaymentBase/Files/RegularFile.swift",
                "Sources/PaymentBase/Secret.swift",
            ]),
        "PaymentModel": Row(modules: ["PaymentBase"]),
        "PaymentDriverKit": Row(modules: ["PaymentBase", "PaymentModel"]),
        "PaymentJournalKit": Row(modules: ["PaymentBase", "PaymentModel", "PaymentDriverKit"]),
        "PaymentCore": Row(modules: ["PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentJournalKit"]),
        "PaymentTransport": Row(modules: ["PaymentBase"]),
        "PaymentMobileSDKs": Row(modules: ["PaymentBase"]),
        "PaymentTelemetry": Row(modules: ["PaymentBase", "PaymentTransport"]),
        "PaymentURLSession": Row(modules: ["PaymentBase", "PaymentTransport"], isFoundationAllowed: true),
        "PaymentLinux": Row(
            modules: ["PaymentBase", "PaymentTransport", "CCurl", "COpenSSL", "CLinux"],
            platformPaths: ["Sources/PaymentLinux/"]),
        "PaymentSQLite": Row(
            modules: ["PaymentBase", "PaymentModel", "PaymentJournalKit", "CSQLite"],
            platformPaths: ["Sources/PaymentSQLite/"]),
        "PaymentPostgres": Row(
            modules: core.union(engine).union(["PaymentProviderKit", "Payments", "CPostgres"]),
            platformPaths: ["Sources/PaymentPostgres/Line/"]),
        "PaymentProviderKit": Row(modules: core.union(["PaymentMobileSDKs"])),
        "PaymentApple": Row(
            modules: forAuthors.union(["ProximityReader", "Security", "CryptoKit", "CommonCrypto"]),
            isFoundationAllowed: true),
        "PaymentTesting": Row(modules: core.union(["PaymentJournalKit"])),
        "PaymentHTTPServer": Row(
            modules: ["PaymentBase", "CMicroHTTP"], platformPaths: ["Sources/PaymentHTTPServer/"]),
        "PaymentService": Row(modules: core.union(engine).union(["PaymentHTTPServer"])),
        "PaymentSimulator": Row(
            modules: ["PaymentBase", "PaymentTransport", "PaymentMobileSDKs", "PaymentLinux", "COpenSSL", "CLinux"],
            scoped: ["PaymentModel"],
            platformPaths: ["Sources/PaymentSimulator/Socket/", "Sources/PaymentSimulator/State/"]),
        "PaymentConformance": Row(modules: core.union(engine).union(["PaymentTesting"])),
        "PaymentSimulation": Row(modules: core.union(engine).union(["PaymentTesting", "PaymentConformance"])),
        "PaymentHarnesses": Row(
            modules: forAuthors.union(engine).union(adapters).union([
                "PaymentConformance", "PaymentTesting", "PaymentSimulator", "PaymentLinux",
            ])),
        "Payments": Row(
            modules: forAuthors.union(engine).union([
                "PaymentLinux", "PaymentSQLite", "PaymentURLSession", "PaymentApple",
            ]),
            platformPaths: ["Sources/Payments/"]),
        "AllProviders": Row(modules: forAuthors.union(adapters).union(["Payments"])),
        "PaymentCLI": Row(modules: everything.union(["CXML"]), platformPaths: ["Sources/PaymentCLI/"]),
        "payctl": Row(modules: everything, platformPaths: ["Sources/payctl/"]),
    ]
}
