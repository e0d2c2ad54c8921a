import PaymentBase
import Testing

@Suite struct JSONMutationTests {
    @Test func twentyThousandVariantsNeitherCrashNorDivideTheReaders() throws {
        var accepted = 0
        for number in 0..<20_000 {
            let seed = UInt64(7_000_000 + number)
            var mutator = Mutator(seed: seed)
            let bytes = mutator.variant()
            do {
                if try Trial.run(bytes, choices: &mutator) { accepted += 1 }
            } catch {
                Issue.record("\(error) for variant seed \(seed)")
            }
        }
        #expect((1_000..<19_000).contains(accepted), "variants must be of both kinds, \(accepted) were accepted")
    }

    @Test func everySeedIsCanonicalOrAtLeastValid() {
        for seed in Seeds.texts { #expect(throws: Never.self) { try JSONReader().read(seed) } }
    }

    @Test func wireMessagesAreWrittenAsTheyWereRead() throws {
        for seed in Seeds.texts.prefix(4) { #expect(try JSONReader().read(seed).bytes() == seed) }
    }
}

/// Makes broken and unbroken variants of the seeds; one number gives one variant, on every machine.
struct Mutator {
    /// No variant is longer, so that a run stays fast.
    static let bytesMax = 4_096
    private static let tokens: [[UInt8]] = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "null", "true", "false", "-", "0", "1e9",
        ".",
        "\u{FEFF}", "é", "😀", "\u{0}", "\n", "\"a\":", "\"a\"", "1E+400", "[[[[[[[[", "{\"a\":{\"a\":",
    ].map { Array($0.utf8) }

    private var state: UInt64

    /// Makes the source of the variants that follow from `seed`.
    init(seed: UInt64) { state = seed }

    /// A number below `bound`.
    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }

    /// One variant of one of the seeds.
    mutating func variant() -> [UInt8] {
        var bytes = Seeds.texts[below(Seeds.texts.count)]
        for _ in 0..<below(5) { mutate(&bytes) }
        return Array(bytes.prefix(Self.bytesMax))
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = below(bytes.count + 1)
        let length = min(below(40), bytes.count - place)
        switch below(8) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(below(8)) }
        case 1: if place < bytes.count { bytes[place] = UInt8(below(256)) }
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.removeSubrange(place..<(place + length))
        case 4: bytes.insert(contentsOf: Self.tokens[below(Self.tokens.count)], at: place)
        case 5: bytes.insert(contentsOf: Array(bytes[place..<(place + length)]), at: below(bytes.count + 1))
        case 6:
            let other = Seeds.texts[below(Seeds.texts.count)]
            let start = below(other.count)
            let piece = other[start..<min(other.count, start + below(200))]
            bytes.replaceSubrange(place..<(place + length), with: piece)
        default: bytes.insert(UInt8(below(256)), at: place)
        }
    }
}

