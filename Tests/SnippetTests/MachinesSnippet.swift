import AllProviders
import PaymentPostgres
import Payments

/// What `Running-many-machines` shows; it needs a server, which `PaymentPostgresTests` have.
enum MachinesSnippet {
    static func open() async throws -> PaymentClient {
        let payments = try await PaymentClient.open(configuration: "providers.json") { $0.journals = [.postgres] }
        return payments
    }
}
