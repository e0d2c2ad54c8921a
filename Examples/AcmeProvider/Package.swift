// swift-tools-version: 6.2
import PackageDescription

/// A provider that the payments package has never heard of: its adapter, its simulated provider, its harness.
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
    dependencies: [.package(name: "payments", path: "../..")],
    targets: [
        .target(
            name: "Acme",
            dependencies: payments("PaymentProviderKit"),
            swiftSettings: settings),
        .target(
            name: "AcmeSandbox", dependencies: payments("PaymentProviderKit", "PaymentSandbox"),
            swiftSettings: settings),
        .executableTarget(
            name: "acme-payctl",
            dependencies: ["Acme", "AcmeSandbox"]
                + payments(
                    "PaymentProviderKit", "PaymentSandbox", "PaymentConformance", "PaymentCommand", "PaymentsBuiltin"),
            swiftSettings: settings),
    ])
