package import PaymentAbstraction
internal import PaymentBase

extension PostgresJournal {
    /// Takes a journal as it is that was restored or copied, after a person has compared it with the provider: it begins
    /// attempts again, and numbers go on in a new generation, far from those that may have been drawn since.
    ///
    /// - Parameter anyway: Whether it is done also where nothing shows that it was restored: a server that was set back
    ///   to an earlier moment from a copy of its files is the same server.
    /// - Returns: Whether it was done.
    /// - Throws: `journal`, nothing moved: why it can't be.
    @discardableResult
    package static func acceptRestored(_ options: Options, anyway: Bool = false) async throws(PaymentError) -> Bool {
        let now = SystemClock().now
        return try await onThread(options) { opening throws(PostgresOpenError) in
            do {
                let line = try opening.link.connect()
                try opening.examineSchema(line)
                let server = try line.serverNumber()
                let rows = try line.exchange([
                    PostgresCall(.begin), PostgresCall(.number), try RestoreCheck.call(line),
                ])
                let (number, fitness) = (rows[1].integer(0, 0), RestoreCheck(rows[2]))
                if fitness.refusal == .moved { throw PostgresOpenError.moved }
                guard let next = JournalNumbers.next(after: number) else { throw PostgresOpenError.noNumbers }
                guard anyway || fitness.refusal != nil else {
                    _ = try line.exchange([PostgresCall(.rollback)])
                    return false
                }
                _ = try line.exchange([
                    PostgresCall(.accept, [.integer(next), .integer(now), .integer(server)]), PostgresCall(.commit),
                ])
                return true
            } catch let failure as PostgresOpenError { throw failure } catch let failure as PostgresFailure {
                throw .unreachable(failure.words)
            } catch { throw .unreachable("\(type(of: error))") }
        }
    }
}
