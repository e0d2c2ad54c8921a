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

    /// The system's C library under its own names, which one module of ours knows, and under that module's.
    static let platform: Set<String> = ["Glibc", "Musl", "Darwin", systemModule]
    /// The standard library, which is named only where something of it is marked as special.
    static let standardLibrary = "Swift"
    /// The one module that knows what the system's C library is called.
    static let systemModule = "PaymentSystem"
    /// Foundation under its names.
    static let foundation: Set<String> = ["Foundation", "FoundationEssentials", "FoundationNetworking"]
    /// Folders of Sources that hold C.
    static let cTargets: Set<String> = ["CCurl", "COpenSSL", "CLinux", "CSQLite", "CPostgres", "CXML"]

    private static let core: Set<String> = ["PaymentBase", "PaymentAbstraction", "PaymentTransport"]
    /// What an author of an adapter works with.
    private static let forAuthors = core.union(["PaymentProviderKit", "PaymentKits"])
    private static let adapters: Set<String> = [
        "ARISEProvider", "AdyenProvider", "EcommpayProvider", "HaloProvider", "MemoryProvider",
        "NetworkInternationalProvider",
    ]
    private static let everything = forAuthors.union(adapters).union([
        "PaymentLinux", "PaymentURLSession", "PaymentJournal", "PaymentPostgres", "PaymentSandbox",
        "PaymentConformance",
        "PaymentHarnesses", "PaymentSimulation", "PaymentTesting", "Payments", "PaymentsBuiltin", "PaymentCommand",
    ])

    /// The rows, by target.
    static let rows: [String: Row] = fixed.merging(adapters.map { ($0, Row(modules: forAuthors)) }) { row, _ in row }

    private static let fixed: [String: Row] = [
        systemModule: Row(modules: [], platformPaths: ["Sources/PaymentSystem/"]),
        "PaymentBase": Row(
            modules: [],
            platformPaths: [
                "Sources/PaymentBase/Concurrency/Locked.swift", "Sources/PaymentBase/Concurrency/DedicatedThread.swift",
                "Sources/PaymentBase/Concurrency/ThreadSignal.swift",
                "Sources/PaymentBase/Time/SystemClock.swift", "Sources/PaymentBase/Secrets/WipedMemory.swift",
            ]),
        "PaymentAbstraction": Row(modules: ["PaymentBase"]),
        "PaymentTransport": Row(modules: ["PaymentBase"]),
        "PaymentKits": Row(modules: ["PaymentBase"]),
        "PaymentURLSession": Row(modules: ["PaymentBase", "PaymentTransport"], isFoundationAllowed: true),
        "PaymentLinux": Row(
            modules: ["PaymentBase", "PaymentTransport", "CCurl", "COpenSSL", "CLinux"],
            platformPaths: ["Sources/PaymentLinux/"]),
        "PaymentJournal": Row(
            modules: ["PaymentBase", "PaymentAbstraction", "CSQLite"],
            platformPaths: ["Sources/PaymentJournal/"]),
        "PaymentPostgres": Row(
            modules: ["PaymentBase", "PaymentAbstraction", "PaymentProviderKit", "Payments", "CPostgres"],
            platformPaths: ["Sources/PaymentPostgres/Line/", "Sources/PaymentPostgres/Changes/"]),
        "PaymentProviderKit": Row(modules: core.union(["PaymentKits"])),
        "PaymentApple": Row(
            modules: forAuthors.union(["ProximityReader", "Security", "CryptoKit", "CommonCrypto"]),
            isFoundationAllowed: true),
        "PaymentTesting": Row(modules: core),
        "PaymentSandbox": Row(
            modules: ["PaymentBase", "PaymentTransport", "PaymentKits", "PaymentLinux", "COpenSSL", "CLinux"],
            scoped: ["PaymentAbstraction"],
            platformPaths: ["Sources/PaymentSandbox/Socket/", "Sources/PaymentSandbox/State/"]),
        "PaymentConformance": Row(modules: core.union(["PaymentTesting"])),
        "PaymentSimulation": Row(modules: core.union(["PaymentTesting", "PaymentConformance"])),
        "PaymentHarnesses": Row(
            modules: forAuthors.union(adapters).union([
                "PaymentConformance", "PaymentTesting", "PaymentSandbox", "PaymentLinux",
            ])),
        "Payments": Row(
            modules: forAuthors.union(["PaymentLinux", "PaymentJournal"]), platformPaths: ["Sources/Payments/"]),
        "PaymentsBuiltin": Row(modules: forAuthors.union(adapters).union(["Payments"])),
        "PaymentCommand": Row(modules: everything.union(["CXML"]), platformPaths: ["Sources/PaymentCommand/"]),
        "payctl": Row(modules: everything, platformPaths: ["Sources/payctl/"]),
    ]
}
