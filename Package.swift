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
]

/// The test targets, which mirror the libraries folder by folder.
let tests: [(name: String, imports: [String])] = [
    ("PaymentBaseTests", ["PaymentBase"]),
    ("PaymentAbstractionTests", ["PaymentAbstraction", "PaymentBase"]),
    ("TidyTests", []),
]

let package = Package(
    name: "payments",
    products: libraries.map { .library(name: $0.name, targets: [$0.name]) },
    targets: libraries.map { library in
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
