import PaymentAbstraction
import PaymentBase
import Testing

typealias MoneyOperation = PaymentOperation

/// A payment as a list of what was asked of it, with the sums taken naively; what may begin is asked of the flow.
private struct ToldPayment {
    struct Entry: Hashable {
        let operation: MoneyOperation
        let minorUnits: Int64
        var standing: PaymentFlow.Standing
    }

    enum Move: Hashable, CustomStringConvertible {
        case begin(MoneyOperation, Int64)
        case recover(Int, PaymentFlow.Standing)

        var description: String {
            switch self {
            case .begin(let operation, let units): "\(operation) \(units)"
            case .recover(let index, let standing): "\(index) is \(standing)"
            }
        }
    }

    let captures: CaptureRule
    var entries: [Entry]

    func flow(_ entries: [Entry]) -> PaymentFlow {
        var flow = PaymentFlow(.eur, captures: captures)
        for entry in entries { flow.add(entry.operation, .init(minorUnits: entry.minorUnits, .eur), entry.standing) }
        return flow
    }

    // MARK: - The sums, read off the list

    func sum(_ operations: Set<MoneyOperation>, _ isMeant: (PaymentFlow.Standing) -> Bool) -> Int64 {
        entries.filter { operations.contains($0.operation) && isMeant($0.standing) }.reduce(0) { sum, entry in
            if case .approved(let approved) = entry.standing { return sum + approved.minorUnits }
            return sum + entry.minorUnits
        }
    }

    private static func isApproved(_ standing: PaymentFlow.Standing) -> Bool {
        if case .approved = standing { return true }
        return false
    }

    static let refunds: Set<MoneyOperation> = [.refund, .unlinkedRefund]
    var authorized: Int64 {
        // In the order in which they were said: an adjustment sets the whole, another tip takes the place of the last.
        var (whole, last) = (sum([.sale, .debit, .authorize], Self.isApproved), Int64(0))
        for entry in entries where Self.isApproved(entry.standing) {
            if entry.operation == .adjust { whole = entry.minorUnits }
            if entry.operation == .tipAdjustment { (whole, last) = (whole + entry.minorUnits - last, entry.minorUnits) }
        }
        return whole
    }
    var tip: Int64 {
        entries[0].operation == .authorize
            ? 0 : entries.last { $0.operation == .tipAdjustment && Self.isApproved($0.standing) }?.minorUnits ?? 0
    }
    var captured: Int64 { sum([.sale, .debit, .capture], Self.isApproved) + tip }
    var refunded: Int64 { sum(Self.refunds, Self.isApproved) }
    func open(_ operations: Set<MoneyOperation>) -> Int64 {
        sum(operations) { $0 == .inFlight || $0 == .inDoubt || $0 == .pending }
    }
    var isVoided: Bool { entries.contains { $0.operation == .void && Self.isApproved($0.standing) } }
    var isDoubtful: Bool { entries.contains { $0.standing == .inDoubt } }
    var isWholeBusy: Bool {
        entries.contains {
            [.void, .adjust, .tipAdjustment].contains($0.operation) && [.inFlight, .pending].contains($0.standing)
        }
    }

    /// What DESIGN says may begin; nil where it says nothing.
    func mayBegin(_ operation: MoneyOperation, _ units: Int64) -> Bool? {
        if isVoided || isDoubtful || isWholeBusy || !Self.isApproved(entries[0].standing) { return false }
        switch operation {
        case .refund, .unlinkedRefund:
            // Refundable = captured − (refunded + pending + in doubt + in flight); a capture in flight counts too.
            let inFlight = sum([.capture]) { $0 == .inFlight }
            return units > 0 && units <= captured - refunded - open(Self.refunds) - inFlight
        case .capture:
            let isSecond = entries.contains { $0.operation == .capture && $0.standing != .nothing }
            if entries[0].operation != .authorize || captures == .oneReleasesTheRest && isSecond { return false }
            if entries.contains(where: { Self.refunds.contains($0.operation) && $0.standing != .nothing }) {
                return false
            }
            return units > 0 && units <= authorized - captured - open([.capture])
        case .adjust: return entries[0].operation == .authorize && units > 0 ? nil : false
        case .tipAdjustment: return units >= 0 ? nil : false
        case .void: return nil
        case .sale, .authorize, .verify, .tokenize, .debit: return false
        }
    }

