// swift-tools-version: 6.2
import PackageDescription

/// A shop: a till on the command line, and a server that keeps the journal and hears the providers' news.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func payments(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "payments") }
}

let package = Package(
    name: "shop",
    dependencies: [.package(name: "payments", path: "../..")],
    targets: [
        .executableTarget(
            name: "till",
            dependencies: payments("Payments", "AllProviders", "PaymentSimulator"),
            swiftSettings: settings),
        .executableTarget(
            name: "books",
            dependencies: payments("Payments", "AllProviders", "PaymentSimulator"),
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
