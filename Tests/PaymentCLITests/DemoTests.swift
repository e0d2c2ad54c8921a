import Testing

/// The day that newcomers see first, over real sockets.
@Suite struct DemoTests {
    /// In a process of its own: its clock runs at many times the machine's speed, and other tests would take its time limits.
    @Test func theDayEndsWithBooksThatAgreeAtEveryProvider() throws {
        let run = try SandboxProcess.plain(["demo"])
        #expect(run.code == 0, "\(run.output) \(run.words)")
        let text = run.output.split(separator: "\n")
        let books = text.filter { $0.hasPrefix("Books of ") }
        #expect(books.count >= 4)
        #expect(books.allSatisfy { $0.hasSuffix("they agree.") })
        #expect(text.contains { $0.hasSuffix("0 attempts are open.") })
        // The last provider's till gives money back at every other provider.
        #expect(text.count { $0.contains("refund by ") } == books.count)
    }
}