    // MARK: - What must hold

    func problem(_ flow: PaymentFlow) -> String? {
        let amounts = flow.amounts
        let sums: [(String, Int64, Int64)] = [
            ("authorized", amounts.authorized.minorUnits, authorized),
            ("captured", amounts.captured.minorUnits, captured), ("refunded", amounts.refunded.minorUnits, refunded),
            ("capture pending", amounts.capturePending.minorUnits, sum([.capture]) { $0 == .pending }),
            ("refund pending", amounts.refundPending.minorUnits, sum(Self.refunds) { $0 == .pending }),
        ]
        for (name, has, wanted) in sums where has != wanted { return "\(name) is \(has), not \(wanted)" }
        if captured + open([.capture]) > authorized { return "more is captured than authorized" }
        if refunded + open(Self.refunds) > captured { return "more is given back than captured" }
        if amounts.isVoided != isVoided { return "voided is \(amounts.isVoided)" }
        let hasCapture = captured > 0 && captures == .oneReleasesTheRest
        if amounts.released.minorUnits != (hasCapture ? authorized - captured : 0) { return "released is wrong" }
        for operation in MoneyOperation.allCases {
            for units: Int64 in [0, 1, 2, 4] {
                let isGranted = flow.permission(for: operation, .init(minorUnits: units, .eur)) == .granted
                if let may = mayBegin(operation, units), may != isGranted {
                    return "\(operation) of \(units) granted is \(isGranted)"
                }
            }
            if flow.permission(for: operation, .init(minorUnits: 1, .usd)) == .granted {
                return "\(operation) in another currency is granted"
            }
        }
        // Only adjustments replace each other; everything else adds up in any order.
        if !entries.contains(where: { $0.operation == .adjust || $0.operation == .tipAdjustment }) {
            let turned = self.flow([entries[0]] + entries.dropFirst().reversed())
            if turned != flow { return "the order of what was added matters" }
        }
        return nil
    }

    /// Every move that the flow allows from here: beginning what is permitted, settling what is open.
    func moves(_ flow: PaymentFlow) -> [Move] {
        var all: [Move] = []
        for operation: MoneyOperation in [.capture, .refund, .unlinkedRefund, .void, .adjust, .tipAdjustment] {
            for units: Int64 in [1, 2] {
                if flow.permission(for: operation, .init(minorUnits: units, .eur)) == .granted {
                    all.append(.begin(operation, units))
                }
            }
        }
        for (index, entry) in entries.enumerated() {
            let approved = PaymentFlow.Standing.approved(.init(minorUnits: entry.minorUnits, .eur))
            switch entry.standing {
            case .inFlight: all += [.inDoubt, .pending, approved, .nothing].map { .recover(index, $0) }
            case .inDoubt: all += [.pending, approved, .nothing].map { .recover(index, $0) }
            case .pending: all += [approved, .nothing].map { .recover(index, $0) }
            case .approved, .nothing: break
            }
        }
        return all
    }

    mutating func make(_ move: Move) {
        switch move {
        case .begin(let operation, let units):
            entries.append(Entry(operation: operation, minorUnits: units, standing: .inFlight))
        case .recover(let index, let standing): entries[index].standing = standing
        }
    }
}

