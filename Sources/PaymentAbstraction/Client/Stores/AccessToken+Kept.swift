package import PaymentBase

// How stores that outlive a process write access down; a store adds where, and who may read it.
extension AccessToken {
    /// The access as bytes, with the account that it belongs to; secrets in the clear.
    package func kept(for provider: ProviderIdentity) -> Secret {
        var object: JSONObject = [
            "token": .string(value.expose()), "expires": .number(JSONNumber(expiresAt)),
            "provider": .array(provider.parts.map { .string($0) }),
        ]
        object["refresh"] = refreshToken.map { .string($0.expose()) }
        var further = JSONObject()
        for (name, token) in additional.sorted(by: { $0.key < $1.key }) { further[name] = .string(token.expose()) }
        object["more"] = .object(further)
        return Secret(bytes: JSON.object(object).bytes())
    }

    /// Reads what was kept; nil when it can't be understood or belongs to another account.
    package init?(kept bytes: Secret, for provider: ProviderIdentity) {
        guard let json = try? JSONReader().read(bytes.exposeBytes()), let token = json["token"]?.string,
            let expires = json["expires"]?.int64, json["provider"]?.array == provider.parts.map({ .string($0) })
        else { return nil }
        self.init(Secret(token), expiresAt: expires, refreshToken: json["refresh"]?.string.map { Secret($0) })
        for member in json["more"]?.object?.members ?? [] {
            additional[member.key] = member.value.string.map { Secret($0) }
        }
    }
}

extension Installation {
    /// The names as bytes.
    package var kept: Secret {
        let json: JSON = ["id": .string(id), "device": .string(device)]
        return Secret(bytes: json.bytes())
    }

    /// Reads what was kept; nil when it can't be understood.
    package init?(kept bytes: Secret) {
        guard let json = try? JSONReader().read(bytes.exposeBytes()), let id = json["id"]?.string, !id.isEmpty,
            let device = json["device"]?.string, !device.isEmpty
        else { return nil }
        self.init(id: id, device: device)
    }
}

extension ProviderIdentity {
    /// The four parts of the account.
    fileprivate var parts: [String] { [id.rawValue, adapter, environment, merchant] }

    /// The account's name in a store: all four parts, and nothing that a path or a query would read otherwise.
    package var storageName: String { parts.map { PercentEncoding.queryComponent($0) }.joined(separator: ",") }
}
