/// Walks every sequence of events up to a length and stops at the first one that breaks a rule.
enum EventWalk {
    /// A sequence after which something did not hold.
    struct Violation: Error, CustomStringConvertible {
        let sequence: String
        let problem: String
        var description: String { "after \(sequence): \(problem)" }
    }

    /// Takes each step from each state; a step that says what is wrong ends the walk.
    ///
    /// - Returns: How many sequences were walked.
    static func run<Event, Node>(
        _ name: String, _ events: [Event], length: Int, from start: Node,
        step: (inout Node, Event) -> String?
    ) throws(Violation) -> Int {
        var path: [Event] = []
        var count = 0
        try go(events, length, start, &path, &count, step)
        print("flow \(name): \(count) sequences")
        return count
    }

    private static func go<Event, Node>(
        _ events: [Event], _ left: Int, _ node: Node, _ path: inout [Event], _ count: inout Int,
        _ step: (inout Node, Event) -> String?
    ) throws(Violation) {
        for event in events {
            var next = node
            path.append(event)
            count += 1
            if let problem = step(&next, event) {
                throw Violation(sequence: path.map { "\($0)" }.joined(separator: ", "), problem: problem)
            }
            if left > 1 { try go(events, left - 1, next, &path, &count, step) }
            path.removeLast()
        }
    }

    /// How many sequences of 1 to `length` events there are.
    static func count(events: Int, length: Int) -> Int {
        var (sum, power) = (0, 1)
        for _ in 0..<length {
            power *= events
            sum += power
        }
        return sum
    }
}
