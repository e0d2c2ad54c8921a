/// The package of a new provider: an adapter, its simulated provider, its harness and a program, complete and
/// compiling.
///
/// The wire is invented and as small as can be, so that every line is there to be replaced. `Examples/AcmeProvider` is
/// the package of the name `acme`; a test compares the two.
struct ProviderTemplate {
    /// One file of the package.
    struct File {
        let path: String
        let text: String

        /// A file whose imports are in order, whatever the provider is called.
        init(_ path: String, _ text: String) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let rest = lines.drop { $0.hasPrefix("import ") }
            self.path = path
            self.text = (lines[..<rest.startIndex].sorted() + rest).joined(separator: "\n")
        }
    }

    /// The name by which configurations and the command line know it, such as `north-pay`.
    let name: String
    /// Where the package of the payments lies, as seen from the new one, or as an absolute path.
    let payments: String
    /// The beginning of its types' names, such as `NorthPay`.
    let type: String
    /// Its name among static members, such as `northPay`.
    let member: String
    /// Its name for people, such as `North Pay`.
    let title: String

    /// The longest name.
    static let charactersMax = 24
    /// What a name must not be: a word of Swift, or one whose types would have the package's own names.
    static let taken: Set<String> = [
        "adjustment", "any", "array", "as", "authorization", "await", "bool", "break", "card-on-file", "case",
        "catch", "character", "class", "codable", "collection", "connection", "continue", "controllable", "default",
        "defer", "deinit", "details", "device", "dictionary", "do", "double", "else", "enum", "equatable", "error",
        "extension", "false", "for", "func", "guard", "hashable", "if", "import", "in", "init", "int", "internal",
        "is", "let", "list", "money", "never", "nil", "offline", "operator", "optional", "pricing", "private",
        "protocol", "public", "reader", "refund", "repeat", "rethrows", "return", "rows", "sale", "saved-instrument",
        "self", "sendable", "sequence", "session", "set", "settings", "simulated", "some", "static", "string",
        "struct", "subscript", "substring", "super", "switch", "throw", "throws", "tip-adjustment", "tokenization",
        "true", "try", "type", "typealias", "unlinked-refund", "var", "verification", "void", "webhook", "where",
        "while",
    ]

    /// Makes the package of a name; `adapters` are those that there are.
    init(_ name: String, payments: String, adapters: [String]) throws(UsageError) {
        let words = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let isWord: (String) -> Bool = { word in
            !word.isEmpty && word.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
        }
        guard name.utf8.count <= Self.charactersMax, words.allSatisfy(isWord), let first = name.utf8.first,
            (97...122).contains(first)
        else {
            throw UsageError(
                message: "\"\(name)\" is no name: 1 to \(Self.charactersMax) small letters, digits and single hyphens, "
                    + "beginning with a letter, like north-pay")
        }
        guard !adapters.contains(name) else {
            throw UsageError(message: "there is an adapter \(name) already; choose another name")
        }
        guard !Self.taken.contains(name), !name.hasPrefix("payment") else {
            throw UsageError(
                message: "\(name) is a word of Swift or of the payments package; choose another name, like my-\(name)")
        }
        let capitals = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        (self.name, self.payments) = (name, payments)
        (type, title) = (capitals.joined(), capitals.joined(separator: " "))
        member = (words.first ?? "") + capitals.dropFirst().joined()
    }

    /// A text as Swift reads it between quotation marks.
    static func quoted(_ text: String) -> String {
        let letters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\u{0}"..."\u{1F}", "\u{7F}": "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(scalar)
            }
        }
        return "\"\(letters.joined())\""
    }

    /// Every file, by its path within the package.
    var files: [File] {
        let (adapter, suite) = ("Sources/\(type)Provider", "Sources/\(type)Harnesses")
        return [
            File(".gitignore", ".build/\n"),
            File("Package.swift", manifest),
            File("README.md", readme),
            File("\(adapter)/\(type)Driver.swift", driver),
            File("\(adapter)/\(type)Entry.swift", entry),
            File("\(adapter)/\(type)Errors.swift", errors),
            File("\(adapter)/\(type)Mapping.swift", mapping),
            File("\(adapter)/\(type)Sale.swift", wire),
            File("Sources/\(type)Sandbox/Simulated\(type).swift", simulated),
            File("\(suite)/\(type)Harness.swift", harness),
            File("Sources/\(name)-payctl/Main.swift", program),
            File("Tests/\(type)Tests/\(type)Tests.swift", test),
        ]
    }
}

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
        swift run \#(name)-payctl sale 5.00 EUR --reference order-1
        swift run \#(name)-payctl sandbox --provider \#(name)
        ```

        The guide *Adding a provider* of the payments package goes through all of it.

        """#
    }
}

// The adapter's files. Whatever is here is in every new package: keep it short.

extension ProviderTemplate {
    var driver: String {
        #"""
        import PaymentProviderKit

        /// The adapter: a sale by typed card, and a lookup that proves what became of it.
        public struct \#(type)Driver: PaymentDriver {
            public let identity: ProviderIdentity
            public let capabilities: Capabilities
            /// How long a request may still arrive after it was sent, in milliseconds.
            public var quiet = ProviderSettingKey.quiet.default
            private let wire: JSONClient
            private let key: Secret

            /// Makes the driver of one merchant's account.
            public init(_ identity: ProviderIdentity, _ endpoint: Origin, key: Secret, _ transport: any HTTPTransport) {
                self.identity = identity
                self.key = key
                wire = JSONClient(transport, endpoint)
                var takes = Capabilities(sources: [.card], sendLimit: wire.sendLimitMilliseconds)
                takes.currencies = [.eur, .usd, .jpy]
                capabilities = takes
            }

            public var secrets: [Secret] { [key] }

            /// Made when it is needed, so that nothing that is kept can print the key.
            private var signed: HTTPHeaders { ["X-Api-Key": key.expose()] }

            /// ``lookup(_:_:)`` asks about sales alone: of another operation, absence would prove nothing.
            public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
                guard operation == .sale else { return nil }
                return LookupPlan(every: 1_000, giveUpAfter: quiet + 5_000, quiet: quiet)
            }

            public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
                let reply: JSONReply
                do {
                    reply = try await context.exchange { _ in
                        try await wire.send("GET", "/v1/sales/\(inquiry.attempt)", more: signed)
                    }
                } catch {
                    if error.provider?.code == "unknownOrder" { return .notFound(seesBack: nil) }
                    throw error
                }
                return .found(try \#(type)Mapping.verdict(reply.body, about: inquiry.attempt))
            }

            public func classify(_ error: any Error) -> RequestFailure {
                ErrorTable.\#(member).failure(error) { ($0?["error"]?.string ?? "", "") }
            }
        }

        extension \#(type)Driver: SaleDriver {
            public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
                guard case .card(let card) = request.source else {
                    throw PaymentError.notExecuted(.unsupported, "\#(title) takes typed cards only")
                }
                let body = \#(type)Mapping.body(request, card, context.attempt)
                let reply = try await context.exchange(.money) { _ in
                    try await wire.send("POST", "/v1/sales", body: body, more: signed)
                }
                return try \#(type)Mapping.verdict(reply.body, about: context.attempt)
            }
        }

        """#
    }

    var entry: String {
        #"""
        import PaymentProviderKit

        extension ProviderDefinition {
            /// How a configuration names \#(title) and what it has to say.
            public static let \#(member) = ProviderDefinition(
                adapter: "\#(name)", name: "\#(title)",
                environments: [
                    .\#(member)Simulated,
                    ProviderEnvironment("test", endpoint: Origin(.https, "test.\#(name).example")),
                ],
                merchant: "The merchant's number at \#(title).",
                settings: [ProviderSetting(.quiet)],
                credentials: [ProviderCredential(.apiKey)],
                errors: .\#(member)
            ) { settings, tools throws(PaymentError) in
                var driver = \#(type)Driver(
                    settings.identity, settings.endpoint, key: try settings[.apiKey], tools.transport)
                driver.quiet = try settings[.quiet]
                return driver
            }
            .withDeclineCodes(\#(type)Mapping.reasons)
        }

        extension ProviderSettingKey where Value == Int64 {
            static var quiet: Self {
                Self(
                    "quietMilliseconds", .milliseconds(1_000...60_000), default: 5_000,
                    "How long a request may still arrive after it was sent.")
            }
        }

        extension ProviderCredentialKey where Value == Secret {
            static var apiKey: Self { Self("apiKey", "The key of \#(title)'s back office.") }
        }

        extension ProviderEnvironment {
            /// The simulated provider: `payctl` runs it within itself, so that every command works without an account.
            fileprivate static var \#(member)Simulated: ProviderEnvironment {
                var simulated = simulated("\#(name)", merchant: "m-1")
                simulated.publish(.apiKey, "\#(name)-test-key")
                return simulated
            }
        }

        """#
    }

    var errors: String {
        #"""
        import PaymentProviderKit

        extension ErrorTable {
            /// What \#(title)'s refusals mean; whatever is not listed may have been executed.
            static let \#(member) = ErrorTable([
                Row("badKey", "access", .configuration, .refused, userAction: true, "the key is wrong"),
                Row("malformed", "request", .invalidRequest, .refused, "the request could not be read"),
                Row("unknownOrder", "request", .notFound, .refused, "nothing came under this order"),
                Row(
                    "busy", "service", .providerUnavailable, .refused, isRetryable: true, "busy for a moment, nothing was done"),
            ])
        }

        """#
    }

    var mapping: String {
        #"""
        import PaymentProviderKit

        /// Domain ⇄ wire, as pure functions.
        enum \#(type)Mapping {
            static func body(_ request: SaleRequest, _ card: KeyedCard, _ attempt: AttemptID) -> JSON {
                [
                    "order": .string(attempt.text), "minor": .number(JSONNumber(request.amount.minorUnits)),
                    "currency": .string(request.amount.currency.code),
                    "card": [
                        "number": .string(card.number.expose()),
                        "expiry": .string("\(card.expiryMonth)/\(card.expiryYear)"),
                    ],
                ]
            }

            /// What \#(title) said, as a verdict; a result that is in no table proves nothing.
            static func verdict(_ body: JSON?, about attempt: AttemptID) throws(PaymentError) -> Verdict {
                guard let sale = \#(type)Sale(body), sale.order == attempt.text else {
                    throw PaymentError.unknown(.unreadableReply, "The reply names no sale, or another one.")
                }
                let references: PaymentReferences = ["sale": sale.sale ?? ""]
                switch sale.result {
                case "paid":
                    guard let minor = sale.minor, let currency = sale.currency.flatMap({ Currency.known($0) }) else {
                        throw PaymentError.unknown(.unreadableReply, "the answer names no amount")
                    }
                    // An amount that no payment has is an answer that can't be read.
                    let amount = try Money(minorUnits: minor, currency).believable()
                    return .approved(Approval(amount, references: references))
                case "refused":
                    let reason = reasons[sale.why] ?? .unmapped
                    return .declined(Decline(reason, provider: ProviderMessage(code: sale.why, message: "")))
                default: throw PaymentError.unmapped(sale.result)
                }
            }

            /// What its words for refused cards mean.
            static let reasons: [String: Decline.Reason] = [
                "funds": .insufficientFunds, "lost": .lostCard, "expired": .expiredCard, "no": .doNotHonor,
            ]
        }

        """#
    }

    var wire: String {
        #"""
        import PaymentProviderKit

        /// What \#(title) answers about a sale; everything but the result may be missing.
        struct \#(type)Sale {
            let sale: String?
            let order: String?
            let minor: Int64?
            let currency: String?
            let result: String
            let why: String

            init?(_ body: JSON?) {
                guard let body, let result = body["result"]?.string else { return nil }
                self.result = result
                sale = body["sale"]?.string
                order = body["order"]?.string
                minor = body["minor"]?.int64
                currency = body["currency"]?.string
                why = body["why"]?.string ?? ""
            }
        }

        """#
    }
}
