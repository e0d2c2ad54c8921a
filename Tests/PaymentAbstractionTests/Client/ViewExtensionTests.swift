import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import Testing

/// What an adapter extends the view of its provider with.
@Suite struct ViewExtensionTests {
    private struct Vault: StubDriver {
        static let name = "vault"
        let provider: Provider
        let capabilities = Capabilities(sources: [.card], sendLimit: 0)
        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }
        func classify(_ error: any Error) -> RequestFailure {
            RequestFailure(
                .invalidRequest, .refused, provider: ProviderMessage(code: "1", message: "no token \(error)"))
        }
    }

    private struct Echo: Error, CustomStringConvertible { let description: String }

    @Test func theAdapterIsFoundByItsKindAndItsDoorHidesWhatWentOut() async throws {
        let till = Till()
        let client = try till.client(over: Vault(provider: Provider { _, _, _ in [:] }))
        let view = try client.provider("vault")
        #expect(view.driver(as: Vault.self) != nil && view.driver(as: MemoryDriver.self) == nil)
        for (reads, isHidden) in [(view.queries, false), (view.queries.hiding([Secret("token-of-ours")]), true)] {
            let error = try till.play {
                do { try await reads.exchange { _ in throw Echo(description: "token-of-ours") } } catch {
                    return error as? PaymentError
                }
                return nil
            }
            #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
            #expect(error?.provider?.message.contains("token-of-ours") == !isHidden)
        }
    }
}
