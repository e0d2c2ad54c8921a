// swift-tools-version: 6.2
import PackageDescription

/// Acme for the payments package: its adapter, its simulated provider, its harness.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func payments(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "payments") }
}

let package = Package(
    name: "acme-provider",
    products: [.library(name: "AcmeProvider", targets: ["AcmeProvider"])],
    dependencies: [.package(name: "payments", path: "../..")],
    targets: [
        .target(
            name: "AcmeProvider",
            dependencies: payments("PaymentProviderKit"),
            swiftSettings: settings),
        .target(
            name: "AcmeSandbox", dependencies: payments("PaymentSimulator"),
            swiftSettings: settings),
        .target(
            name: "AcmeHarnesses",
            dependencies: ["AcmeProvider", "AcmeSandbox"]
                + payments("PaymentConformance", "PaymentProviderKit"),
            swiftSettings: settings),
        .executableTarget(
            name: "acme-payctl",
            dependencies: ["AcmeProvider", "AcmeSandbox", "AcmeHarnesses"]
                + payments("PaymentCLI", "PaymentSimulator"),
            swiftSettings: settings),
        .testTarget(
            name: "AcmeTests", dependencies: ["AcmeHarnesses"] + payments("PaymentConformance"),
            swiftSettings: settings),
    ])
