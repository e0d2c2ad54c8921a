import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentMobileSDKs
import PaymentModel
import PaymentProviderKit
import Testing

@testable import EcommpayProvider

/// What the documents show of saved accounts, of methods and of registrations, member by member.
@Suite struct EcommpaySavedMembersTests {
    /// The document's own example of a saved account.
    private static let account: JSON = [
        "number": "541333******0019", "token": "0bd983f99878381dce27d20478829458d19df7c88f287ad8753092d",
        "id": 12_353_661, "last_deposit_date": "2022-04-22 06:22:33", "last_tokenize_date": .null, "type": "card",
        "additional": [
            "email": "john@example.com", "phone": "+440202267709", "country": "GB", "recurring_enable": false,
            "card": [
                "holder": "Jonh Doe", "country": "GB", "bank_name": "CIAGROUP", "type": "mastercard",
                "product_name": "PREPAID", "expiry": "02/24",
            ],
        ],
    ]

    @Test func savedAccount_ofTheDocument_keepsItsMembers() throws {
        let saved = try #require(EcommpayMapping.instrument(Self.account, of: "c-1"))
        #expect(saved.id.rawValue == "12353661" && saved.card?.brand == "mastercard" && saved.card?.expiry == "02/24")
        #expect(
            saved.additional.mapValues(\.value) == [
                "last_deposit_date": "2022-04-22 06:22:33", "email": "john@example.com", "phone": "+440202267709",
                "country": "GB", "recurring_enable": "false", "card_bank_name": "CIAGROUP",
                "card_product_name": "PREPAID",
            ])
    }

    @Test func savedAccount_withNothingElse_hasNoFurtherMembers() throws {
        #expect(try #require(EcommpayMapping.instrument(["id": 1], of: nil)).additional.isEmpty)
    }

    @Test func methodOfTheKit_saysWhetherItSaves() {
        var method = EcommpayPhoneSDK.PaymentMethod(code: "card", name: "Card")
        method.walletSaveMode = "askCustomerBeforeSave"
        let offer = EcommpayKitMapping.offer([method], [])
        #expect(offer.methods.first?.saving == "askCustomerBeforeSave" && offer.methods.first?.title == "Card")
    }

    /// The kit's value has texts; the SDK's has numbers for two of them, which the glue refuses before anything is sent.
    @Test func registration_forTheKit_hasEachMemberAsText() throws {
        let info = try EcommpayKitMapping.recurrence([
            "register": true, "type": "R", "amount": 1_000, "interval": 2, "period": "M", "start_date": "01-02-2027",
        ])
        #expect(info.register && info.schedule.isEmpty)
        #expect(
            info.fields == ["type": "R", "amount": "1000", "interval": "2", "period": "M", "start_date": "01-02-2027"])
    }

    /// "string(2)" of the vendor's own type, at both ends of a year and of a month.
    @Test(arguments: [(1, 1, "01", "01"), (31, 12, "31", "12"), (29, 2, "29", "02"), (9, 10, "09", "10")])
    func registration_forTheKit_hasTwoDigitsOfADayAndAMonth(
        _ day: Int64, _ month: Int64, _ days: String, _ months: String
    ) throws {
        let info = try EcommpayKitMapping.recurrence([
            "expiry_day": .number(JSONNumber(day)), "expiry_month": .number(JSONNumber(month)), "expiry_year": 2_028,
        ])
        #expect(info.fields == ["expiry_day": days, "expiry_month": months, "expiry_year": "2028"])
    }

    @Test func registration_forTheKit_hasSingleDebits() throws {
        let info = try EcommpayKitMapping.recurrence([
            "schedule": [["date": "31-12-2026", "amount": 1], ["date": "01-01-2027", "amount": 2_500]]
        ])
        #expect(
            info.schedule == [.init(date: "31-12-2026", amount: 1), .init(date: "01-01-2027", amount: 2_500)])
        #expect(info.fields.isEmpty)
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            _ = try EcommpayKitMapping.recurrence(["schedule": [["date": "01-02-2027"]]])
        }
        #expect(throws: PaymentError(.unsupported, outcome: .notExecuted)) {
            _ = try EcommpayKitMapping.recurrence(["addendum": ["a": 1]])
        }
    }
}
