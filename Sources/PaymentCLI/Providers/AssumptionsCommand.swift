internal import PaymentBase
internal import PaymentProviderKit

extension Command {
    /// What an adapter takes for granted about its provider.
    static let assumptions = Command(
        name: "assumptions",
        summary: "lists what an adapter takes for granted, what changes it, and how to find out at the provider",
        example: "payctl assumptions adyen --format json",
        takes: AcceptedArguments(operands: ["ADAPTER"])
    ) { call in
        let name = try call.operand(0, "ADAPTER")
        guard let entry = call.registry.providers.entry(name) else {
            throw UsageError(message: "there is no adapter \(name)")
        }
        let list: [JSON] = entry.assumptions.map { one in
            [
                "id": .string(one.id), "place": .string(one.place), "setting": one.setting.map(JSON.string) ?? .null,
                "howToFindOut": .string(one.howToFindOut),
            ]
        }
        var table = TextTable(["assumed", "changed by", "how to find out"])
        for one in entry.assumptions { table.rows.append([one.id, one.setting ?? "–", one.howToFindOut]) }
        let none = ["Nobody has listed what the adapter \(name) takes for granted."]
        call.say(["assumptions": .array(list)], list.isEmpty ? none : table.lines)
        return .fine
    }
}