@Suite struct PaymentFlowTests {
    private static func walk(_ payment: ToldPayment, _ left: Int, _ path: [ToldPayment.Move]) throws -> Int {
        let flow = payment.flow(payment.entries)
        if let problem = payment.problem(flow) {
            throw EventWalk.Violation(sequence: "\(payment.entries[0]) \(path)", problem: problem)
        }
        if left == 0 { return 1 }
        var count = 1
        for move in payment.moves(flow) {
            var next = payment
            next.make(move)
            count += try walk(next, left - 1, path + [move])
        }
        return count
    }

    @Test(arguments: [MoneyOperation.sale, .authorize, .debit], CaptureRule.allCases)
    func whatIsPermittedNeverExceedsWhatIsThere(_ origin: MoneyOperation, _ captures: CaptureRule) throws {
        let depth = origin == .authorize ? 5 : origin == .sale ? 4 : 3
        var count = 0
        let approved = PaymentFlow.Standing.approved(.init(minorUnits: 3, .eur))
        for standing in [approved, .inFlight, .inDoubt, .pending, .nothing] {
            let entry = ToldPayment.Entry(operation: origin, minorUnits: 3, standing: standing)
            count += try Self.walk(ToldPayment(captures: captures, entries: [entry]), depth, [])
        }
        print("flow PaymentFlow \(origin) \(captures): \(count) sequences")
        #expect(count > 300)
    }

    @Test func oneCaptureReleasesTheRest() {
        var flow = PaymentFlow(.eur, captures: .oneReleasesTheRest)
        flow.add(.authorize, .eur(100), .approved(.eur(100)))
        flow.add(.capture, .eur(60), .approved(.eur(60)))
        #expect(flow.amounts.released == .eur(40))
        #expect(flow.amounts.capturable == .eur(0))
        #expect(flow.permission(for: .capture, .eur(1)) != .granted)
        #expect(flow.permission(for: .refund, .eur(60)) == .granted)
    }

    @Test func anApprovalOfLessCountsAsWhatItIs() {
        var flow = PaymentFlow(.eur, captures: .several)
        flow.add(.sale, .eur(100), .approved(.eur(40)))
        #expect(flow.permission(for: .refund, .eur(41)) == .exceeds(.eur(40)))
        #expect(flow.permission(for: .refund, .eur(40)) == .granted)
    }

    @Test func anAmountBelowNothingIsNeverPermitted() {
        for origin in [MoneyOperation.sale, .authorize] {
            var flow = PaymentFlow(.eur, captures: .several)
            flow.add(origin, .eur(100), .approved(.eur(100)))
            for operation in [MoneyOperation.capture, .refund, .unlinkedRefund, .adjust, .tipAdjustment] {
                for units in [Int64.min, -1] {
                    #expect(flow.permission(for: operation, .eur(units)) != .granted, "\(operation) of \(units)")
                }
            }
            #expect(flow.permission(for: .adjust, .eur(0)) != .granted, "an adjustment to nothing is a void")
        }
    }

    /// The largest amounts that there are: every sum stays at the top, and nothing more is permitted.
    @Test func theLargestAmountsAreRefusedRatherThanWrapped() {
        var flow = PaymentFlow(.eur, captures: .several)
        flow.add(.authorize, .eur(.max), .approved(.eur(.max)))
        #expect(flow.permission(for: .capture, .eur(.max)) == .granted)
        flow.add(.capture, .eur(.max), .approved(.eur(.max)))
        #expect(flow.permission(for: .capture, .eur(1)) == .exceeds(.eur(0)))
        flow.add(.capture, .eur(.max), .approved(.eur(.max)))
        #expect(flow.amounts.captured == .eur(.max), "the sum stays at the top")
        #expect(flow.permission(for: .refund, .eur(.max)) == .granted)
        flow.add(.refund, .eur(.max), .inFlight)
        #expect(flow.permission(for: .refund, .eur(1)) == .exceeds(.eur(0)))
        flow.add(.refund, .eur(.max), .pending)
        #expect(flow.permission(for: .refund, .eur(1)) != .granted)
    }
}

extension Money {
    fileprivate static func eur(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .eur) }
}
