internal import PaymentProviderKit
internal import PaymentService

/// One call of a command: what was given to it, what it knows, and where it writes.
struct Invocation: Sendable {
    let given: GivenArguments
    let registry: CommandRegistry
    let console: Console
    let format: OutputFormat
    let paint: Paint
    /// The command and everything that was typed behind it.
    let words: [String]
    /// What came of the exchanges with providers.
    let watch = RequestWatch()
    /// What was reported of money.
    let money = OpenAttemptTracker()
    /// When it was called, in milliseconds since 1970.
    let beganAt: Int64

    init(
        _ given: GivenArguments, _ registry: CommandRegistry, _ console: Console, words: [String] = []
    ) throws(UsageError) {
        (self.given, self.registry, self.console, self.words) = (given, registry, console, words)
        beganAt = console.clock.now
        format = try Self.choice(given["format"], .text, "format")
        paint = Paint(isOn: console.showsColors && !given.has("no-color"))
    }

    // MARK: What was given

    /// An operand; throws when it was left out.
    func operand(_ index: Int, _ name: String) throws(UsageError) -> String {
        if index < given.operands.count { return given.operands[index] }
        throw UsageError(message: "\(name) is missing")
    }

    /// An operand that may be left out.
    func operand(_ index: Int) -> String? { index < given.operands.count ? given.operands[index] : nil }

