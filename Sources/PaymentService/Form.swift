package import PaymentBase
package import PaymentModel

/// Why a value can't be meant, at a place below the parameter.
struct FormError: Error {
    /// What was wrong and what to write.
    let detail: String
    /// Where below the value, as the rest of a JSON pointer.
    var below = ""

    init(_ detail: String, below: String = "") { (self.detail, self.below) = (detail, below) }
}

/// How one kind of value is read from JSON and from a query, with the schema that says so.
struct Form<Value: Sendable>: Sendable {
    /// The JSON schema.
    let schema: JSON
    /// Reads it from a body.
    let read: @Sendable (JSON) throws(FormError) -> Value
    /// Reads it from a path or a query.
    let parse: @Sendable (String) throws(FormError) -> Value

    init(
        _ schema: JSON, parse: (@Sendable (String) throws(FormError) -> Value)? = nil,
        read: @escaping @Sendable (JSON) throws(FormError) -> Value
    ) {
        (self.schema, self.read) = (schema, read)
        if let parse {
            self.parse = parse
        } else {
            self.parse = { text throws(FormError) in try read(.string(text)) }
        }
    }
}

/// Amounts as text with a currency.
package enum MoneyForm {
    /// An amount as the API writes it.
    package static func json(_ amount: Money) -> JSON {
        ["value": .string(amount.decimalText), "currency": .string(amount.currency.code)]
    }

    /// The schema of what a request brings: for each number of decimals, how an amount is written.
    static func requestSchema(orNothing: Bool) -> JSON {
        let exponents = Set(Currency.allCases.map(\.exponent)).sorted()
        let rules = exponents.map { exponent -> JSON in
            let codes = Currency.allCases.filter { $0.exponent == exponent }.map { JSON.string($0.code) }
            // No more digits than an amount that is believed has.
            let whole = "(0|[1-9][0-9]{0,\(14 - exponent)})"
            let decimals = exponent == 0 ? "" : "\\.[0-9]{\(exponent)}"
            let something = orNothing ? "" : exponent == 0 ? "(?!0$)" : "(?!0\\.0+$)"
            return [
                "if": ["properties": ["currency": ["enum": .array(codes)]]],
                "then": ["properties": ["value": ["pattern": .string("^\(something)\(whole)\(decimals)$")]]],
            ]
        }
        return [
            "type": "object", "additionalProperties": false, "required": ["value", "currency"],
            "properties": [
                "value": ["type": "string", "description": "Text with exactly the digits of its currency."],
                "currency": ["type": "string", "enum": .array(Currency.allCases.map { .string($0.code) })],
            ], "allOf": .array(rules),
        ]
    }

    /// The schema of what ``json(_:)`` writes.
    package static let schema: JSON = [
        "type": "object", "additionalProperties": false, "required": ["value", "currency"],
        "description": "An amount as text with exactly the digits of its currency: 12.50 EUR, 1250 JPY, 1.250 KWD.",
        "properties": [
            "value": ["type": "string", "pattern": "^(0|[1-9][0-9]{0,15})(\\.[0-9]{2,4})?$", "examples": ["12.50"]],
            "currency": ["type": "string", "pattern": "^[A-Z]{3}$", "examples": ["EUR"]],
        ],
    ]

    /// Reads an amount.
    static func read(_ json: JSON, orNothing: Bool) throws(FormError) -> Money {
        guard let object = json.object else {
            throw FormError("An amount is an object such as {\"value\": \"12.50\", \"currency\": \"EUR\"}.")
        }
        for member in object.members where member.key != "value" && member.key != "currency" {
            throw FormError("An amount has no such member.", below: "/" + Pointer.escaped(member.key))
        }
        guard let code = object["currency"]?.string, code.utf8.count == 3, let currency = Currency.known(code) else {
            throw FormError("The currency is a code of three capital letters, such as EUR.", below: "/currency")
        }
        let zeros = currency.exponent > 0 ? "." + String(repeating: "0", count: currency.exponent) : ""
        let expected =
            "An amount in \(code) is text with \(currency.exponent == 0 ? "no" : "exactly \(currency.exponent)") "
            + "decimals, such as \"12\(zeros)\"."
        guard let text = object["value"]?.string, text.utf8.count <= 24 else {
            throw FormError(expected, below: "/value")
        }
        // Written again it has exactly the digits of its currency: what was written otherwise is refused.
        guard let amount = try? Money(text, currency), amount.decimalText == text else {
            throw FormError(expected, below: "/value")
        }
        guard amount.isBelievable, orNothing || !amount.isZero else {
            throw FormError("The amount must be greater than zero and one that a payment can have.", below: "/value")
        }
        return amount
    }
}

