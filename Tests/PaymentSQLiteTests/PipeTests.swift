import Foundation
import PaymentBase
import Testing

@testable import PaymentSQLite

/// A pipe that lies beside a journal, such as one of a backup, stops no program.
@Suite struct PipeTests {
    @Test func mark_thatIsAPipe_isNone_andIsReadAtOnce() throws {
        let folder = try Folder()
        #expect(unsafe mkfifo(HighWaterMarkFile.path(folder.file()), 0o600) == 0)
        #expect(HighWaterMarkFile.read(folder.file()) == nil)
    }
}
