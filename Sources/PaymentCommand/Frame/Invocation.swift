internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

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
    let watch = ExchangeWatch()

    init(
        _ given: GivenArguments, _ registry: CommandRegistry, _ console: Console, words: [String] = []
    ) throws(UsageError) {
        (self.given, self.registry, self.console, self.words) = (given, registry, console, words)
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
        let near = NearestName.of(text, in: words).map { "; did you mean \($0)?" } ?? ""
        throw UsageError(message: "--\(name) takes \(words.joined(separator: ", ")), not \(text)\(near)")
    }

    /// An option that is a whole number within bounds.
    func integer(_ name: String, in bounds: ClosedRange<Int64>, _ otherwise: Int64) throws(UsageError) -> Int64 {
        guard let text = given[name] else { return otherwise }
        if let number = Int64(text), bounds.contains(number) { return number }
        throw UsageError(
            message: "--\(name) needs a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not \(text)")
    }

    /// An amount and a currency as they are typed: `12.50 EUR`.
    func money(at index: Int) throws(UsageError) -> Money {
        let (amount, code) = (try operand(index, "AMOUNT"), try operand(index + 1, "CURRENCY"))
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

    /// The attempt id that was given.
    func attempt() throws(UsageError) -> AttemptID? {
        guard let text = given["attempt"] else { return nil }
        return try attempt(text)
    }

    /// An attempt id as it was typed.
    func attempt(_ text: String) throws(UsageError) -> AttemptID {
        do throws(PaymentError) { return try AttemptID(text) } catch { throw UsageError(message: error.detail) }
    }

    // MARK: What is written

    /// The version of everything that is written as JSON; it changes with any member that goes or means something else.
    static let outputVersion: JSON = 1

    /// Writes data: as lines for people, or as JSON on one line.
    func say(_ json: @autoclosure () -> JSON, _ lines: @autoclosure () -> [String]) {
        switch format {
        case .text: for line in lines() { console.out(line) }
        case .json: tell(json().object ?? [:])
        }
    }

    /// Writes an object with its version.
    private func tell(_ object: JSONObject) { console.out(versioned(.object(object)).line) }

    /// What is written as JSON, with its version in front.
    func versioned(_ json: JSON) -> JSON {
        var members: JSONObject = ["version": Self.outputVersion]
        for member in (json.object ?? [:]).members { members[member.key] = member.value }
        return .object(members)
    }

    /// Writes something that is not data.
    func note(_ line: String) { console.error(line) }

    /// Tells about an error of a payment; gives the status that the program ends with.
    func tell(_ advised: AdvisedError) -> ExitStatus {
        let report = ErrorReport(advised, self)
        if format == .json { tell(["error": report.json]) }
        for line in report.lines { console.error(line) }
        return advised.status ?? ExitStatus(advised.error)
    }

    // MARK: What to type next

    /// A command of this program in the same place.
    func command(_ words: String) -> String {
        (["payctl", words]
            + ["config", "state"].compactMap { name in
                given[name].map { "--\(name) \(Self.quoted($0))" }
            }).joined(separator: " ")
    }

    /// This very command line once more, under an attempt.
    func again(_ attempt: AttemptID) -> String {
        let named = given.has("attempt") ? [] : ["--attempt", attempt.text]
        return (["payctl"] + (words + named).map(Self.quoted)).joined(separator: " ")
    }

    /// A word as a shell takes it.
    private static func quoted(_ word: String) -> String {
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
