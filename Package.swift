// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with; warnings are errors and memory safety is strict everywhere.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// The libraries, each with what it may import (a tidy test reads the sources and checks the same table).
let libraries: [(name: String, imports: [String])] = [
    ("PaymentBase", []),
    ("PaymentAbstraction", ["PaymentBase"]),
    ("PaymentTransport", ["PaymentBase"]),
    ("PaymentKits", ["PaymentBase"]),
    ("PaymentURLSession", ["PaymentBase", "PaymentTransport"]),
    ("PaymentLinux", ["PaymentBase", "PaymentTransport", "CCurl", "COpenSSL", "CLinux"]),
    ("PaymentJournal", ["PaymentBase", "PaymentAbstraction", "CSQLite"]),
    ("Providers", ["PaymentBase", "PaymentAbstraction", "PaymentTransport"]),
    (
        "PaymentSandbox",
        ["PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "COpenSSL", "CLinux"]
    ),
    ("PaymentConformance", ["PaymentBase", "PaymentAbstraction"]),
    (
        "PaymentHarnesses",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "Providers", "PaymentSandbox",
            "PaymentConformance",
        ]
    ),
    (
        "Payments",
        ["PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "PaymentJournal", "Providers"]
    ),
    (
        "PaymentCommand",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "Providers", "PaymentSandbox",
            "PaymentConformance",
            "PaymentHarnesses", "PaymentJournal", "Payments", "CXML",
        ]
    ),
]

/// Debian's C libraries, and the little C that Swift's view of the system lacks.
let cTargets: [Target] = [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CLinux"),
]

/// The programs: payctl, and those that measure and attack the libraries.
let programs: [(name: String, path: String, imports: [String])] = [
    ("payctl", "Sources/payctl", ["PaymentCommand"]),
    (
        "Benchmarks", "Benchmarks",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "PaymentURLSession",
            "PaymentSandbox", "PaymentJournal", "CCurl",
        ]
    ),
    ("fuzz-json", "Scripts/FuzzJSON", ["PaymentBase"]),
    ("doc-coverage", "Scripts/DocCoverage", ["PaymentBase"]),
    (
        "journal-child", "Tests/JournalChild",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentJournal", "Providers", "PaymentTestTill",
            "PaymentTestPipes",
        ]
    ),
]

/// What several test targets share.
let support: [(name: String, path: String, imports: [String])] = [
    (
        "PaymentTestTill", "Tests/PaymentTestTill",
        ["PaymentBase", "PaymentAbstraction", "PaymentTransport", "Providers", "PaymentSandbox"]
    ),
    ("PaymentTestPipes", "Tests/PaymentTestPipes", ["PaymentBase", "PaymentTransport"]),
    ("PaymentTestServers", "Tests/PaymentTestServers", ["COpenSSL", "CLinux", "PaymentBase", "PaymentTransport"]),
]

/// The test targets, which mirror the libraries folder by folder.
let tests: [(name: String, imports: [String])] = [
    ("PaymentBaseTests", ["PaymentBase", "fuzz-json"]),
    (
        "PaymentAbstractionTests",
        ["PaymentBase", "PaymentAbstraction", "PaymentTransport", "Providers", "PaymentSandbox", "PaymentTestTill"]
    ),
    (
        "PaymentJournalTests",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentJournal", "PaymentSandbox", "Providers",
            "PaymentTestTill", "PaymentTestPipes", "journal-child",
        ]
    ),
    ("PaymentTransportTests", ["PaymentBase", "PaymentTransport"]),
    ("PaymentKitsTests", ["PaymentBase", "PaymentKits"]),
    ("PaymentURLSessionTests", ["PaymentBase", "PaymentTransport", "PaymentURLSession", "PaymentTestServers"]),
    ("PaymentLinuxTests", ["PaymentBase", "PaymentTransport", "PaymentLinux", "PaymentTestServers"]),
    (
        "ProvidersTests",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "Providers", "PaymentSandbox",
            "PaymentTestTill",
        ]
    ),
    (
        "SnippetTests",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "Providers", "PaymentSandbox", "Payments",
            "PaymentTestTill",
        ]
    ),
    (
        "PaymentsTests",
        ["PaymentBase", "PaymentAbstraction", "PaymentTransport", "Providers", "PaymentSandbox", "Payments"]
    ),
    (
        "PaymentSandboxTests",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "Providers", "PaymentSandbox",
            "PaymentTestTill", "PaymentTestServers",
        ]
    ),
    (
        "PaymentCommandTests",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "Providers", "PaymentSandbox",
            "PaymentConformance", "PaymentHarnesses", "Payments", "PaymentCommand", "payctl",
        ]
    ),
    (
        "PaymentConformanceTests",
        [
            "PaymentBase", "PaymentAbstraction", "PaymentTransport", "PaymentLinux", "Providers", "PaymentSandbox",
            "PaymentConformance",
            "PaymentHarnesses", "PaymentCommand", "CXML",
        ]
    ),
    ("TidyTests", []),
]

let package = Package(
    name: "payments",
    products: libraries.map { .library(name: $0.name, targets: [$0.name]) },
    targets: cTargets
        + libraries.map { library in
            .target(
                name: library.name, dependencies: library.imports.map { .init(stringLiteral: $0) },
                swiftSettings: settings)
        }
        + support.map { support in
            .target(
                name: support.name, dependencies: support.imports.map { .init(stringLiteral: $0) }, path: support.path,
                swiftSettings: settings)
        }
        + programs.map { program in
            .executableTarget(
                name: program.name, dependencies: program.imports.map { .init(stringLiteral: $0) }, path: program.path,
                swiftSettings: settings)
        }
        + tests.map { test in
            .testTarget(
                name: test.name, dependencies: test.imports.map { .init(stringLiteral: $0) },
                swiftSettings: settings)
        },
    swiftLanguageModes: [.v6]
)
