// swift-tools-version: 6.2
import PackageDescription

/// What each of our targets is compiled with; warnings are errors and memory safety is strict everywhere.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// One library: where it lies, and what it may import (a tidy test reads the sources and checks the same table).
struct Library {
    let name: String
    var path: String?
    let imports: [String]
    /// What lies in its folder and is not its source.
    var apart: [String] = []
    /// Which of its imports it needs on Apple's systems alone.
    var appleOnly: Set<String> = []
}

/// What knows no provider and no machine.
let core = ["PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentTransport"]
/// The client and its journal, for what stands around them.
let engine = ["PaymentJournalKit", "PaymentCore"]
/// What `Payments` hands on: a target that imports it is built again only if these are named, too.
let handedOn = ["PaymentBase", "PaymentModel", "PaymentCore"]
/// What an author of an adapter works with.
let forAuthors = core + ["PaymentProviderKit", "PaymentMobileSDKs"]
/// The adapters, by the folder that each lies in.
let adapters = ["ARISE", "Adyen", "Ecommpay", "Halo", "Memory", "NetworkInternational"]
/// What our own adapters get: an author's modules, and the client, to which an adapter adds what its provider alone has.
let forAdapters = forAuthors + ["PaymentCore"]
/// The adapters' modules.
let adapterTargets = adapters.map { $0 + "Provider" }

let libraries: [Library] = [
    Library(name: "PaymentSystem", imports: []),
    Library(name: "PaymentBase", imports: ["PaymentSystem"]),
    Library(name: "PaymentModel", path: "Sources/PaymentAbstraction/Model", imports: ["PaymentBase"]),
    Library(
        name: "PaymentDriverKit", path: "Sources/PaymentAbstraction/Drivers", imports: ["PaymentBase", "PaymentModel"]),
    Library(
        name: "PaymentJournalKit", path: "Sources/PaymentAbstraction/Journal",
        imports: ["PaymentBase", "PaymentModel", "PaymentDriverKit"]),
    Library(
        name: "PaymentCore", path: "Sources/PaymentAbstraction/Core",
        imports: ["PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentJournalKit"]),
    Library(name: "PaymentTransport", imports: ["PaymentBase"]),
    Library(name: "PaymentURLSession", imports: ["PaymentBase", "PaymentTransport"]),
    Library(name: "PaymentTelemetry", imports: ["PaymentBase", "PaymentTransport"]),
    Library(
        name: "PaymentLinux",
        imports: ["PaymentBase", "PaymentSystem", "PaymentTransport", "CCurl", "COpenSSL", "CLinux"]),
    Library(
        name: "PaymentSQLite",
        imports: ["PaymentBase", "PaymentSystem", "PaymentModel", "PaymentJournalKit", "CSQLite"]),
    Library(
        name: "PaymentPostgres",
        imports: core + engine + ["PaymentSystem", "PaymentProviderKit", "Payments", "CPostgres"]),
    Library(
        name: "PaymentProviderKit", imports: core + ["PaymentMobileSDKs"]),
    Library(name: "PaymentMobileSDKs", imports: ["PaymentBase"]),
    Library(name: "PaymentApple", imports: forAuthors),
    Library(name: "PaymentTesting", imports: ["PaymentBase", "PaymentModel", "PaymentJournalKit"]),
    Library(name: "PaymentHTTPServer", imports: ["PaymentBase", "PaymentSystem", "CMicroHTTP"]),
    Library(name: "PaymentService", imports: core + engine + ["PaymentHTTPServer"]),
    Library(
        name: "PaymentSimulator",
        imports: ["PaymentBase", "PaymentModel", "PaymentTransport"]
            + ["PaymentSystem", "PaymentMobileSDKs", "PaymentLinux", "COpenSSL", "CLinux"]),
    Library(name: "PaymentConformance", imports: core + engine + ["PaymentTesting"]),
    Library(name: "PaymentSimulation", imports: core + engine + ["PaymentTesting", "PaymentConformance"]),
    Library(
        name: "PaymentHarnesses",
        imports: forAuthors + engine + adapterTargets
            + ["PaymentLinux", "PaymentSimulator", "PaymentConformance", "PaymentTesting"]),
    Library(
        name: "Payments",
        imports: [
            "PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentJournalKit", "PaymentCore", "PaymentSystem",
            "PaymentTransport", "PaymentLinux", "PaymentSQLite", "PaymentProviderKit", "PaymentURLSession",
            "PaymentApple",
        ], appleOnly: ["PaymentURLSession", "PaymentApple"]),
    Library(
        name: "AllProviders",
        imports: ["PaymentDriverKit", "PaymentProviderKit", "Payments"] + handedOn + adapterTargets),
    Library(
        name: "PaymentCLI",
        imports: forAuthors + engine + adapterTargets + [
            "PaymentSystem", "PaymentLinux", "PaymentSimulator", "PaymentConformance", "PaymentHarnesses",
            "PaymentSQLite", "PaymentPostgres", "Payments", "AllProviders", "PaymentTesting", "PaymentHTTPServer",
            "PaymentService", "PaymentTelemetry", "CXML",
        ]),
]