/// Moments as text.
enum Moment {
    static let schema: JSON = ["type": "string", "format": "date-time"]

    /// A moment in milliseconds since 1970, in UTC.
    static func json(_ milliseconds: Int64?) -> JSON {
        guard let milliseconds, let time = Timestamp(milliseconds: milliseconds) else { return .null }
        return .string(time.text())
    }
}

/// JSON pointers (RFC 6901).
enum Pointer {
    /// How much of a name an answer repeats, in characters of Unicode.
    private static let charactersMax = 64

    /// A member's name as a part of a pointer: masked as a whole, and then cut to what an answer may repeat. The cut leaves less
    /// of a number than its mask; a number that only the cut or the escape makes is masked as well.
    static func escaped(_ name: String) -> String {
        let masked = Masking.cardNumbers(in: name)
        let cut = String(String.UnicodeScalarView(masked.unicodeScalars.prefix(charactersMax)))
        return Masking.cardNumbers(in: cut.replacing("~", with: "~0").replacing("/", with: "~1"))
    }
}

extension Form where Value == Money {
    /// An amount above zero.
    static let money = Form(MoneyForm.requestSchema(orNothing: false)) { json throws(FormError) in
        try MoneyForm.read(json, orNothing: false)
    }
    /// An amount, which may be nothing.
    static let moneyOrNothing = Form(MoneyForm.requestSchema(orNothing: true)) { json throws(FormError) in
        try MoneyForm.read(json, orNothing: true)
    }
}

extension Form where Value == String {
    /// A text of some characters, none of them a control character and no card number.
    static func text(_ count: ClosedRange<Int>) -> Form {
        Form([
            "type": "string", "minLength": .number(JSONNumber(Int64(count.lowerBound))),
            "maxLength": .number(JSONNumber(Int64(count.upperBound))), "not": ["pattern": "[\\x00-\\x1f\\x7f]"],
        ]) { json throws(FormError) in
            guard let text = json.string else { throw FormError("This is a text.") }
            // The schema counts characters of Unicode, and so does this.
            guard count.contains(text.unicodeScalars.count) else {
                throw FormError("This is a text of \(count.lowerBound) to \(count.upperBound) characters.")
            }
            guard !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
                throw FormError("The text must not contain control characters.")
            }
            guard !Masking.findsCardNumber(in: text) else {
                throw FormError("The text contains what looks like a card number. This API takes no card numbers.")
            }
            return text
        }
    }
}

extension Form where Value == String {
    /// A shop's reference: a text in which people see something.
    static let reference: Form = {
        let text = Form.text(1...SaleRequest.referenceCharactersMax)
        return Form(text.schema.adding("pattern", "\\S")) { json throws(FormError) in
            let value = try text.read(json)
            guard !ReferenceText.normalized(value).isEmpty else {
                throw FormError("A reference has more than blanks.")
            }
            return value
        }
    }()

    /// A text of some printable ASCII characters.
    static func printable(_ most: Int) -> Form {
        Form(["type": "string", "pattern": .string("^[ -~]{1,\(most)}$"), "not": ["pattern": "\\n"]]) {
            json throws(FormError) in
            guard let text = json.string, (1...most).contains(text.utf8.count),
                text.utf8.allSatisfy({ (32...126).contains($0) })
            else { throw FormError("This is a text of 1 to \(most) printable ASCII characters.") }
            guard !Masking.findsCardNumber(in: text) else {
                throw FormError("The text contains what looks like a card number. This API takes no card numbers.")
            }
            return text
        }
    }

    /// A name that this service or its configuration gives.
    static let token = Form(["type": "string", "pattern": "^[A-Za-z0-9._~-]{1,64}$"]) { json throws(FormError) in
        guard let text = json.string, (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                    || "-._~".utf8.contains(byte)
            })
        else { throw FormError("This is a name of 1 to 64 letters, digits, dots, hyphens, tildes and underscores.") }
        return text
    }
}

extension Form where Value == PageCursor {
    /// A cursor of a list.
    static let cursor = Form(PageCursor.schema) { json throws(FormError) in
        guard let cursor = json.string.flatMap({ PageCursor($0) }) else {
            throw FormError("This is the `next` of a page.")
        }
        return cursor
    }
}

