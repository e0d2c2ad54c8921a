import PaymentJournal
import PaymentTestPipes
import Testing

/// The lock of background settlement between processes.
@Suite struct SettlingTests {
    @Test func anotherProcessSettlesOnlyWhenTheFirstHasReleasedOrDied() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file()
        func said(_ child: Child) throws -> String? {
            guard case .done(let text) = try child.channel.receive() else { return nil }
            return text
        }
        let first = try Child("journal-child", ["settling", path])
        #expect(try said(first) == "taken")
        #expect(!FileSettlementLock(besideJournal: path).acquire())
        let second = try Child("journal-child", ["settling", path])
        #expect(try said(second) == "refused")
        try second.channel.send(.proceed)
        #expect(try said(second) == "released")
        second.wait()
        // The one that was refused has released nothing of the first one's.
        #expect(!FileSettlementLock(besideJournal: path).acquire())
        #expect(first.kill() == .signalled(9))
        #expect(FileSettlementLock(besideJournal: path).acquire())
    }
}