/// What others can link, by audience; the rest are targets. An adapter is a product of its own.
let products: [(name: String, targets: [String])] = [
    // Applications.
    ("Payments", ["Payments", "PaymentCore", "PaymentModel", "PaymentBase"]),
    ("AllProviders", ["AllProviders"]),
    ("PaymentURLSession", ["PaymentURLSession", "PaymentTransport"]),
    ("PaymentTelemetry", ["PaymentTelemetry", "PaymentTransport"]),
    ("PaymentPostgres", ["PaymentPostgres"]),
    ("PaymentApple", ["PaymentApple"]),
    // Authors of adapters and of journals.
    ("PaymentProviderKit", forAuthors),
    ("PaymentMobileSDKs", ["PaymentMobileSDKs"]),
    ("PaymentConformance", ["PaymentConformance", "PaymentHarnesses", "PaymentSimulation", "PaymentTesting"]),
    // Testers, and authors who extend the command line.
    ("PaymentSimulator", ["PaymentSimulator", "PaymentTransport"]),
    ("PaymentCLI", ["PaymentCLI"]),
]

/// Debian's C libraries, and the little C that Swift's view of the system lacks.
let cTargets: [Target] = [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CMicroHTTP", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
    .target(name: "CPrograms", path: "Tests/CPrograms"),
    .target(name: "CCountedMemory", path: "Tests/CCountedMemory"),
]

/// The programs: payctl, and those that measure and attack the libraries.
let programs: [Library] = [
    Library(name: "payctl", path: "Sources/payctl", imports: ["PaymentCLI"]),
    Library(
        name: "Benchmarks", path: "Benchmarks",
        imports: core + engine + [
            "PaymentLinux", "PaymentURLSession", "PaymentSimulator", "PaymentSQLite", "PaymentPostgres",
            "PaymentProviderKit", "PaymentTestPostgres", "PaymentConformance", "PaymentHarnesses", "PaymentTesting",
            "PaymentTestPrograms", "AdyenProvider", "CCurl",
        ], apart: ["counts.json", "peers"]),
    Library(
        name: "simulate", path: "Scripts/Simulation",
        imports: [
            "PaymentBase", "PaymentModel", "PaymentJournalKit", "PaymentCore", "PaymentCLI", "PaymentConformance",
            "PaymentHarnesses",
            "PaymentSimulation", "PaymentTesting", "PaymentPostgres", "PaymentProviderKit", "PaymentTestPostgres",
        ]),
    Library(name: "doc-coverage", path: "Scripts/DocCoverage", imports: ["PaymentBase"]),
    Library(name: "interface-listing", path: "Scripts/InterfaceListing", imports: ["PaymentBase"]),
    Library(
        name: "journal-child", path: "Tests/JournalChild",
        imports: forAuthors + engine + [
            "PaymentSQLite", "PaymentPostgres", "PaymentConformance", "MemoryProvider", "PaymentSimulator",
            "PaymentTesting", "PaymentTestJournal", "PaymentTestPipes",
        ]),
]

/// What measures how the cost of each reader of bytes from outside grows with its input; `Scripts/growth` runs it.
let growth = Library(
    name: "growth", path: "Tests/Growth",
    imports: forAuthors + engine + adapterTargets + [
        "PaymentLinux", "PaymentSimulator", "PaymentConformance", "AllProviders", "PaymentCLI", "PaymentTestPrograms",
        "CCountedMemory",
    ])

/// What attacks the readers of bytes from outside: tests that play what is kept, and a program for `Scripts/fuzz`, which
/// builds it into a folder of its own.
let isFuzzing = Context.environment["PAYMENTS_FUZZ"] != nil
let fuzz = Library(
    name: isFuzzing ? "fuzz" : "FuzzTests", path: "Tests/FuzzTests",
    imports: forAuthors + engine + adapterTargets
        + [
            "PaymentLinux", "PaymentSimulator", "PaymentSQLite", "AllProviders", "PaymentCLI", "PaymentHTTPServer",
            "PaymentService", "PaymentTesting", "COpenSSL",
        ])

/// Debian's C libraries and what is made of them, which only Linux is asked for; SQLite is everywhere.
let onLinuxAlone: Set<String> = ["CCurl", "CMicroHTTP", "COpenSSL", "CLinux", "CPostgres", "CXML", "PaymentLinux"]

