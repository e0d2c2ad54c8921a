import PaymentBase
import PaymentConformance

extension FindingMutant {
    static let ecommpay: [FindingMutant] = [
        FindingMutant(
            "E2", "ecommpay",
            EcommpayMutants.writes(
                "finding.debit-without-address", "Leaves the customer's address out of debits.", "sale.debit",
                "/card/recurring", EcommpayMutants.without("customer.ip_address"))),
        FindingMutant(
            "E3", "ecommpay",
            EcommpayMutants.writes(
                "finding.list-without-method", "Lists accounts without a payment method.", "sale.listed-saved",
                "/saved_account/list", EcommpayMutants.without("payment_method"))),
        FindingMutant(
            "E4", "ecommpay-gate", under: "ecommpay.gate.token-code.code-needed",
            EcommpayMutants.writes(
                "finding.token-without-code", "Leaves the code of a token's card out.", "sale.from-token",
                "/sale/token", EcommpayMutants.without("cvv"))),
        FindingMutant(
            "E5", "ecommpay", under: "ecommpay.status.ten-seconds.not-before-ten-seconds",
            EcommpayMutants.reads(
                "finding.not-shown-as-nothing", "Takes a payment that is not shown yet for one that holds nothing.",
                "capture.all", "/v2/payment/status", EcommpayMutants.without("errors"))),
        FindingMutant(
            "E7", "ecommpay",
            EcommpayMutants.reads(
                "finding.part-as-whole", "Takes a part that is called success for all of it.",
                "question.partial-not-asked", "/status",
                LineChange("**.amount") { $0.int64 == 12_000 ? 20_000 : $0 })),
    ]
}