extension Form where Value == JSON {
    /// Any value; what takes it checks it.
    static let any = Form(["type": ["boolean", "string", "object"]]) { json throws(FormError) in json }
}

extension Form where Value == Bool {
    /// `true` or `false`.
    static let flag = Form(["type": "boolean"]) { json throws(FormError) in
        guard let flag = json.bool else { throw FormError("This is true or false.") }
        return flag
    }
}

extension Form where Value == Int64 {
    /// A whole number within bounds.
    static func integer(_ bounds: ClosedRange<Int64>) -> Form {
        let wrong = FormError("This is a whole number from \(bounds.lowerBound) to \(bounds.upperBound).")
        return Form(
            [
                "type": "integer", "minimum": .number(JSONNumber(bounds.lowerBound)),
                "maximum": .number(JSONNumber(bounds.upperBound)),
            ],
            parse: { text throws(FormError) in
                guard !text.isEmpty, text.utf8.count <= 19, text.utf8.allSatisfy({ (48...57).contains($0) }),
                    let number = Int64(text), bounds.contains(number)
                else { throw wrong }
                return number
            },
            read: { json throws(FormError) in
                guard let number = json.int64, bounds.contains(number) else { throw wrong }
                return number
            })
    }
}

extension Form where Value == Int64 {
    /// A moment, in milliseconds since 1970.
    static let moment = Form(["type": "string", "format": "date-time"]) { json throws(FormError) in
        guard let text = json.string, text.utf8.count <= 40, let time = Timestamp(text) else {
            throw FormError("This is a moment with its zone, such as 2026-01-31T00:00:00Z.")
        }
        return time.milliseconds
    }
}

extension Form where Value == Secret {
    /// A text that no answer and no log repeats.
    static func secret(_ bytesMax: Int) -> Form {
        Form([
            "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(Int64(bytesMax))), "writeOnly": true,
        ]) { json throws(FormError) in
            guard let text = json.string, !text.isEmpty, text.utf8.count <= bytesMax else {
                throw FormError("This is a text of 1 to \(bytesMax) bytes.")
            }
            guard !Masking.findsCardNumber(in: text) else {
                throw FormError("This contains what looks like a card number. This API takes no card numbers.")
            }
            return Secret(text)
        }
    }
}

extension Form where Value == [String] {
    /// Some names that a provider gave, each once.
    static func names(_ most: Int) -> Form {
        let one = Form<String>.printable(Attempt.Name.bytesMax)
        return Form([
            "type": "array", "items": one.schema, "minItems": 1, "maxItems": .number(JSONNumber(Int64(most))),
            "uniqueItems": true,
        ]) { json throws(FormError) in
            guard let items = json.array, (1...most).contains(items.count) else {
                throw FormError("This is a list of 1 to \(most) names.")
            }
            var names: [String] = []
            for item in items { names.append(try one.read(item)) }
            guard Set(names).count == names.count else { throw FormError("A name is there twice.") }
            return names
        }
    }
}

extension Form {
    /// One of several words.
    static func words(_ words: [String], _ value: @escaping @Sendable (String) -> Value?) -> Form {
        Form(["type": "string", "enum": .array(words.map { .string($0) })]) { json throws(FormError) in
            guard let text = json.string, words.contains(text), let value = value(text) else {
                throw FormError("This is one of \(words.joined(separator: ", ")).")
            }
            return value
        }
    }
}

extension Form where Value == AttemptID {
    /// An id of an attempt or a payment; a UUID is compared in lower case.
    static let id = Form(["type": "string", "pattern": "^[A-Za-z0-9-]{1,36}$"]) { json throws(FormError) in
        guard let text = json.string, let id = AttemptID(any: text) else {
            throw FormError("An id has 1 to \(AttemptID.charactersMax) letters, digits and hyphens.")
        }
        guard !Masking.findsCardNumber(in: text) else {
            throw FormError("The id looks like a card number. This API takes no card numbers.")
        }
        return id
    }
}

extension AttemptID {
    /// An id in any form.
    init?(any text: String) {
        guard let id = try? AttemptID(text) else { return nil }
        self = id
    }

    /// The id of an `Idempotency-Key`: a UUID, bare or in quotation marks.
    init?(key text: String) {
        let bare = text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text[...]
        guard Self.isUUID(bare), let id = try? AttemptID(String(bare)) else { return nil }
        self = id
    }
}
