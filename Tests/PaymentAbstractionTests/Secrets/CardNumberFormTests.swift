import Testing

@testable import PaymentBase
@testable import PaymentModel

/// A card number is found in whatever form people and keyboards write it; other numbers stay.
@Suite struct CardNumberFormTests {
    @Test(arguments: [
        "4242  4242  4242  4242", "4242 - 4242 - 4242 - 4242", "4242\u{A0}4242\u{A0}4242\u{A0}4242",
        "4242\u{202F}4242\u{202F}4242\u{202F}4242", "4242–4242–4242–4242", "4242\u{2011}4242\u{2011}4242\u{2011}4242",
        "4242\u{200B}4242\u{200B}4242\u{200B}4242", "4242\u{AD}4242\u{AD}4242\u{AD}4242", "4242.4242.4242.4242",
        "4242/4242/4242/4242", "4242_4242_4242_4242", "3782.822463.10005", "1.4242.4242.4242.4242",
        "４２４２４２４２４２４２４２４２", "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢", "4242４２４２42424242", "é4242\u{2003}4242 4242-4242",
        "4\u{FE0F}\u{20E3}242424242424242\u{301}4\u{FE0F}2", "2223.0031.2200.3222",
        "4242\t4242\t4242\t4242", "4242\n4242\n4242\n4242", "4242\u{2028}4242\u{2029}4242\u{85}4242",
        "4242:4242:4242:4242", "4242,4242,4242,4242", "4242|4242|4242|4242", "4242+4242=4242*4242",
    ])
    func cardNumber_inAnyForm_isFoundAndOnlyItsEndIsLeft(_ text: String) throws {
        let shown = Masking.cardNumbers(in: text)
        #expect(Masking.findsCardNumber(in: text))
        #expect(shown.unicodeScalars.count { Masking.digit($0) != nil } <= 5, "\(shown)")
        #expect(shown.utf8.count == text.utf8.count)
        #expect(Masking.cardNumbers(in: shown) == shown)
    }

    @Test(arguments: [
        "192.168.100.101", "2026.11.27 10.30", "2026/11/27/1030", "1767225600.123456", "2026.1127.0930.1700",
        "4000,4010,4020,4030", "12.345.678.901.234", "1/2/3/4/5/6/7/8/9/10/11/12", "order_1001_1002", "4242.4242.4242",
        "٢٠٢٦-١١-٢٧", "4242.4242.4242.4243", "4242    4242    4242    4242",
    ])
    func number_thatIsNoCards_stays(_ text: String) { #expect(Masking.cardNumbers(in: text) == text) }

    @Test(arguments: [
        ("postgres://u:secret@h/db", "postgres://…@h/db"),
        ("see \"https://u:a@b@h/x\" now", "see \"https://…@h/x\" now"),
        ("host=h password=secret user=u", "host=h password=… user=u"), ("mail a@b.example", "mail a@b.example"),
        ("https://h/path", "https://h/path"), ("a\tpostgres://u@h\nb  c", "a\tpostgres://…@h\nb  c"),
        ("host=h password='a secret \\' of two' user=u", "host=h password=… user=u"),
        ("postgres://u:secret@h/db?sslpassword=x", "postgres://…@h/db?sslpassword=…"),
        ("'postgres://u:se\"cret@h/db'", "'postgres://…@h/db'"), ("x://a:b@c,\"y://d:e@f\"", "x://…@c,\"y://…@f\""),
        ("{\"a\":\"https://h/x\",\"b\":\"c@d\"}", "{\"a\":\"https://h/x\",\"b\":\"c@d\"}"),
    ]) func loginOfAnAddress_isTakenOut_andAllElseStays(_ text: String, _ shown: String) {
        #expect(Masking.logins(in: text) == shown)
    }

    @Test func digit_ofAnyScript_hasItsValue() {
        #expect("0９٣७𝟗".unicodeScalars.map { Masking.digit($0) } == [0, 9, 3, 7, 9])
        #expect("a½Ⅷ²٫".unicodeScalars.allSatisfy { Masking.digit($0) == nil })
    }
}
