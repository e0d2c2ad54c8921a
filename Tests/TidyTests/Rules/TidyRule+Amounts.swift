extension TidyRule {
    /// Members that hold a number from outside: of an amount, or of a moment or duration that was read.
    private static let readNumbers: Set<String> = ["minorUnits", "milliseconds"]
    /// Where such numbers are reckoned with, since every sum is checked there.
    private static let reckoning = [
        "Sources/PaymentAbstraction/Model/Money", "Sources/PaymentAbstraction/Model/Currency",
        "Sources/PaymentAbstraction/Drivers/CurrencyExponents", "Sources/PaymentAbstraction/Drivers/Rate",
        "Sources/PaymentBase/Clock.swift",
        "Sources/PaymentBase/Text/Timestamp",
    ]

    /// A sum of numbers from outside that no number holds ends the process.
    static let readArithmetic = TidyRule(
        "no plus, minus or times beside amounts and times that were read",
        for: { file in file.isSource && !reckoning.contains { file.path.hasPrefix($0) } },
        check: { file in
            let tokens = file.tokens
            var lines: [Int] = []
            for index in tokens.indices where isReadNumber(tokens, index) {
                let isReckoned = isOperator(tokens, before: index) || isOperator(tokens, after: index)
                if isReckoned, lines.last != tokens[index].line { lines.append(tokens[index].line) }
            }
            return lines.map {
                ($0, "it may overflow; use Money's own arithmetic, or a function that says what happens then")
            }
        })

    private static func isReadNumber(_ tokens: [Token], _ index: Int) -> Bool {
        readNumbers.contains(tokens[index].text) && index > 0 && tokens[index - 1].text == "."
    }

    /// Whether plus, minus or times follows a member.
    private static func isOperator(_ tokens: [Token], after index: Int) -> Bool {
        var place = index + 1
        while place < tokens.count, tokens[place].text == "?", !tokens[place].isAfterSpace { place += 1 }
        // Those that wrap around begin with an ampersand.
        if place < tokens.count, tokens[place].text == "&" { place += 1 }
        guard place + 1 < tokens.count else { return false }
        let isArrow = tokens[place].text == "-" && tokens[place + 1].text == ">"
        return isSign(tokens[place]) && !isArrow
    }

    /// Whether plus, minus or times stands before the expression that a member ends.
    private static func isOperator(_ tokens: [Token], before index: Int) -> Bool {
        var place = start(tokens, index) - 1
        // Parentheses that group, and no call's.
        while place > 0, tokens[place].text == "(", tokens[place].isAfterSpace || !tokens[place - 1].isWord {
            place -= 1
        }
        guard place >= 0 else { return false }
        if tokens[place].text == "=", !tokens[place].isAfterSpace, place > 0 { place -= 1 }
        return isSign(tokens[place])
    }

    private static func isSign(_ token: Token) -> Bool { ["+", "-", "*"].contains(token.text) }

    /// Where the expression begins that a member ends: names, subscripts and calls with dots between.
    private static func start(_ tokens: [Token], _ index: Int) -> Int {
        var place = index
        while place > 0 {
            let before = tokens[place - 1]
            let isJoint = [".", "?", "(", "["].contains(tokens[place].text) || [".", "$"].contains(before.text)
            guard isJoint else { return place }
            if before.text == ")" || before.text == "]" {
                place = opening(tokens, place - 1)
            } else if before.isWord || [".", "$", "?"].contains(before.text) {
                place -= 1
            } else {
                return place
            }
        }
        return place
    }

    /// The parenthesis that a closing one belongs to.
    private static func opening(_ tokens: [Token], _ index: Int) -> Int {
        var (place, depth) = (index, 0)
        while place > 0 {
            if [")", "]"].contains(tokens[place].text) { depth += 1 }
            if ["(", "["].contains(tokens[place].text) { depth -= 1 }
            if depth == 0 { return place }
            place -= 1
        }
        return 0
    }
}
