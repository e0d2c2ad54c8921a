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
    ("PaymentURLSession", ["PaymentBase", "PaymentTransport"]),
    ("PaymentLinux", ["PaymentBase", "PaymentTransport", "CCurl", "COpenSSL", "CLinux"]),
]

/// Debian's C libraries, and the little C that Swift's view of the system lacks.
let cTargets: [Target] = [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(name: "CLinux"),
]

/// What several test targets share.
let testSupport: [Target] = [
    .target(
        name: "PaymentTestServers", dependencies: ["COpenSSL", "CLinux", "PaymentBase", "PaymentTransport"],
        path: "Tests/PaymentTestServers", swiftSettings: settings)
]

/// The test targets, which mirror the libraries folder by folder.
let tests: [(name: String, imports: [String])] = [
    ("PaymentBaseTests", ["PaymentBase"]),
    ("PaymentTransportTests", ["PaymentBase", "PaymentTransport"]),
    ("PaymentURLSessionTests", ["PaymentBase", "PaymentTransport", "PaymentURLSession", "PaymentTestServers"]),
    ("PaymentLinuxTests", ["PaymentBase", "PaymentTransport", "PaymentLinux", "PaymentTestServers"]),
]

let package = Package(
    name: "payments",
    products: libraries.map { .library(name: $0.name, targets: [$0.name]) },
    targets: cTargets + testSupport
        + libraries.map { library in
            .target(
                name: library.name, dependencies: library.imports.map { .init(stringLiteral: $0) },
                swiftSettings: settings)
        }
        + tests.map { test in
            .testTarget(
                name: test.name, dependencies: test.imports.map { .init(stringLiteral: $0) },
                swiftSettings: settings)
        },
    swiftLanguageModes: [.v6]
)
