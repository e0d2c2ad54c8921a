import PaymentBase
import Testing

@testable import PaymentService

/// The document for generators that read OpenAPI 3.0 alone.
struct OpenAPIThreeTests {
    /// Every object below, but those whose members are names of the API.
    private static func objects(_ json: JSON, isNames: Bool = false) -> [JSONObject] {
        if let array = json.array { return array.flatMap { objects($0) } }
        guard let object = json.object else { return [] }
        let below = object.members.flatMap { member in
            ["example", "enum", "default"].contains(member.key) && !isNames
                ? [] : objects(member.value, isNames: !isNames && member.key == "properties")
        }
        return isNames ? below : [object] + below
    }

    @Test func document_hasNoKeywordThatThreeZeroHasNot_andTheSameOperations() throws {
        let newer = OpenAPIDocument(OperationTable.all, version: "1").json
        let document = OpenAPIThree.document(newer)
        #expect(document["openapi"] == "3.0.3")
        #expect(document["paths"]?.object?.members.map(\.key) == newer["paths"]?.object?.members.map(\.key))
        for object in Self.objects(document["paths"] ?? .null) + Self.objects(document["components"] ?? .null) {
            #expect(object.members.allSatisfy { !OpenAPIThree.unknown.contains($0.key) }, "\(JSON.object(object))")
            #expect(
                object["type"].map { $0.string != nil && $0 != "null" || $0.object != nil } ?? true,
                "\(JSON.object(object))")
            #expect(object["required"]?.array?.isEmpty != true, "an empty list of required members is none in 3.0")
        }
        #expect(Self.objects(newer).contains { $0["if"] != nil }, "nothing had to be left out")
    }

    @Test func member_thatMayBeNull_isNullable() throws {
        let document = OpenAPIThree.document(OpenAPIDocument(OperationTable.all, version: "1").json)
        let attempt = document["components"]?["schemas"]?["Attempt"]?["properties"]
        #expect(attempt?["createdAt"]?["type"] == "string" && attempt?["createdAt"]?["nullable"] == true)
        let problem = document["components"]?["schemas"]?["Problem"]?["properties"]
        #expect(problem?["outcome"]?["nullable"] == true)
        let sale = document["components"]?["schemas"]?["SaleBody"]
        #expect(sale?["properties"]?["amount"] != nil && sale?["required"] == ["amount"])
    }
}
