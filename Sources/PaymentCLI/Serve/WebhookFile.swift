internal import PaymentBase
internal import PaymentLinux
internal import PaymentModel
internal import PaymentProviderKit
internal import PaymentService

/// The file that says which receivers get webhooks.
enum WebhookFile {
    /// The largest file that is read, in bytes.
    private static let bytesMax = 1_024 * 1_024
    /// How many receivers there may be.
    private static let endpointsMax = 64

    private static let members: Set<String> = ["name", "shop", "url", "secrets", "mayBePrivate"]

    /// Reads a file: `{"endpoints": [{"name": …, "shop": …, "url": "https://…", "secrets": ["env:NAME"]}]}`.
    ///
    /// - Parameter isSimulated: Whether every provider is simulated: then plain HTTP may go to this machine.
    static func read(_ path: String, isSimulated: Bool) async throws -> [WebhookEndpoint] {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.read(path, bytesMax: bytesMax, forbidding: RegularFile.othersMayWrite)
        } catch {
            throw UsageError(message: "the webhooks \(path) can't be read: \(error.problem)")
        }
        let json: JSON
        do throws(JSONError) { json = try JSONReader().read(bytes) } catch {
            throw UsageError(message: "\(path) is no JSON text (line \(error.line), column \(error.column))")
        }
        guard let list = json["endpoints"]?.array, json.object?.count == 1, list.count <= endpointsMax else {
            throw UsageError(
                message: "\(path) needs one member, \"endpoints\", a list of at most \(endpointsMax) receivers")
        }
        var endpoints: [WebhookEndpoint] = []
        for (index, entry) in list.enumerated() {
            endpoints.append(try await endpoint(entry, "\(path): endpoints[\(index)]", isSimulated: isSimulated))
        }
        guard Set(endpoints.map(\.row)).count == endpoints.count else {
            throw UsageError(message: "\(path) has two receivers of one name in one shop")
        }
        return endpoints
    }

    private static func endpoint(_ entry: JSON, _ place: String, isSimulated: Bool) async throws -> WebhookEndpoint {
        guard let object = entry.object else { throw UsageError(message: "\(place) is no object") }
        for member in object.members where !members.contains(member.key) {
            throw UsageError(message: "\(place) has a member that is not known: \(member.key)")
        }
        guard let name = object["name"]?.string, KeyFile.isShop(name) else {
            throw UsageError(message: "\(place).name needs letters in lower case, digits and hyphens")
        }
        guard let shop = object["shop"]?.string, KeyFile.isShop(shop) else {
            throw UsageError(message: "\(place).shop needs the name of a shop")
        }
        guard let url = object["url"]?.string.flatMap({ WebURL($0) }) else {
            throw UsageError(message: "\(place).url needs an address that begins with https://, without a user name")
        }
        let isHere = ["127.0.0.1", "[::1]", "localhost"].contains(url.origin.host)
        guard url.origin.scheme == .https || isSimulated && isHere else {
            throw UsageError(
                message: "\(place).url needs https://; plain http:// goes to this machine alone, and only while every "
                    + "provider is simulated")
        }
        let mayBePrivate = object["mayBePrivate"]
        guard mayBePrivate == nil || mayBePrivate?.bool != nil else {
            throw UsageError(message: "\(place).mayBePrivate is true or false")
        }
        var secrets: [Secret] = []
        for reference in object["secrets"]?.array ?? [] {
            guard let reference = reference.string else {
                throw UsageError(message: "\(place).secrets is a list of texts")
            }
            secrets.append(try await SecretOption.read(reference))
        }
        let made = WebhookEndpoint(
            name, shop: shop, url.origin, url.target, secrets: secrets,
            mayBePrivate: mayBePrivate?.bool == true || isHere && url.origin.scheme == .http)
        guard let made else {
            throw UsageError(
                message: "\(place).secrets needs one or two references (env:NAME or file:PATH) to secrets of the form "
                    + "whsec_ and 24 to 64 bytes in Base64")
        }
        return made
    }
}
