internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

/// Fetches a token from an address: JSON with a member that holds it, or the token as plain text.
struct TokenAddress: Sendable {
    /// The largest answer.
    static let bodyBytesMax = 64 * 1_024
    /// Where the token stands in a JSON answer when the reference names no member.
    static let members = ["token", "access_token"]

    let address: WebURL
    let member: String?
    let transport: any HTTPTransport

    func fetch() async throws(PaymentError) -> Secret {
        var request = HTTPRequest("GET", address.origin, address.target, headers: ["Accept": "application/json"])
        request.responseBodyBytesMax = Self.bodyBytesMax
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch {
            throw PaymentError.notExecuted(
                error.reason == .cancelled ? .cancelled : .network,
                "no token came from \(address): \(error.reason.rawValue)")
        }
        guard (200..<300).contains(response.status) else {
            throw refusal("it answered with status \(response.status)")
        }
        return Secret(try token(response.body))
    }

    private func token(_ body: [UInt8]) throws(PaymentError) -> String {
        let text: String
        let json = try? JSONReader().read(body)
        if let object = json?.object {
            let names = member.map { [$0] } ?? Self.members
            guard let found = names.compactMap({ object[$0]?.string }).first else {
                throw refusal("its JSON has no text under \(names.joined(separator: " or "))")
            }
            text = found
        } else if let member {
            throw refusal("its answer is no JSON object, so there is no member \(member)")
        } else {
            text = json?.string ?? String(decoding: body, as: UTF8.self).trimmedLineEnd
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refusal("its answer holds no token of one line without spaces")
        }
        return text
    }

    private func refusal(_ problem: String) -> PaymentError {
        PaymentError.notExecuted(
            .authentication, "no token came from \(address): \(problem); ask whoever runs that address")
    }
}

extension String {
    /// The same without one line feed, and a carriage return before it, at its end.
    package var trimmedLineEnd: String {
        // "\r\n" is one character.
        hasSuffix("\r\n") || hasSuffix("\n") ? String(dropLast()) : self
    }
}
