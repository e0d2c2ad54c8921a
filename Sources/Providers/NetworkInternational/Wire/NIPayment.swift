internal import PaymentBase
internal import PaymentMobileSDKs

/// What the provider answers to a purchase, an authorisation or a capture.
struct NIPayment {
    let reference: String
    let order: String
    let state: String
    let outlet: String?
    let amount: NIAmount?
    /// The part that the issuer approved, where it says one.
    let part: NIAmount?
    let at: Int64?
    let isSuccess: Bool?
    let authorizationCode: String?
    let resultCode: String?
    let resultMessage: String?
    let retrievalReference: String?
    let merchantNumber: String?
    /// The captures so far; nil where the answer has no such list.
    let captures: [NIMovement]?

    /// Whether only a part was approved.
    var isPartial: Bool { state == "PARTIALLY_AUTHORISED" }
    /// Whether nothing was approved.
    var isFailed: Bool { state == "FAILED" || state == "DECLINED" }

    /// Reads an answer; nil when it says nothing about a payment, or names an amount that no payment has.
    init?(_ json: JSON?) {
        guard let json, let state = json["state"]?.string, let reference = json["reference"]?.string,
            let order = json["orderReference"]?.string
        else { return nil }
        (self.state, self.reference, self.order) = (state, reference, order)
        (outlet, amount) = (json["outletId"]?.string, NIAmount(json["amount"]))
        at = json["updateDateTime"]?.string.flatMap { Timestamp($0)?.milliseconds }
        let answer = json["authResponse"]
        part = NIAmount(answer?["partialAmount"])
        isSuccess = answer?["success"]?.bool
        (authorizationCode, resultCode) = (answer?["authorizationCode"]?.string, answer?["resultCode"]?.string)
        (resultMessage, retrievalReference) = (answer?["resultMessage"]?.string, answer?["rrn"]?.string)
        merchantNumber = answer?["mid"]?.string
        captures = json["_embedded"]?["cnp:capture"]?.array.map { list in
            NIMovement.inOrder(list.map { NIMovement(capture: $0) })
        }
        let amounts = [amount, part] + (captures ?? []).map(\.amount)
        guard amounts.allSatisfy({ $0?.isBelievable ?? true }) else { return nil }
    }

    /// Takes the kit's answer, which has the same members.
    init(_ answer: NIPhoneSDK.PaymentResponse) {
        (state, reference, order) = (answer.state, answer.reference, answer.orderReference)
        (outlet, amount) = (answer.outletId, answer.amount.map { NIAmount($0) })
        at = answer.updateDateTime.flatMap { Timestamp($0)?.milliseconds }
        let said = answer.authResponse
        (isSuccess, authorizationCode, resultCode) = (said?.success, said?.authorizationCode, said?.resultCode)
        (resultMessage, merchantNumber) = (said?.resultMessage, said?.mid)
        (part, retrievalReference, captures) = (nil, nil, nil)
    }
}
