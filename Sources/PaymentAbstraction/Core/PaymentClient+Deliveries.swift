internal import PaymentBase
package import PaymentJournalKit
package import PaymentModel

extension PaymentClient {
    /// Changes the messages to receivers outside, in one transaction of the journal.
    package func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(PaymentError) -> Value {
        try await services.reading(nil) { journal throws(JournalFailure) in try await journal.changeDeliveries(body) }
    }

    /// What time it is for the journal, in milliseconds since 1970: one clock for all processes that share it.
    package func journalTime() async throws(PaymentError) -> Int64 {
        try await services.time(nil).wall
    }
}
