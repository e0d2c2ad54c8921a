import PaymentBase
import PaymentCommand
import Testing

/// The day that newcomers see first, over real sockets.
@Suite struct DemoTests {
    @Test func theDayEndsWithBooksThatAgreeAtEveryProvider() async throws {
        let lines = Locked([String]())
        let console = Console(out: { line in lines.withLock { $0.append(line) } }, error: { _ in })
        let status = await PaymentCommand.main(["demo"], console: console)
        let text = lines.withLock { $0 }
        #expect(status == 0, "\(text.joined(separator: "\n"))")
        let books = text.filter { $0.hasPrefix("Books of ") }
        #expect(books.count >= 4)
        #expect(books.allSatisfy { $0.hasSuffix("they agree.") })
        #expect(text.contains { $0.hasSuffix("0 attempts are open.") })
        // The last provider's till gives money back at every other provider.
        #expect(text.count { $0.contains("refund by ") } == books.count)
    }
}