    /// An option that is one of a list of words.
    func choice<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ otherwise: Word
    ) throws(UsageError) -> Word where Word.RawValue == String {
        try Self.choice(given[name], otherwise, name)
    }

    private static func choice<Word: RawRepresentable & CaseIterable>(
        _ text: String?, _ otherwise: Word, _ name: String
    ) throws(UsageError) -> Word where Word.RawValue == String {
        guard let text else { return otherwise }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let near = SpellingSuggestion.of(text, in: words).map { "; did you mean \($0)?" } ?? ""
        throw UsageError(message: "--\(name) takes \(words.joined(separator: ", ")), not \(text)\(near)")
    }

    /// An option that is a whole number within bounds.
    func integer(_ name: String, in bounds: ClosedRange<Int64>, _ otherwise: Int64) throws(UsageError) -> Int64 {
        guard let text = given[name] else { return otherwise }
        if let number = Int64(text), bounds.contains(number) { return number }
        // The largest number of all looks like a card number, and would be masked.
        let end = bounds.upperBound == .max ? "on" : "to \(bounds.upperBound)"
        throw UsageError(message: "--\(name) needs a whole number from \(bounds.lowerBound) \(end), not \(text)")
    }

    /// An amount and a currency as they are typed: `12.50 EUR`.
    func money(at index: Int) throws(UsageError) -> Money {
        let (amount, code) = (try operand(index, "AMOUNT"), try operand(index + 1, "CURRENCY"))
        if (try? Currency(amount.uppercased())) != nil, (try? Currency(code.uppercased())) == nil {
            throw UsageError(message: "AMOUNT comes before CURRENCY, as in 49.99 \(amount.uppercased())")
        }
        return try money(amount, currency(code))
    }

    /// The currency of a code, however it is typed.
    func currency(_ code: String) throws(UsageError) -> Currency {
        do throws(PaymentError) { return try Currency(code.uppercased()) } catch {
            throw UsageError(message: error.detail)
        }
    }

    /// An amount as it is typed: in digits with a point, and above zero unless nothing is meant too.
    func money(_ text: String, _ currency: Currency, orNothing: Bool = false) throws(UsageError) -> Money {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        // Many write a thousand as 1.000: zeros beyond the currency's decimals are no decimals of this amount.
        let decimals = digits.drop { $0 != "." }.dropFirst()
        let beyond = decimals.dropFirst(currency.exponent)
        if !beyond.isEmpty, beyond.allSatisfy({ $0 == "0" }) {
            throw UsageError(
                message: "\"\(text)\" has \(decimals.count) decimals, and \(currency) has \(currency.exponent). "
                    + "A full stop stands before decimals only: type a thousand as 1000")
        }
        let amount: Money
        do throws(PaymentError) { amount = try Money(String(digits), currency) } catch {
            throw UsageError(message: error.detail)
        }
        if digits.count != text.count || amount.minorUnits < (orNothing ? 0 : 1) {
            throw UsageError(
                message: "\"\(text)\" is no amount to move: type it above zero and without a sign, as in 12.50")
        }
        return amount
    }

    /// What `--within` allows, in milliseconds.
    func within() throws(UsageError) -> Duration? {
        guard given.has("within") else { return nil }
        return .seconds(try integer("within", in: 1...86_400, 180))
    }

    /// What is left of `--within` by now, in milliseconds; nil where nothing is said.
    func leftMilliseconds() throws -> Int64? {
        guard given.has("within") else { return nil }
        let left = try integer("within", in: 1...86_400, 180) * 1_000 - (console.clock.now - beganAt)
        if left > 0 { return left }
        throw PaymentError.notExecuted(.timedOut, "the time was over before anything was sent")
    }

    /// The same, as the client takes it.
    func left() throws -> Duration? { try leftMilliseconds().map { .milliseconds($0) } }

    /// The attempt id that was given.
    func attempt() throws(UsageError) -> AttemptID? {
        guard let text = given["attempt"] else { return nil }
        if Masking.findsCardNumber(in: text) {
            throw UsageError(
                message: "the attempt id looks like a card number, and ids are kept in the clear; use another")
        }
        // An id is typed again behind other options, where a hyphen begins an option.
        if text.hasPrefix("-") {
            throw UsageError(message: "the attempt id \(text) begins with a hyphen, as options do; use another")
        }
        do throws(PaymentError) { return try AttemptID(text) } catch { throw UsageError(message: error.detail) }
    }

    /// The reference that was given. Invisible characters must not make two of one: then the same order is charged
    /// again.
    func reference() throws(UsageError) -> String? {
        guard let text = given["reference"] else { return nil }
        if let problem = TypedReference.problem(text) { throw UsageError(message: "--reference \(problem)") }
        return text
    }

    /// What is paid: one of `--reference` and `--unreferenced` must be there.
    func order() throws(UsageError) -> OrderReference {
        guard let text = try reference() else {
            guard given.has("unreferenced") else {
                throw UsageError(
                    message:
                        "name what is paid with --reference TEXT, or say --unreferenced: then the same line typed again "
                        + "moves money again")
            }
            if given["part"] != nil || given["holds-for"] != nil {
                throw UsageError(message: "--part and --holds-for go with --reference")
            }
            return .unreferenced
        }
        if given.has("unreferenced") { throw UsageError(message: "say --reference or --unreferenced, not both") }
        if let part = given["part"], let problem = TypedReference.problem(part) {
            throw UsageError(message: "--part \(problem)")
        }
        let minutes = given["holds-for"] == nil ? nil : try integer("holds-for", in: 10...527_040, 20)
        return OrderReference(text, part: given["part"] ?? "", holdsFor: minutes.map { .seconds($0 * 60) })
    }

    // MARK: What is written

    /// The format of everything that is written as JSON; it changes with any member that goes or means something else.
    static let outputFormat: JSON = 2

    /// Writes data: as lines for people, as JSON on one line, or as values between commas where the command has a table.
    func say(
        _ json: @autoclosure () -> JSON, _ lines: @autoclosure () -> [String], csv: @autoclosure () -> CSVText? = nil
    ) {
        switch format {
        case .text: for line in lines() { console.out(line) }
        case .json: tell(json().object ?? [:])
        case .csv: for line in (csv() ?? CSVText([])).lines { console.out(line) }
        }
    }

    /// Writes an object with its format.
    private func tell(_ object: JSONObject) { console.out(formatted(.object(object)).line) }

    /// What is written as JSON, with its format in front.
    func formatted(_ json: JSON) -> JSON {
        var members: JSONObject = ["format": Self.outputFormat]
        for member in (json.object ?? [:]).members { members[member.key] = member.value }
        return .object(members)
    }

    /// Writes a value as its shape has it, or as lines for people.
    func say<Value>(
        _ shape: Shape<Value>, _ value: Value, _ lines: @autoclosure () -> [String],
        csv: @autoclosure () -> CSVText? = nil
    ) { say(shape.json(value, for: .office), lines(), csv: csv()) }

    /// Writes something that is not data.
    func note(_ line: String) { console.error(line) }

    /// Reports an error of a payment; gives the status that the program ends with.
    func tell(_ advised: AdvisedError) -> ExitStatus {
        let report = ErrorReport(advised, self)
        if takesAttempt, advised.error.outcome != .notExecuted, let attempt = advised.error.attempt {
            money.mayHaveMoved(attempt)
        }
        if format == .json { tell(["error": report.json]) }
        for line in report.lines { console.error(line) }
        return advised.status ?? ExitStatus(advised.error)
    }

    /// An error of a call that was given up because the program was asked to stop: where nothing moved, that is 4. An earlier
    /// payment that is open keeps its 3.
    func stopped(_ error: PaymentError) -> AdvisedError {
        guard money.isStopped else { return AdvisedError(error) }
        note("the program was asked to stop")
        let movedNothing = error.outcome == .notExecuted && ExitStatus(error) != .unknown
        return AdvisedError(error, status: movedNothing ? .unreached : nil)
    }

    /// The status that the program ends with: an answer that can't be read is none.
    func heard(_ status: ExitStatus) -> ExitStatus {
        guard let why = console.failureWords else { return status }
        guard let attempt = money.attempt else {
            // The first lines of a list are enough for a reader; those of a journal are a part.
            let isEnough = console.isLeft && !takesAttempt && words.first != "journal"
            if !isEnough { note("the answer could not be written: \(why)") }
            return status == .unknown ? .unknown : .usage
        }
        note(paint.doubt("the answer could not be written: \(why). Money moved, or may have; no one saw it."))
        note("attempt    \(attempt)")
        note("next       \(command("status --attempt \(attempt)"))")
        return .unknown
    }

    // MARK: What to type next

    /// A command of this program in the same place; the scope is that of this call where none is given.
    func command(_ words: String, scope: String? = nil) -> String {
        let ofScope = ["list", "show", "status", "recover", "resolve", "capture", "void"]
        let isOfScope = ofScope.contains(String(words.prefix { $0 != " " }))
        let named = isOfScope ? scope ?? given["scope"] ?? "" : ""
        return
            (["payctl", words] + (named.isEmpty ? [] : [Self.option("scope", named)])
            + ["config", "state"].compactMap { name in given[name].map { Self.option(name, $0) } })
            .joined(separator: " ")
    }

    /// This very command line once more, under an attempt.
    func again(_ attempt: AttemptID) -> String {
        let named = given.has("attempt") ? [] : ["--attempt", attempt.text]
        return (["payctl"] + (words + named).map(Self.quoted)).joined(separator: " ")
    }

    /// An option with its value, which may look like an option itself.
    static func option(_ name: String, _ value: String) -> String {
        "--\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))"
    }

    /// A word as a shell takes it.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                    || "-_./:=,@%+".utf8.contains(byte)
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

extension JSON {
    /// As text on one line.
    var line: String { String(decoding: bytes(), as: UTF8.self) }

    /// A whole number.
    static func integer(_ number: Int) -> JSON { .number(JSONNumber(Int64(number))) }

    /// A text, or null.
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// A list of texts.
    static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
}
