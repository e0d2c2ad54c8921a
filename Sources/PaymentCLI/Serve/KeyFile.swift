internal import PaymentBase
internal import PaymentLinux
internal import PaymentModel
internal import PaymentService

/// The file that says which keys may call.
enum KeyFile {
    /// The largest file that is read, in bytes.
    private static let bytesMax = 1_024 * 1_024

    /// Whether a text names a shop.
    static func isShop(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !Masking.findsCardNumber(in: text)
            && text.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// Reads a file: `{"keys": [{"sha256": …, "name": …, "shop": …, "role": …}]}`.
    ///
    /// - Parameter mayBeEmpty: Whether there may be no key: a service that runs can lose all of them.
    static func read(_ path: String, mayBeEmpty: Bool = false) throws(UsageError) -> [ServiceKey] {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.read(path, bytesMax: bytesMax, forbidding: RegularFile.othersMayWrite)
        } catch {
            throw UsageError(message: "the keys \(path) can't be read: \(error.problem)")
        }
        let json: JSON
        do throws(JSONError) { json = try JSONReader().read(bytes) } catch {
            throw UsageError(message: "\(path) is no JSON text (line \(error.line), column \(error.column))")
        }
        guard let list = json["keys"]?.array, json.object?.count == 1, mayBeEmpty || !list.isEmpty else {
            throw UsageError(message: "\(path) needs one member, \"keys\", a list of what `payctl key new` prints")
        }
        var keys: [ServiceKey] = []
        for (index, entry) in list.enumerated() { keys.append(try key(entry, "\(path): keys[\(index)]")) }
        guard Set(keys.map(\.digest)).count == keys.count else {
            throw UsageError(message: "\(path) has a key twice")
        }
        return keys
    }

    private static let members: Set<String> = [
        "sha256", "name", "shop", "role", "mayRefund", "mayOmitReference", "endsAt", "operations", "readers",
        "amountMax",
        "refundMax", "refundMaxPerDay",
    ]

    private static func key(_ entry: JSON, _ place: String) throws(UsageError) -> ServiceKey {
        guard let object = entry.object else { throw UsageError(message: "\(place) is no object") }
        for member in object.members where !members.contains(member.key) {
            throw UsageError(message: "\(place) has a member that is not known: \(member.key)")
        }
        guard let digest = object["sha256"]?.string, Hex.decode(digest)?.count == 32 else {
            throw UsageError(message: "\(place).sha256 needs 64 hexadecimal digits")
        }
        guard let shop = object["shop"]?.string, isShop(shop) else {
            throw UsageError(message: "\(place).shop needs a name of letters in lower case, digits and hyphens")
        }
        guard let role = object["role"]?.string.flatMap({ ServiceRole(rawValue: $0) }) else {
            throw UsageError(message: "\(place).role is viewer, till or office")
        }
        guard let name = object["name"]?.string, (1...64).contains(name.utf8.count) else {
            throw UsageError(message: "\(place).name needs 1 to 64 characters")
        }
        var key = ServiceKey(digest: digest, name: name, shop: shop, role: role)
        if let may = object["mayRefund"] { key.mayRefund = try flag(may, "\(place).mayRefund") }
        if let may = object["mayOmitReference"] { key.mayOmitReference = try flag(may, "\(place).mayOmitReference") }
        key.operations = try object["operations"].map { json throws(UsageError) in
            let known = Set(PaymentService.operations.map(\.id))
            let named = try words(json, "\(place).operations")
            if let unknown = named.subtracting(known).min() {
                throw UsageError(message: "\(place).operations has no operation: \(unknown)")
            }
            return named
        }
        key.readers = try object["readers"].map { json throws(UsageError) in try words(json, "\(place).readers") }
        key.amountMax = try limits(object, "amountMax", place)
        key.refundMax = try limits(object, "refundMax", place)
        key.refundMaxPerDay = try limits(object, "refundMaxPerDay", place)
        if let end = object["endsAt"] {
            guard let time = end.string.flatMap({ Timestamp($0) }) else {
                throw UsageError(message: "\(place).endsAt needs a moment, such as 2027-01-01T00:00:00Z")
            }
            key.endsAt = time.milliseconds
        }
        return key
    }

    private static func flag(_ json: JSON, _ place: String) throws(UsageError) -> Bool {
        guard let flag = json.bool else { throw UsageError(message: "\(place) is true or false") }
        return flag
    }

    private static func words(_ json: JSON, _ place: String) throws(UsageError) -> Set<String> {
        guard let list = json.array, !list.isEmpty, list.allSatisfy({ $0.string != nil }) else {
            throw UsageError(message: "\(place) is a list of names")
        }
        return Set(list.compactMap(\.string))
    }

    /// Amounts, one for each currency: `["100.00 EUR"]`.
    private static func limits(
        _ object: JSONObject, _ name: String, _ place: String
    ) throws(UsageError) -> [Currency: Money]? {
        guard let json = object[name] else { return nil }
        var limits: [Currency: Money] = [:]
        for text in try words(json, "\(place).\(name)") {
            let parts = text.split(separator: " ")
            guard parts.count == 2, let currency = Currency.known(String(parts[1])),
                let amount = try? Money(String(parts[0]), currency), amount.decimalText == parts[0]
            else { throw UsageError(message: "\(place).\(name) has amounts such as \"100.00 EUR\" (got \(text))") }
            guard limits.updateValue(amount, forKey: currency) == nil else {
                throw UsageError(message: "\(place).\(name) has a currency twice: \(currency)")
            }
        }
        return limits
    }
}
