internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentHTTPServer
internal import PaymentJournalKit
internal import PaymentModel

extension ServiceCall {
    /// How many a page shows.
    fileprivate var pageSize: Int { Int(input[.pageSize] ?? 20) }

    /// The place of the request's cursor in the list with these filters; nil without a cursor.
    fileprivate func place(_ filters: [String?]) throws(Problem) -> Int64? {
        guard let cursor = input[.cursor] else { return nil }
        guard cursor.isOf(filters) else {
            throw Problem(.conflict, "The cursor is of a list with other filters. Begin without one.")
        }
        return cursor.number
    }
}

/// The attempts of a shop that are not decided.
struct OpenAttempts: Sendable {
    private let call: ServiceCall

    init(_ call: ServiceCall) { self.call = call }

    private static let filters: [String?] = ["attempts", "open"]

    /// The next page, oldest first.
    func page() async throws -> Operation.Answer {
        let after = try call.place(Self.filters).map { PaymentPage.Cursor(JournalCursor($0)) }
        let page = try await call.client.openAttempts(after: after, limit: call.pageSize)
        let items = page.attempts.map { AttemptView.shape.json(call.service.view(of: $0), for: call.role) }
        let next = page.next.map { PageCursor($0.place.number, of: Self.filters).text }
        return .list(items, next: next, unreadable: page.unreadable)
    }
}

/// A page of payments.
struct PaymentListing: Sendable {
    /// How many payments a page looks at.
    private static let scannedMax = 5_000
    /// How many open attempts are looked at for a list of what is open.
    private static let openMax = 5_000
    /// How far the clocks of machines that write one journal may be apart, in milliseconds.
    private static let skewMilliseconds: Int64 = 86_400_000

    private let call: ServiceCall
    private let limit: Int
    private let status: String?
    private let reference: String?
    private let part: String?
    private let provider: String?
    private let from: Int64?
    private let to: Int64?

    init(_ call: ServiceCall) throws(Problem) {
        (self.call, limit) = (call, call.pageSize)
        (status, reference, provider) = (call.input[.status], call.input[.referenceFilter], call.input[.provider])
        (part, from, to) = (call.input[.partFilter], call.input[.from], call.input[.to])
    }

    private var filters: [String?] {
        ["payments", status, reference, part, provider, from.map { "\($0)" }, to.map { "\($0)" }]
    }

    private func matches(_ record: PaymentRecord) -> Bool {
        if let provider, record.provider.id.rawValue != provider { return false }
        // Under a reference the journal finds what was asked for so: an import that it turned out to be has its own words.
        if reference == nil, let origin = record.origin, !origin.isPart(part) { return false }
        if let from, record.createdAt < from { return false }
        if let to, record.createdAt >= to { return false }
        guard let status else { return true }
        // As the journal's index has it: an approval that may still change is in `openAttempts` alone.
        return status == "open" ? record.attempts.contains(where: \.isOpen) : record.status == status
    }

    /// The next page of what matches; it may be short although there is a next one. It has the place from which all events of the
    /// shop can be followed: that is taken before anything is read, so that what follows from there misses nothing. A journal that
    /// can't be written, as on a full disk, gives no place, and its payments all the same.
    func page() async throws -> Operation.Answer {
        let place = try? await call.client.events(after: nil, limit: 0).next
        var answer = try await payments()
        if let place { answer.fields.append(HTTPField("Event-Position", place.description)) }
        return answer
    }

    private func payments() async throws -> Operation.Answer {
        if let reference {
            let text = ReferenceText.normalized(reference)
            let found = try await call.client.payments(reference: text) { [part] in $0.isPart(part) }
                .filter(matches)
            return try await slice(found.sorted { $0.createdAt > $1.createdAt }, of: filters + ["reference"])
        }
        if status == "open", let open = try await openPayments() {
            let found = open.records.filter(matches).sorted { $0.createdAt > $1.createdAt }
            return try await slice(found, unreadable: open.unreadable, of: filters + ["open"])
        }
        return try await scan()
    }

    /// A page of what was found by an index, in the order of its beginnings. Payments of one moment are on one page.
    private func slice(
        _ found: [PaymentRecord], unreadable: [AttemptID] = [], of filters: [String?]
    ) async throws -> Operation.Answer {
        let after = try call.place(filters)
        let left = found.filter { record in after.map { record.createdAt < $0 } ?? true }
        guard left.count > limit else { return .list(await json(left), unreadable: unreadable) }
        let last = left[limit - 1].createdAt
        let shown = left.prefix { $0.createdAt >= last }
        let next = shown.count < left.count ? PageCursor(max(0, last), of: filters).text : nil
        return .list(await json(Array(shown)), next: next, unreadable: unreadable)
    }

    /// The payments of all open attempts, and those that can't be read; nil if there are more than are looked at.
    private func openPayments() async throws -> (records: [PaymentRecord], unreadable: [AttemptID])? {
        var (ids, cursor, count) = (Set<PaymentID>(), PaymentPage.Cursor?.none, 0)
        var unreadable: [AttemptID] = []
        repeat {
            let page = try await call.client.openAttempts(after: cursor, limit: ListQuery.limitMax)
            count += page.attempts.count
            guard count <= Self.openMax else { return nil }
            ids.formUnion(page.attempts.map(\.intent.paymentID))
            unreadable += page.unreadable
            cursor = page.next
        } while cursor != nil
        var records: [PaymentRecord] = []
        // One that can't be read harms no other.
        for id in ids {
            do throws(PaymentError) { records.append(try await call.client.payment(id)) } catch {
                if error.code != .notFound { unreadable.append(id.attempt) }
            }
        }
        return (records, unreadable)
    }

    /// A page of all payments, looked through from the newest on.
    private func scan() async throws -> Operation.Answer {
        var last = try call.place(filters).map { PaymentPage.Cursor(JournalCursor($0)) }
        var (found, unreadable, scanned) = ([PaymentRecord](), [AttemptID](), 0)
        while true {
            // Never more than are missing, so that the next page begins right behind the last one that is shown.
            let page = try await call.client.payments(after: last, limit: limit - found.count)
            scanned += page.payments.count + page.unreadable.count
            found += page.payments.filter(matches)
            unreadable += page.unreadable
            guard let next = page.next, !isPast(page.payments) else {
                return .list(await json(found), unreadable: unreadable)
            }
            last = next
            if found.count >= limit || scanned >= Self.scannedMax {
                let cursor = PageCursor(next.place.number, of: filters).text
                return .list(await json(found), next: cursor, unreadable: unreadable)
            }
        }
    }

    /// Whether all that follows began before the time that is asked for.
    private func isPast(_ payments: [PaymentRecord]) -> Bool {
        guard let from, !payments.isEmpty else { return false }
        return payments.allSatisfy { $0.createdAt < from.subtractingSaturating(Self.skewMilliseconds) }
    }

    private func json(_ records: [PaymentRecord]) async -> [JSON] {
        await PaymentView.Seen.all(records, by: call.client).map { PaymentView.summary.json($0, for: call.role) }
    }
}

extension Attempt {
    /// Whether it began that part of its reference; any, if none is named.
    package func isPart(_ part: String?) -> Bool {
        guard let part else { return true }
        // Written as the journal writes it.
        return intent.part == Intent(intent.attempt, intent.operation, intent.amount, part: part).part
    }
}
