// What makes a package of the files, and what a reader needs to know about them.

extension ProviderTemplate {
    var manifest: String {
        #"""
        // swift-tools-version: 6.2
        import PackageDescription

        /// \#(title) for the payments package: its adapter, its simulated provider, its harness.
        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]

        func payments(_ names: String...) -> [Target.Dependency] {
            names.map { .product(name: $0, package: "payments") }
        }

        let package = Package(
            name: "\#(name)-provider",
            products: [.library(name: "\#(type)Provider", targets: ["\#(type)Provider"])],
            dependencies: [.package(name: "payments", path: \#(Self.quoted(payments)))],
            targets: [
                .target(
                    name: "\#(type)Provider",
                    dependencies: payments("PaymentProviderKit"),
                    swiftSettings: settings),
                .target(
                    name: "\#(type)Sandbox", dependencies: payments("PaymentSimulator"),
                    swiftSettings: settings),
                .target(
                    name: "\#(type)Harnesses",
                    dependencies: ["\#(type)Provider", "\#(type)Sandbox"]
                        + payments("PaymentConformance", "PaymentProviderKit"),
                    swiftSettings: settings),
                .executableTarget(
                    name: "\#(name)-payctl",
                    dependencies: ["\#(type)Provider", "\#(type)Sandbox", "\#(type)Harnesses"]
                        + payments("PaymentCLI", "PaymentSimulator"),
                    swiftSettings: settings),
                .testTarget(
                    name: "\#(type)Tests", dependencies: ["\#(type)Harnesses"] + payments("PaymentConformance"),
                    swiftSettings: settings),
            ])

        """#
    }

    var readme: String {
        #"""
        # \#(title)

        An adapter for the payments package, written by `payctl new-provider`. It compiles, takes typed cards on an invented
        wire, and reaches level `core` of the suite. Everything in it is there to be replaced by what \#(title)'s
        documents say, one file at a time, with the suite green in between.

        | what | where | replace |
        |---|---|---|
        | the simulated provider | `\#(type)Sandbox/Simulated\#(type).swift` | first, from the documents alone: paths, members, answers; money only through the ledger |
        | the wire | `\#(type)Provider/\#(type)Sale.swift` | one file per message, named as the documents name it |
        | the mapping | `\#(type)Provider/\#(type)Mapping.swift` | amounts, results, reasons for refusals |
        | the error table | `\#(type)Provider/\#(type)Errors.swift` | every code, and what it proves about the money |
        | the driver | `\#(type)Provider/\#(type)Driver.swift` | one protocol more for each thing that \#(title) can do |
        | the entry | `\#(type)Provider/\#(type)Entry.swift` | environments, settings, credentials |
        | the harness | `\#(type)Harnesses/\#(type)Harness.swift` | which card or amount brings what about; what you admit |

        ```sh
        swift test
        swift run \#(name)-payctl conformance \#(name) --level core
        swift run \#(name)-payctl init --provider \#(name)
        swift run \#(name)-payctl sale 5.00 EUR
        swift run \#(name)-payctl sandbox --provider \#(name)
        ```

        The guide *Adding a provider* of the payments package goes through all of it.

        """#
    }
}