/// The texts that mutations start from: terminal messages and small documents that use every rule of the grammar.
enum Seeds {
    static let texts: [[UInt8]] = [
        Array(
            #"""
            {"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\#
            "MessageCategory":"Payment","MessageType":"Request","ServiceID":"0207111104","SaleID":"TILL-7",\#
            "POIID":"V400m-324688042"},\#
            "PaymentRequest":{"SaleData":{"SaleTransactionID":{"TransactionID":"order-1001",\#
            "TimeStamp":"2026-01-05T09:15:00.000Z"},"SaleToAcquirerData":"tenderOption=ReceiptHandler"},\#
            "PaymentTransaction":{"AmountsReq":{"Currency":"EUR","RequestedAmount":10.99}}}}}
            """#.utf8),
        Array(
            #"""
            {"SaleToPOIResponse":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\#
            "MessageCategory":"Payment","MessageType":"Response","ServiceID":"0207111104","SaleID":"TILL-7",\#
            "POIID":"V400m-324688042"},"PaymentResponse":{"Response":{"Result":"Success",\#
            "AdditionalResponse":"tid=24688042&authCode=123456&pspReference=8515565295894301&posAuthAmountValue=\#
            1099&cardHolderName=A%20B"},"SaleData":{"SaleTransactionID":{"TransactionID":"order-1001",\#
            "TimeStamp":"2026-01-05T09:15:00.000Z"}},\#
            "POIData":{"POITransactionID":{"TransactionID":"4r7i001556529591000.8515565295894301",\#
            "TimeStamp":"2026-01-05T09:15:09.000Z"}},"PaymentResult":{"OnlineFlag":true,\#
            "PaymentInstrumentData":{"PaymentInstrumentType":"Card","CardData":{"PaymentBrand":"mc",\#
            "MaskedPan":"541333 **** 9999","EntryMode":["Contactless"]}},"AmountsResp":{"Currency":"EUR",\#
            "AuthorizedAmount":10.99},"PaymentAcquirerData":{"MerchantID":"TestMerchant",\#
            "AcquirerPOIID":"V400m-324688042","AcquirerTransactionID":{"TransactionID":"8515565295894301",\#
            "TimeStamp":"2026-01-05T09:15:08.000Z"},"ApprovalCode":"123456"}}}}}
            """#.utf8),
        Array(
            #"""
            {"SaleToPOIResponse":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\#
            "MessageCategory":"TransactionStatus","MessageType":"Response","ServiceID":"35543420",\#
            "SaleID":"TILL-7","POIID":"V400m-324688042"},\#
            "TransactionStatusResponse":{"Response":{"Result":"Failure","ErrorCondition":"InProgress",\#
            "AdditionalResponse":"message=Transaction+in+progress"}}}}
            """#.utf8),
        Array(
            #"""
            {"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\#
            "MessageCategory":"Reversal","MessageType":"Request","ServiceID":"22123456","SaleID":"TILL-7",\#
            "POIID":"V400m-324688042"},\#
            "ReversalRequest":{"OriginalPOITransaction":{"POITransactionID":{"TransactionID":"4r7i00155652959100\#
            0.8515565295894301","TimeStamp":"2026-01-05T09:15:09.000Z"}},"ReversalReason":"MerchantCancel",\#
            "ReversedAmount":3.0,"SaleData":{"SaleTransactionID":{"TransactionID":"refund-1",\#
            "TimeStamp":"2026-01-05T10:00:00.000Z"},"SaleToAcquirerData":"currency=EUR"}}}}
            """#.utf8),
        Array(
            #"""
            {"a":[1,-0,0.5,1E+2,1e-300,123456789012345678901234567890],"b":{"c":null,"d":true,"e":false},"f":""}
            """#.utf8),
        Array(
            #"""
            ["\u0041\ud83d\ude00\n\"\\\/\b\f\r\t","ünïcödé €","\u0000"]
            """#.utf8),
        Array(
            #"""
             [ { "k\u0065y" : [ [ ] , { } ] } , "x" ] 
            """#.utf8),
        Array(
            #"""
            {"0":0,"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,"10":10,"11":11,"12":12,"13":13,\#
            "14":14,"15":15,"16":16,"17":17,"18":18}
            """#.utf8),
        Array(
            #"""
            [[[[[[[[[[{"a":{"a":{"a":[{"a":1},{"a":2}]}}}]]]]]]]]]]
            """#.utf8),
        Array(
            #"""
            "text"
            """#.utf8),
        Array(
            #"""
            -12.50
            """#.utf8),
        Array(
            #"""
            null
            """#.utf8),
    ]
}

/// What must hold for any bytes whatever: all readers agree, and what was read is written and read again unchanged.
enum Trial {
    /// What two ways of reading did not agree on.
    enum Finding: Error, Sendable, Equatable {
        case checkDisagrees, walkDisagrees, laxerIsStricter, rewrittenDiffers, prettyDiffers
    }

    /// Tries one text; says whether it was accepted.
    static func run(_ bytes: [UInt8], choices: inout Mutator) throws(Finding) -> Bool {
        let read = Result { () throws(JSONError) in try JSONReader().read(bytes) }
        let check = Result { () throws(JSONError) in try JSONReader().check(bytes) }
        let walked = Result { () throws(JSONError) in try Self.walk(bytes, &choices) }
        switch read {
        case .failure(let error):
            guard case .failure(let other) = check, other == error else { throw .checkDisagrees }
            guard case .failure = walked else { throw .walkDisagrees }
            return false
        case .success(let value):
            guard case .success = check else { throw .checkDisagrees }
            guard case .success = walked else { throw .walkDisagrees }
            var lax = JSONReadOptions()
            lax.duplicateKeys = .keepLast
            guard (try? JSONReader(options: lax).read(bytes)) == value else { throw .laxerIsStricter }
            let compact = value.bytes()
            guard (try? JSONReader().read(compact)) == value else { throw .rewrittenDiffers }
            guard let pretty = try? JSONReader().read(value.bytes(layout: .pretty)), pretty.bytes() == compact else {
                throw .prettyDiffers
            }
            return true
        }
    }

    /// Reads a text with the pull reader the way a careless caller would: skipping, leaving early, asking twice.
    private static func walk(_ bytes: [UInt8], _ choices: inout Mutator) throws(JSONError) {
        var reader = try JSONPullReader(bytes)
        try visit(&reader, &choices, levels: 12)
        try reader.end()
    }

    private static func visit(
        _ reader: inout JSONPullReader, _ choices: inout Mutator, levels: Int
    ) throws(JSONError) {
        let choice = levels == 0 ? 1 : choices.below(8)
        if choice == 0 {
            _ = try reader.value()
            return
        }
        if choice == 1 {
            try reader.skip()
            return
        }
        switch try reader.nextType() {
        case .null: _ = try reader.skipNull()
        case .bool: _ = try reader.bool()
        case .number: _ = try reader.number()
        case .string: _ = try reader.string()
        case .array:
            let array = try reader.enterArray()
            while try reader.nextElement(of: array) {
                if choices.below(4) > 0 { try visit(&reader, &choices, levels: levels - 1) }
            }
        case .object:
            let object = try reader.enterObject()
            while try reader.nextMember(of: object) {
                _ = reader.isKey("a")
                _ = reader.key
                if choices.below(4) > 0 { try visit(&reader, &choices, levels: levels - 1) }
                _ = reader.isKey("Currency")
            }
        }
    }
}
