// swift-tools-version: 6.2
import PackageDescription

/// A till on a phone without its screens, which any system compiles; what joins the providers' SDKs to it lies in `Glue`.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "phone",
    products: [.library(name: "PhoneTill", targets: ["PhoneTill"])],
    dependencies: [.package(name: "payments", path: "../..")],
    targets: [
        .target(
            name: "PhoneTill", dependencies: [.product(name: "Payments", package: "payments")], swiftSettings: settings)
    ],
    swiftLanguageModes: [.v6]
)
