// The adapter's files. Whatever stands here stands in every new package: keep it short.

extension ProviderTemplate {
    var driver: String {
        #"""
        import PaymentAbstraction
        import PaymentBase
        import PaymentProviderKit
        import PaymentTransport

        /// The adapter: a sale by typed card, and a lookup that proves what became of it.
        public struct \#(type)Driver: PaymentDriver {
            public let identity: ProviderIdentity
            public let capabilities: Capabilities
            /// How long a request may still arrive after it was sent, in milliseconds.
            public var quietTime = ProviderSettingKey.quiet.default
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

            public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
                LookupPlan(
                    everyMilliseconds: 1_000, giveUpAfterMilliseconds: quietTime + 5_000, quietTime: quietTime)
            }

            public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
                let reply: JSONReply
                do {
                    reply = try await context.exchange { _ in
                        try await wire.send("GET", "/v1/sales/\(inquiry.attempt)", more: signed)
                    }
                } catch {
                    if error.code == .notFound { return .notFound(seesBack: nil) }
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
        import PaymentAbstraction
        import PaymentBase
        import PaymentProviderKit
        import PaymentTransport

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
            static var quietTime: Self {
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
        import PaymentAbstraction

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
        import PaymentAbstraction
        import PaymentBase
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
                    throw PaymentError.unknown(.unreadableReply, "the answer is about no sale of ours")
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
        import PaymentBase

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
