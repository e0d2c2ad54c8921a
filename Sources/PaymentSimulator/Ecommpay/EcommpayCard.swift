internal import PaymentBase

/// What the provider's test project does with a card, by its number alone.
enum EcommpayCard {
    /// How the holder is authenticated.
    enum Way { case none, frictionless, challenge, legacy, frictionlessThenLegacy }

    /// Cards that are declined without any question, with the code.
    static let declined = [
        "4111111111111111": "10100", "4539121411168251": "10602", "5200000000000015": "10100",
        "5200000000000007": "10103",
    ]
    /// Cards of which only a part is approved above a limit.
    static let partial: Set<String> = ["5126160000356675", "4010571676223548"]
    /// The limit, in minor units.
    static let partialUnits: Int64 = 12_000
    /// What debits of a registered card are declined with.
    static let debits = ["4000000000000119": "10102", "4000000000000135": "10105"]

    /// How the holder of a card is authenticated, and whether that ends well.
    static func way(_ number: String) -> (way: Way, succeeds: Bool) { ways[number] ?? (.none, true) }

    private static let ways: [String: (way: Way, succeeds: Bool)] = {
        let groups: [(Way, Bool, [String])] = [
            (.challenge, true, ["4314220000000056", "5413330000000019"]),
            (.challenge, false, ["4012000000020089", "5544330000000045"]),
            (.frictionless, true, ["4477000000000006", "5252000000000004"]),
            (.frictionlessThenLegacy, true, ["4012000000020063", "5544330000000029"]),
            (.legacy, true, ["4344693136092508", "5426257498741734", "4006260000000014"]),
            (
                .legacy, false,
                [
                    "4165519761269614", "4331289925608649", "4383604346807330", "5722753235016359",
                    "4314220000000072", "4314220000000098", "5413330000000035", "5413330000000092",
                ]
            ),
        ]
        var ways: [String: (way: Way, succeeds: Bool)] = [:]
        for (way, succeeds, numbers) in groups {
            for number in numbers { ways[number] = (way, succeeds) }
        }
        return ways
    }()
}
