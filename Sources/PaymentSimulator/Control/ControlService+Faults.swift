internal import PaymentBase
internal import PaymentTransport

extension ControlService {
    /// What can be played, what waits and what was played.
    static func faults(_ sandbox: SimulatedProviders) -> SimulatorResponse {
        .json([
            "all": .array(
                WireFault.all.map { fault in
                    [
                        "id": .string(fault.rawValue), "executes": .bool(fault.executes),
                        "needsSocket": .bool(fault.needsSocket),
                    ]
                }),
            "armed": .array(sandbox.plan.armed.map(armed)), "played": .array(sandbox.plan.played.map(played)),
        ])
    }

    private static func armed(_ armed: FaultPlan.Armed) -> JSON {
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        let rule = armed.rule
        return [
            "number": .number(JSONNumber(Int64(armed.number))), "fault": .string(rule.fault.rawValue),
            "times": .number(JSONNumber(Int64(armed.timesLeft))), "skip": .number(JSONNumber(Int64(armed.skipsLeft))),
            "provider": text(rule.provider), "method": text(rule.method), "path": text(rule.path),
            "text": text(rule.text), "delayMilliseconds": .number(JSONNumber(rule.delayMilliseconds)),
            "dripMilliseconds": .number(JSONNumber(rule.dripMilliseconds)),
            "retryAfterSeconds": .number(JSONNumber(Int64(rule.retryAfterSeconds))),
        ]
    }

    private static func played(_ played: FaultPlan.Injected) -> JSON {
        [
            "number": .number(JSONNumber(Int64(played.number))), "fault": .string(played.fault.rawValue),
            "provider": .string(played.provider), "request": .string(played.request),
            "turn": .number(JSONNumber(Int64(played.turn))),
        ]
    }

    /// Arms a rule.
    static func arm(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        guard let rule = call.json.flatMap(rule) else {
            return .json(
                ["error": ["code": "malformed", "message": "this is no rule for a fault; GET /faults lists them"]],
                status: 400)
        }
        guard let number = sandbox.plan.arm(rule) else {
            return .json(["error": ["code": "tooMany", "message": "too many faults wait"]], status: 409)
        }
        return .json(["number": .number(JSONNumber(Int64(number)))], status: 201)
    }

    private static let names: Set<String> = [
        "fault", "times", "provider", "method", "path", "text", "skip", "delayMilliseconds", "dripMilliseconds",
        "retryAfterSeconds",
    ]

    /// A rule as it is written in JSON; nil when a member is unknown or of another kind.
    private static func rule(_ json: JSON) -> FaultRule? {
        guard let object = json.object, object.members.allSatisfy({ names.contains($0.key) }),
            let fault = object["fault"]?.string.flatMap({ WireFault(rawValue: $0) }),
            let times = number(object["times"], from: 1, to: FaultRule.timesMax, unless: 1),
            let skip = number(object["skip"], from: 0, to: FaultRule.timesMax, unless: 0),
            let delay = number(
                object["delayMilliseconds"], from: 0, to: Int(FaultRule.delayMillisecondsMax), unless: 60_000),
            let drip = number(
                object["dripMilliseconds"], from: 0, to: Int(FaultRule.delayMillisecondsMax), unless: 80),
            let wait = number(object["retryAfterSeconds"], from: 0, to: 86_400, unless: 2)
        else { return nil }
        var rule = FaultRule(fault, times: times)
        (rule.skip, rule.retryAfterSeconds) = (skip, wait)
        (rule.delayMilliseconds, rule.dripMilliseconds) = (Int64(delay), Int64(drip))
        for (name, place) in [
            ("provider", \FaultRule.provider), ("method", \.method), ("path", \.path), ("text", \.text),
        ] {
            guard let value = object[name], !value.isNull else { continue }
            guard let text = value.string else { return nil }
            rule[keyPath: place] = text
        }
        if let path = rule.path, !path.hasPrefix("*"), RoutePattern(path) == nil { return nil }
        return rule
    }

    private static func number(_ json: JSON?, from low: Int, to high: Int, unless missing: Int) -> Int? {
        guard let json, !json.isNull else { return missing }
        guard let value = json.int64.flatMap({ Int(exactly: $0) }), (low...high).contains(value) else { return nil }
        return value
    }
}
