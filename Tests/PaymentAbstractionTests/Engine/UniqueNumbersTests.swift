import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

/// A driver whose messages need numbers, and whose exchanges carry a key.
private struct Numbered: StubDriver, SaleDriver {
    static let name = "numbered"
    let provider: Provider
    let effect: RequestEffect
    let capabilities = Capabilities(sources: [.token], sendLimit: 0)

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        let sent = try await context.exchange(effect) { _ in
            let number = String(try await context.number())
            _ = try await provider.send("pay", ["number": number])
            return number
        }
        return .approved(Approval(request.amount, references: ["number": sent]))
    }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        .cannotTell("It can't be seen now.")
    }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        LookupPlan(every: 1_000, giveUpAfter: 0)
    }
}

@Suite struct UniqueNumbersTests {
    private func sell(_ till: Till, _ driver: Numbered, _ reference: String = "o") throws -> Result<Bool, PaymentError>
    {
        let client = try till.client(over: driver)
        let error = till.failure {
            _ = try await client.sale(.cents(100), from: .token(Secret("t")), reference: reference)
        }
        return error.map { .failure($0) } ?? .success(true)
    }

    @Test func everyTryGetsANumberOfItsOwnAlsoAfterARestart() throws {
        let till = Till()
        let numbers = Locked([String]())
        let provider = Provider { _, message, before in
            numbers.withLock { $0.append(message["number"] ?? "") }
            if before == 0 { throw NotDelivered() }
            return [:]
        }
        _ = try sell(till, Numbered(provider: provider, effect: .money), "a").get()
        _ = try sell(till, Numbered(provider: provider, effect: .money), "b").get()
        let drawn = numbers.withLock { $0 }
        #expect(drawn.count == 3)
        #expect(Set(drawn).count == 3)
    }

    @Test func request_inDoubt_isRepeatedOnlyWithIdempotencyKey() throws {
        for (effect, calls) in [(RequestEffect.money, 1), (.idempotent, 2)] {
            let provider = Provider { _, _, before in
                if before == 0 { throw Lost() }
                return [:]
            }
            let result = try sell(Till(), Numbered(provider: provider, effect: effect))
            #expect(provider.paths.count == calls)
            #expect((try? result.get()) == (effect == .idempotent ? true : nil))
        }
    }

    /// The first may have arrived, the second was not let in: only the third says what became of the first.
    @Test func aRefusalOfOneTryDoesNotEndTheTriesOfAKey() throws {
        let provider = Provider { _, _, before in
            if before == 0 { throw Lost() }
            if before == 1 { throw PaymentError(.authentication, outcome: .notExecuted) }
            return [:]
        }
        #expect(try sell(Till(), Numbered(provider: provider, effect: .idempotent)).get())
        #expect(provider.paths.count == 3)
    }

    @Test func aKeyThatIsRefusedAfterADoubtLeavesTheDoubt() throws {
        let provider = Provider { _, _, before in
            if before == 0 { throw Lost() }
            throw PaymentError(.conflict, outcome: .notExecuted)
        }
        let result = try sell(Till(), Numbered(provider: provider, effect: .idempotent))
        #expect(throws: PaymentError(.conflict, outcome: .unknown)) { try result.get() }
    }
}
