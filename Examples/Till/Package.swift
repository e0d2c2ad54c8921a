// swift-tools-version: 6.2
import PackageDescription

/// A till's screen in a terminal, over the till of `Examples/Phone` and simulated providers.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func payments(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "payments") }
}

let package = Package(
    name: "till",
    dependencies: [.package(name: "payments", path: "../.."), .package(name: "phone", path: "../Phone")],
    targets: [
        .target(
            name: "TillDisplay",
            dependencies: payments("Payments", "PaymentSimulator") + [.product(name: "PhoneTill", package: "phone")],
            swiftSettings: settings),
        .executableTarget(
            name: "till-screen", dependencies: ["TillDisplay"] + payments("AllProviders"), swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
