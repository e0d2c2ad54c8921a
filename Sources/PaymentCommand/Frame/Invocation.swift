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

    init(_ given: GivenArguments, _ registry: CommandRegistry, _ console: Console) throws(UsageError) {
        (self.given, self.registry, self.console) = (given, registry, console)
        format = try Self.choice(given["format"], .text, "format")
        paint = Paint(isOn: console.showsColors && !given.has("no-color"))
    }

    // MARK: What was given

    /// An operand; throws when it was left out.
    func operand(_ index: Int, _ name: String) throws(UsageError) -> String {
        if index < given.operands.count { return given.operands[index] }
        throw UsageError(message: "\(name) is missing")
    }

    /// The payment that an operand names.
    func payment(_ index: Int) throws(UsageError) -> PaymentID {
        let text = try operand(index, "PAYMENT")
        if let payment = try? PaymentID(text) { return payment }
        throw UsageError(message: "\"\(text)\" is no payment's id; `payctl list` shows them")
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
    func money(at index: Int) throws -> Money {
        let (amount, code) = (try operand(index, "AMOUNT"), try operand(index + 1, "CURRENCY"))
        return try Money(amount, try Currency(code.uppercased()))
    }

    /// What `--within` allows, in milliseconds.
    func within() throws(UsageError) -> Duration? {
        guard given.has("within") else { return nil }
        return .seconds(try integer("within", in: 1...86_400, 180))
    }

    /// The attempt id that was given.
    func attempt() throws(PaymentError) -> AttemptID? {
        guard let text = given["attempt"] else { return nil }
        return try AttemptID(text)
    }

    // MARK: What is written

    /// Writes data: as lines for people, or as JSON on one line.
    func say(_ json: @autoclosure () -> JSON, _ lines: @autoclosure () -> [String]) {
        switch format {
        case .text: for line in lines() { console.out(line) }
        case .json: console.out(json().line)
        }
    }

    /// Writes something that is not data.
    func note(_ line: String) { console.error(line) }

    /// Tells about an error of a payment; gives the status that the program ends with.
    func tell(_ error: PaymentError) -> ExitStatus {
        if format == .json { console.out(JSON.object(["error": error.json]).line) }
        for line in error.lines(paint) { console.error(line) }
        return ExitStatus(error)
    }
}

extension JSON {
    /// As text on one line.
    var line: String { String(decoding: bytes(), as: UTF8.self) }

    /// A whole number.
    static func integer(_ number: Int) -> JSON { .number(JSONNumber(Int64(number))) }

    /// A text, or null.
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
