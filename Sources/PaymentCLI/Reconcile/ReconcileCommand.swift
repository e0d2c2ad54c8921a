internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentProviderKit

extension Command {
    /// Compares the journal with the provider's own books.
    static let reconcile = Command(
        name: "reconcile",
        summary: "compares the journal with a provider's list or its report, and says what differs and what to do",
        example: "payctl reconcile till --from 2026-11-01 --to 2026-11-30 --file settlement_detail_report_batch_4.csv",
        takes: AcceptedArguments(
            operands: ["PROVIDER"],
            options: AcceptedArguments.Option.configured + [
                .value("from", "DAY", "the first day, as 2026-11-01, in UTC"),
                .value("to", "DAY", "the last day, as 2026-11-30, in UTC"),
                .value("file", "FILE", "a report of the provider's; without one the provider is asked for its list"),
                .values("scope", "NAME", "only attempts of this scope; may be given again; by default of every scope"),
                .value(
                    "transit", "DAYS",
                    "how long what moved may be missing there; 0 for a list, 1 for accounting, 14 for settlement"),
                ReportFiles.option,
                .flag("conclude", "concludes what the statement proves never arrived, and nothing else"),
            ]), writesTable: true
    ) { call in
        let files = try ReportFiles(call.given)
        let name = try call.operand(0, "PROVIDER")
        let days = try ReconciledDays(call)
        let transit = call.given.has("transit") ? try call.integer("transit", in: 0...366, 0) : nil
        let file = try call.given["file"].map { path throws(UsageError) in (path, try CommandFile.read(path)) }
        // A report is read without asking the provider, so that reading one needs no credentials.
        return try await CommandSession.use(call, file == nil ? .providers : .journal) { till in
            let names = till.configuration.providers.map(\.id.rawValue)
            guard let provider = till.configuration.providers.first(where: { $0.id.rawValue == name }) else {
                throw UsageError.unknown("provider", name, of: names, near: SpellingSuggestion.of(name, in: names))
            }
            let view = try till.client.provider(provider.id)
            // The report is read while the journal is.
            async let first = till.books(of: view.identity)
            let statement: Statement
            if let (path, bytes) = file {
                let title = path.split(separator: "/").last.map(String.init) ?? path
                statement = try AdyenReport.statement(
                    bytes, title, adapter: provider.entry.adapter, merchant: view.identity.merchant)
            } else {
                let progress = ProgressLine(call.console, "reading the list", of: 1)
                defer { progress.end() }
                let asked = till.clock.now
                var listed = try await Statement.listed(by: view, days) { progress.tell("\($0)") }
                listed.saidAt = asked
                statement = listed
            }
            let scopes = call.given.has("scope") ? Set(call.given.all("scope")) : nil
            func reconciled(_ books: OwnBooks) throws -> Reconciliation {
                if let unknown = scopes?.subtracting(books.scopes).min() {
                    throw UsageError.unknownScope(unknown, of: books.scopes.sorted())
                }
                return Reconciliation(
                    books, statement, days, transit: (transit ?? statement.kind.transitDays) * ReconciledDays.day,
                    scopes: scopes)
            }
            var reconciliation = try reconciled(try await first)
            var concluded: [StatementEvidence.Conclusion] = []
            if call.given.has("conclude") {
                let tried = try await StatementEvidence(reconciliation, till.journal, till.clock).conclude()
                concluded = tried.filter { $0.refusal == nil }
                if !concluded.isEmpty { reconciliation = try reconciled(try await till.books(of: view.identity)) }
                reconciliation.explain(tried)
            }
            let pruned = try await (till.journal as? any JournalMaintenance)?.prunedBefore()
            let report = ReconciliationReport(
                reconciliation, concluded, isSimulated: provider.isSimulated, prunedBefore: pruned)
            try files.tell(call, report.document(call), report.json, report.lines(call), csv: report.csv(call))
            return report.status
        }
    }
}

extension CommandSession {
    /// The journal's payments at an account.
    fileprivate func books(of account: ProviderIdentity) async throws -> OwnBooks {
        let attempts = try await everyAttempt()
        var vain: Set<AttemptID> = []
        for attempt in attempts where attempt.isInDoubt && attempt.account == account {
            if try await wasLookedUpInVain(attempt) { vain.insert(attempt.intent.attempt) }
        }
        return try OwnBooks(attempts, account, lookedUpInVain: vain)
    }
}

/// The days that are reconciled, in universal time.
struct ReconciledDays: Sendable {
    /// A day, in milliseconds.
    static let day: Int64 = 86_400_000
    /// The most days at once.
    static let daysMax: Int64 = 366

    let first: CalendarDate
    let last: CalendarDate

    init(_ call: Invocation) throws(UsageError) {
        func date(_ name: String) throws(UsageError) -> CalendarDate {
            guard let text = call.given[name] else { throw UsageError(message: "--\(name) DAY is missing") }
            guard let date = CalendarDate(iso: text) else {
                throw UsageError(message: "--\(name) takes a day such as 2026-11-30, not \(text)")
            }
            return date
        }
        try self.init(date("from"), date("to"))
    }

    init(_ first: CalendarDate, _ last: CalendarDate) throws(UsageError) {
        (self.first, self.last) = (first, last)
        if last < first { throw UsageError(message: "--to \(last.isoText) is before --from \(first.isoText)") }
        if last.daysSince1970 - first.daysSince1970 >= Self.daysMax {
            throw UsageError(message: "\(Self.daysMax) days are reconciled at once, at most")
        }
    }

    /// The first moment, in milliseconds since 1970.
    var start: Int64 { first.daysSince1970 * Self.day }
    /// The first moment that is no longer meant.
    var end: Int64 { (last.daysSince1970 + 1) * Self.day }

    func contains(_ moment: Int64) -> Bool { start <= moment && moment < end }
}
