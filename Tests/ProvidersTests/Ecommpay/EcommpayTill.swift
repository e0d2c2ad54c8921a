import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport

/// A shop in front of the simulated provider.
struct EcommpayTill: ProviderTill {
    let scheduler: TestScheduler
    let backend: EcommpaySimulator
    var configuration: EcommpayConfiguration
    var tools: ProviderDependencies
    var answers = QuestionHandlers()
    let journal = InMemoryJournal()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random: SeededRandom

    /// Another application on the same project of the provider's, with a journal of its own.
    init(sharing other: EcommpayTill) {
        (scheduler, backend, answers) = (other.scheduler, other.backend, other.answers)
        (configuration, tools, random) = (other.configuration, other.tools, other.random)
    }

    init(rules: EcommpaySimulator.Rules = EcommpaySimulator.Rules()) {
        scheduler = TestScheduler(now: 1_767_225_600_000)
        random = SeededRandom(seed: 1)
        backend = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto(), rules: rules)
        let origin = Origin(.http, "ecommpay.test")
        configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        configuration.isSoleUser = true
        configuration.secret = rules.secret
        configuration.customerIPAddress = "198.51.100.47"
        tools = ProviderDependencies(transport: InProcessTransport([origin: JudgedService(backend)]))
        tools.crypto = OpenSSLCrypto()
        answers.handle(ThreeDSecureChallenge.self) { _ in .init(result: Secret("ok")) }
        answers.handle(CascadeConsent.self) { _ in true }
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor, given.answers) = (scheduler, scheduler, answers)
        given.random = random
        return try PaymentClient(try EcommpayDriver(configuration, tools), given)
    }

    /// A sale of euros from a card, with a way to reach its holder.
    static func request(
        _ units: Int64 = 5_000, _ number: String = "5555555555554444", reference: String = "o"
    ) throws -> SaleRequest {
        let card = try KeyedCard(
            number: number, expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
        var request = SaleRequest(Money(minorUnits: units, .eur), from: .card(card), reference: reference)
        var contact = CustomerContact()
        contact.email = "john@example.org"
        request.contact = contact
        return request
    }

    func sell(_ units: Int64 = 5_000, _ number: String = "5555555555554444") throws -> PaymentResult {
        let request = try Self.request(units, number)
        return try play { try await $0.sale(request) }
    }
}
