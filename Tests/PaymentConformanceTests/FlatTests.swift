import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSimulator
import PaymentTesting
import Testing

/// What a request costs a simulated provider does not depend on how many payments it has: counted in items that it looks
/// at, not in time.
@Suite struct FlatTests {
    private static let attempt = "flat-attempt"
    private static let reference = "flat-order"

    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    func aRequestLooksAtAsManyItemsAfterTwentyThousandPayments(_ name: String) throws {
        let few = try Self.visits(name, earlier: 10)
        let (some, many) = (try Self.visits(name, earlier: 1_000), try Self.visits(name, earlier: 20_000))
        // Where a driver looks up in a list, a page of it is looked at; ten payments do not fill one.
        #expect(some == many)
        #expect(few.filter { $0.name != "status" } == many.filter { $0.name != "status" })
        #expect(few.map(\.name) == ["sale", "status", "refund"] && few.allSatisfy { $0.count > 0 })
    }

    private struct Visits: Equatable, Sendable {
        let name: String
        let count: Int
    }

    /// How many items are looked at by a sale, one whose answer is lost and looked up, and a refund.
    private static func visits(_ name: String, earlier: Int) throws -> [Visits] {
        let harness = try #require(HarnessRegistry.builtin[name])
        let found = Locked([Visits]())
        let problem = Locked("")
        let check = Check("flat.\(name)", "No request looks at all payments.", .sale) { context in
            @Sendable func counted(_ name: String, _ body: @Sendable () async throws -> Void) async throws {
                let counter = Locked(0)
                try await StoreVisits.$counter.withValue(counter) { try await body() }
                found.withLock { $0.append(Visits(name: name, count: counter.withLock { $0 })) }
            }
            do {
                _ = try await context.sale(reference: reference, attempt: try AttemptID(attempt))
                try fill(context, earlier)
                // What was there before lies an hour back.
                try await context.scheduler.sleep(until: context.scheduler.now + 3_600_000)
                let sold = try AttemptID("flat-counted")
                let scripted = try context.scripted()
                let request = SaleRequest(scripted.amount, from: scripted.source, reference: "counted")
                try await counted("sale") { _ = try await context.client.sale(request, attempt: sold) }
                guard let payment = try await context.client.status(sold).payment else { return }
                let fault = InjectedFault.sandbox.first { $0.id == "reply.lost" }
                if let fault { context.fixture.arm(fault, after: 0) }
                let doubtful = try context.scripted()
                let again = SaleRequest(doubtful.amount, from: doubtful.source, reference: "doubtful")
                try await counted("status") { _ = try? await context.client.sale(again) }
                _ = context.fixture.trigger(.settled)
                try await counted("refund") { _ = try await context.client.refund(payment.id) }
            } catch {
                problem.withLock { $0 = "\(error)" }
            }
        }
        _ = ConformanceRunner(harness).run(check)
        #expect(problem.withLock { $0 }.isEmpty, "\(problem.withLock { $0 })")
        return found.withLock { $0 }
    }

    /// Gives the provider as many payments as are wanted, each like the one that it has, under names of its own.
    private static func fill(_ context: CheckContext, _ count: Int) throws {
        let provider = try #require((context.fixture as? any SimulatorFixture)?.notifying as? any StatefulProvider)
        guard var state = provider.snapshot().object else { throw CheckFailure("there is no snapshot") }
        var names: Set<String> = [attempt, reference]
        for member in ["payments", "transactions", "orders", "records"] {
            if let name = state[member]?[0]?.object?.members.first?.value.string { names.insert(name) }
        }
        for (key, value) in state.members.map({ ($0.key, $0.value) }) where key != "terminals" && key != "messages" {
            if let items = value.array, let last = items.last, renamed(last, names, 0) != last {
                state[key] = .array(items + (0..<count).map { renamed(last, names, $0) })
            } else if var object = value.object, let last = object.members.last {
                guard names.contains(last.key) || renamed(last.value, names, 0) != last.value else { continue }
                for number in 0..<count { object["\(last.key)-\(number)"] = renamed(last.value, names, number) }
                state[key] = .object(object)
            }
        }
        guard provider.restore(.object(state)) else { throw CheckFailure("the copies can't be read") }
    }

    private static func renamed(_ json: JSON, _ names: Set<String>, _ number: Int) -> JSON {
        switch json {
        case .string(let text): names.contains(text) ? .string("\(text)-\(number)") : json
        case .array(let items): .array(items.map { renamed($0, names, number) })
        case .object(let object):
            .object(
                object.members.reduce(into: JSONObject()) { copy, member in
                    copy[member.key] = renamed(member.value, names, number)
                })
        case .null, .bool, .number: json
        }
    }
}
