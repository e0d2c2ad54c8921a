internal import PaymentCore
internal import PaymentProviderKit

extension Command {
    /// The capability matrix.
    static let providers = Command(
        name: "providers", summary: "shows what each configured provider has, side by side",
        example: "payctl providers --format json",
        takes: .configured(with: [
            .flag("all", "also lists what no provider has")
        ])
    ) { call in
        try await CommandSession.use(call, .journal) { till in
            let rows = till.configuration.providers
            let features = try rows.map { try till.client.provider($0.id).capabilityTable }
            call.say(
                ["providers": .array(zip(rows, features).map { json($0, $1, till.configuration.routing) })],
                table(rows, features, till.configuration.routing, all: call.given.has("all"), call.paint))
            return .fine
        }
    }

    private static func json(_ row: ConfiguredProvider, _ features: ProviderClient.CapabilityTable, _ routing: Routing)
        -> JSON
    {
        var capabilities = JSONObject()
        for entry in features.entries { capabilities[entry.name] = .bool(entry.isSupported) }
        let currencies = (row.currencies ?? []).map(\.code).sorted()
        return [
            "id": .string(row.id.rawValue), "name": .string(row.entry.name), "adapter": .string(row.entry.adapter),
            "environment": .string(row.environment), "link": .text(row.link?.name),
            "links": .array(
                row.entry.links.map { link in
                    [
                        "name": .string(link.name), "kind": .string(link.kind.rawValue),
                        "purpose": .string(link.purpose),
                        "environments": .texts(link.environments), "limit": .text(link.limits[row.environment]),
                    ]
                }), "active": .bool(routing.active == row.id),
            "draining": .bool(routing.draining.contains(row.id)),
            "currencies": .array(currencies.map { .string($0) }), "capabilities": .object(capabilities),
        ]
    }

    private static func table(
        _ rows: [ConfiguredProvider], _ features: [ProviderClient.CapabilityTable], _ routing: Routing, all: Bool,
        _ paint: Paint
    ) -> [String] {
        var table = TextTable(["capability"] + rows.map(\.id.rawValue))
        table.rows.append(["environment"] + rows.map(\.environment))
        table.rows.append(["link"] + rows.map { $0.link?.name ?? "" })
        table.rows.append(
            ["new payments"]
                + rows.map { row in
                    routing.draining.contains(row.id) ? "draining" : routing.active == row.id ? "active" : ""
                })
        for entry in features.first?.entries ?? [] {
            let has = features.map { $0[entry.name] }
            if all || has.contains(true) { table.rows.append([entry.name] + has.map { $0 ? "yes" : "·" }) }
        }
        return table.lines
    }
}

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
        let none = ["The adapter \(name) has no list of what it takes for granted."]
        call.say(["assumptions": .array(list)], list.isEmpty ? none : table.lines)
        return .fine
    }
}