/// What a target depends on, as the manifest wants it.
func dependencies(_ names: [String], appleOnly: Set<String> = []) -> [Target.Dependency] {
    names.map { name in
        if onLinuxAlone.contains(name) { return .target(name: name, condition: .when(platforms: [.linux])) }
        if appleOnly.contains(name) { return .target(name: name, condition: .when(platforms: [.iOS, .macOS])) }
        return .init(stringLiteral: name)
    }
}

/// What several test targets share.
let support: [Library] = [
    Library(
        name: "PaymentTestTill", path: "Tests/PaymentTestTill",
        imports: forAuthors + engine + ["MemoryProvider", "PaymentSimulator", "PaymentTesting"]),
    Library(
        name: "PaymentTestJournal", path: "Tests/PaymentTestJournal",
        imports: [
            "PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentJournalKit", "PaymentTransport",
            "PaymentConformance", "PaymentTesting", "PaymentTestPipes",
        ]),
    Library(name: "PaymentTestPostgres", path: "Tests/PaymentTestPostgres", imports: ["PaymentBase"]),
    Library(name: "PhoneTill", path: "Examples/Phone/Sources/PhoneTill", imports: ["Payments"] + handedOn),
    Library(
        name: "TillDisplay", path: "Examples/Till/Sources/TillDisplay",
        imports: ["Payments", "PaymentSimulator", "PhoneTill"] + handedOn),
    Library(name: "PaymentTestPipes", path: "Tests/PaymentTestPipes", imports: ["PaymentBase", "PaymentTransport"]),
    Library(name: "PaymentTestPrograms", path: "Tests/PaymentTestPrograms", imports: ["CPrograms", "PaymentBase"]),
    Library(
        name: "PaymentTestServers", path: "Tests/PaymentTestServers",
        imports: ["COpenSSL", "CLinux", "PaymentBase", "PaymentTransport"]),
]

/// What most test targets work with: the core, the adapters, and the simulated providers.
let testers = forAuthors + engine + adapterTargets + ["PaymentSimulator", "PaymentTesting"]

/// The test targets, which mirror the libraries folder by folder.
let tests: [Library] = [
    Library(name: "PaymentBaseTests", imports: ["PaymentBase"]),
    Library(name: "PaymentMobileSDKsTests", imports: ["PaymentBase", "PaymentMobileSDKs"]),
    Library(name: "PaymentAppleTests", imports: forAuthors + ["PaymentApple", "PaymentLinux"]),
    Library(name: "PaymentTestingTests", imports: ["PaymentBase", "PaymentTesting"]),
    Library(
        name: "JournalRuleTests",
        imports: ["PaymentBase", "PaymentModel", "PaymentDriverKit"] + engine),
    Library(name: "ModelTests", imports: ["PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentJournalKit"]),
    Library(name: "PaymentAbstractionTests", imports: testers + ["PaymentTestTill"]),
    Library(
        name: "AttemptTests",
        imports: [
            "PaymentBase", "PaymentModel", "PaymentDriverKit", "PaymentJournalKit", "PaymentCore", "PaymentSQLite",
            "PaymentTesting", "PaymentTestTill", "CFaultyDisk",
        ]),
    Library(
        name: "FindingTests",
        imports: testers + [
            "PaymentSQLite", "PaymentLinux", "Payments", "AllProviders", "PaymentCLI", "PaymentConformance",
            "PaymentHarnesses", "PaymentTestTill",
        ], apart: ["open.txt"]),
    Library(
        name: "PaymentSQLiteTests",
        imports: core + engine + [
            "PaymentSQLite", "PaymentConformance", "PaymentHarnesses", "PaymentTesting", "PaymentTestJournal",
            "PaymentTestPipes", "journal-child",
        ]),
    Library(
        name: "PaymentPostgresTests",
        imports: forAuthors + engine + [
            "PaymentPostgres", "PaymentSQLite", "PaymentConformance", "PaymentTesting", "PaymentTestJournal",
            "PaymentTestPipes", "PaymentTestPostgres", "PaymentTestPrograms", "PaymentHarnesses", "PaymentSimulation",
            "PaymentCLI", "CPostgres", "journal-child", "payctl",
        ]),
    Library(name: "PaymentTransportTests", imports: ["PaymentBase", "PaymentTransport", "PaymentTesting"]),
    Library(
        name: "PaymentURLSessionTests",
        imports: ["PaymentBase", "PaymentTransport", "PaymentURLSession", "PaymentTestServers"]),
    Library(
        name: "PaymentTelemetryTests",
        imports: testers + [
            "PaymentTelemetry", "PaymentLinux", "PaymentHTTPServer", "PaymentTestTill", "PaymentTestPrograms",
        ]),
    Library(
        name: "PaymentLinuxTests",
        imports: ["PaymentBase", "PaymentTransport", "PaymentLinux", "PaymentTestServers", "COpenSSL"]),
    Library(
        name: "PaymentHTTPServerTests",
        imports: ["PaymentBase", "PaymentHTTPServer", "PaymentTestServers"]),
    Library(
        name: "PaymentServiceTests",
        imports: core + engine + [
            "PaymentHTTPServer", "PaymentService", "PaymentLinux", "PaymentSQLite", "PaymentSimulator",
            "PaymentTesting", "PaymentTestTill", "MemoryProvider", "PaymentConformance", "PaymentHarnesses",
        ]),
    Library(name: "PaymentProviderKitTests", imports: testers + ["AllProviders", "PaymentTestTill"]),
    Library(name: "ProvidersTests", imports: testers + ["PaymentLinux", "PaymentTestTill", "PhoneTill"]),
    Library(
        name: "SnippetTests",
        imports: testers + [
            "Payments", "PaymentPostgres", "AllProviders", "PaymentConformance", "PaymentHarnesses",
            "PaymentTestTill", "PhoneTill", "TillDisplay", "PaymentTelemetry",
        ]),
    Library(
        name: "PaymentsTests", imports: testers + ["Payments", "AllProviders", "PaymentSQLite", "PaymentTestTill"]),
    Library(
        name: "PaymentSimulatorTests", imports: testers + ["PaymentLinux", "PaymentTestTill", "PaymentTestServers"]),
    Library(
        name: "PaymentCLITests",
        imports: testers + [
            "PaymentLinux", "PaymentConformance", "PaymentHarnesses", "Payments", "AllProviders", "PaymentCLI",
            "PaymentSimulation", "PaymentTestTill", "PaymentTestServers", "PaymentTestPrograms", "PaymentService",
            "PaymentHTTPServer", "PaymentSQLite", "PaymentTestPostgres", "payctl",
        ]),
    Library(
        name: "PaymentConformanceTests",
        imports: testers + [
            "PaymentLinux", "PaymentConformance", "PaymentHarnesses", "AllProviders", "PaymentCLI", "CXML",
        ]),
    Library(
        name: "PaymentSimulationTests",
        imports: testers + ["PaymentConformance", "PaymentHarnesses", "PaymentSimulation"]),
    Library(
        name: "FailingCallTests",
        imports: ["PaymentBase", "PaymentTransport", "PaymentLinux", "PaymentTestPrograms", "payctl"],
        apart: ["failing.c"]),
    Library(name: "GrowthTests", imports: ["PaymentBase", "PaymentTestPrograms", "growth"]),
    Library(name: "TidyTests", imports: ["PaymentBase", "PaymentTestPrograms", "interface-listing"]),
]

