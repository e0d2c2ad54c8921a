/// How something came about, as a picture: who spoke to whom, from top to bottom, with a number for each line below.
package struct ReportPicture: Sendable {
    /// One step: an arrow from one lane to another, or a dot where both are the same.
    package struct Step: Sendable {
        package let from: Int
        package let to: Int
        package let words: String
        package var when = ""
        package var mood = ReportDocument.Severity.plain
        /// Whether it never arrived.
        package var isBroken = false

        package init(
            from: Int, to: Int, _ words: String, when: String = "", mood: ReportDocument.Severity = .plain,
            isBroken: Bool = false
        ) {
            (self.from, self.to, self.words, self.when) = (from, to, words, when)
            (self.mood, self.isBroken) = (mood, isBroken)
        }
    }

    package let title: String
    package let lanes: [String]
    package let steps: [Step]
    /// What is said where there are no steps.
    package var otherwise = "Nothing was sent."

    package init(title: String, lanes: [String], steps: [Step], otherwise: String = "Nothing was sent.") {
        (self.title, self.lanes, self.steps, self.otherwise) = (title, lanes, steps, otherwise)
    }

    /// The steps that are drawn and listed; a page of more would be read by nobody.
    package static let stepsMax = 200

    /// How far lanes and steps are from each other, in units of the drawing.
    private static let (laneWidth, stepHeight, headHeight) = (120, 30, 40)

    /// The drawing; the list beside it says the same in words, so that it can be passed over.
    func svg(_ id: String) -> String {
        let (width, shown) = (lanes.count * Self.laneWidth, steps.prefix(Self.stepsMax))
        let height = Self.headHeight + shown.count * Self.stepHeight + 10
        func x(_ lane: Int) -> Int { Self.laneWidth / 2 + lane * Self.laneWidth }
        var lines = [
            "<svg class=\"ladder\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" role=\"img\" "
                + "aria-labelledby=\"\(id)\">",
            "<title id=\"\(id)\">\(ReportDocument.escaped(title)): \(steps.count) steps, told in the list</title>",
        ]
        for (number, lane) in lanes.enumerated() {
            lines.append(
                "<text class=\"lane\" x=\"\(x(number))\" y=\"16\">\(ReportDocument.escaped(Self.short(lane)))</text>"
                    + "<line class=\"life\" x1=\"\(x(number))\" y1=\"24\" x2=\"\(x(number))\" y2=\"\(height)\"/>")
        }
        for (number, step) in shown.enumerated() {
            let y = Self.headHeight + number * Self.stepHeight + 10
            lines.append(
                step.from == step.to
                    ? Self.dot(x(step.from), y, step.mood, number + 1)
                    : Self.arrow(x(step.from), x(step.to), y, step, number + 1))
        }
        return (lines + ["</svg>"]).joined(separator: "\n")
    }

    private static func dot(_ x: Int, _ y: Int, _ mood: ReportDocument.Severity, _ number: Int) -> String {
        "<g class=\"\(mood.rawValue)\"><circle cx=\"\(x)\" cy=\"\(y)\" r=\"10\"/>"
            + "<text class=\"inside\" x=\"\(x)\" y=\"\(y + 4)\">\(number)</text></g>"
    }

    private static func arrow(_ from: Int, _ to: Int, _ y: Int, _ step: Step, _ number: Int) -> String {
        let side = to > from ? 1 : -1
        let end = step.isBroken ? (from + to) / 2 + 24 * side : to
        let tip =
            step.isBroken
            ? "M\(end - 5) \(y - 5)L\(end + 5) \(y + 5)M\(end - 5) \(y + 5)L\(end + 5) \(y - 5)"
            : "M\(end - 8 * side) \(y - 5)L\(end) \(y)L\(end - 8 * side) \(y + 5)"
        let middle = (from + to) / 2
        return "<g class=\"\(step.mood.rawValue)\"><line x1=\"\(from)\" y1=\"\(y)\" x2=\"\(end)\" y2=\"\(y)\"/>"
            + "<path d=\"\(tip)\"/><circle class=\"hole\" cx=\"\(middle)\" cy=\"\(y)\" r=\"10\"/>"
            + "<text x=\"\(middle)\" y=\"\(y + 4)\">\(number)</text></g>"
    }

    /// A name as it fits above a lane.
    private static func short(_ name: String) -> String { name.count <= 16 ? name : name.prefix(15) + "…" }
}
