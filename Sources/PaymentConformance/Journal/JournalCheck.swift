public import PaymentAbstraction

/// One rule of the journal's contract, as a check that any store can be run through.
///
/// ```swift
/// @Test(arguments: JournalContract.all) func itKeepsTheContract(_ check: JournalCheck) async throws {
///     try await check.run(on: try MyJournal())
/// }
/// ```
public struct JournalCheck: Sendable, CustomStringConvertible {
    public let description: String
    private let body: @Sendable (JournalDesk) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (JournalDesk) async throws -> Void) {
        (description, self.body) = (name, body)
    }

    /// Runs the check on an empty store; throws what the store did wrong.
    public func run(on journal: any Journal) async throws { try await body(JournalDesk(journal)) }
}

func require(
    _ holds: Bool, _ words: @autoclosure () -> String, line: Int = #line, file: String = #fileID
) throws(JournalBreach) {
    if !holds { throw JournalBreach("\(file):\(line): \(words())") }
}

func requireSame<Value: Equatable>(
    _ found: Value, _ wanted: Value, _ words: String, line: Int = #line, file: String = #fileID
) throws(JournalBreach) {
    try require(found == wanted, "\(words): \(found) instead of \(wanted)", line: line, file: file)
}