/// The test targets that a script asks for, named with commas between them; all, where none is named.
let named = Context.environment["PAYMENTS_TESTS"]?.split(separator: ",").map { String($0) }
let wanted = tests.filter { named?.contains($0.name) ?? true }

let package = Package(
    name: "payments",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: products.map { .library(name: $0.name, targets: $0.targets) }
        + adapterTargets.map { .library(name: $0, targets: [$0]) },
    targets: cTargets
        + libraries.map { library in
            .target(
                name: library.name, dependencies: dependencies(library.imports, appleOnly: library.appleOnly),
                path: library.path, swiftSettings: settings)
        }
        // An adapter sees what an outsider sees: nothing that is shared within this package alone.
        + adapters.map { adapter in
            .target(
                name: adapter + "Provider", dependencies: dependencies(forAdapters),
                path: "Sources/Providers/" + adapter, packageAccess: false, swiftSettings: settings)
        }
        + support.map { support in
            .target(
                name: support.name, dependencies: dependencies(support.imports), path: support.path,
                swiftSettings: settings)
        }
        + (programs + [growth]).map { program in
            .executableTarget(
                name: program.name, dependencies: dependencies(program.imports), path: program.path,
                exclude: program.apart, swiftSettings: settings)
        }
        + wanted.map { test in
            .testTarget(
                name: test.name, dependencies: dependencies(test.imports), exclude: test.apart,
                swiftSettings: settings)
        }
        + (named == nil ? [fuzz] : []).map { fuzz in
            let needed = dependencies(fuzz.imports)
            let apart = ["Corpora", "Crashes", isFuzzing ? "FuzzTests.swift" : "Fuzz.swift"]
            return isFuzzing
                ? .executableTarget(
                    name: fuzz.name, dependencies: needed, path: fuzz.path, exclude: apart,
                    swiftSettings: settings)
                : .testTarget(
                    name: fuzz.name, dependencies: needed, path: fuzz.path, exclude: apart,
                    swiftSettings: settings)
        },
    swiftLanguageModes: [.v6]
)
