import Foundation
import PaymentBase
import PaymentModel
import Testing

/// Sentences for a cashier: every kind of error has one in each language, and none shows what is for developers.
@Suite struct CashierMessageTests {
    private static let tables = [CashierMessages.english, .german]

    /// The kinds of error that the source declares, so that a new one can't be forgotten in the list.
    private func declared() throws -> Set<String> {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/PaymentAbstraction/Model/PaymentError.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        return Set(text.matches(of: #/static let \w+ = Code\(rawValue: "(\w+)"\)/#).map { String($0.1) })
    }

    @Test func table_ofEachLanguage_hasASentenceForEveryCode() throws {
        let codes = try declared()
        #expect(codes.count >= 29)
        #expect(Set(PaymentError.Code.known.map(\.rawValue)) == codes)
        let outcomes = [CashierMessages.unknownKey, CashierMessages.movedKey, CashierMessages.otherKey]
        let prompts = TillScreen.Prompt.allCases.map(\.messageKey)
        let screens = ["starting", "terms", "preparing", "ready", "paid", "refunded", "declined", "pending"].map {
            "screen.\($0)"
        }
        for table in Self.tables {
            #expect(
                Set(table.sentences.keys) == codes.union(outcomes).union(prompts).union(screens), "\(table.language)")
            for (key, sentence) in table.sentences {
                #expect(sentence.hasSuffix(".") && !sentence.dropLast().contains("."), "\(table.language) \(key)")
                #expect(sentence.first?.isUppercase == true && sentence.count <= 160, "\(table.language) \(key)")
            }
            #expect(Set(table.sentences.values).count == table.sentences.count, "\(table.language)")
        }
    }

    @Test func message_whileTheOutcomeIsUnknown_neverSaysToTryAgain() {
        for code in PaymentError.Code.known {
            let unknown = PaymentError(code, outcome: .unknown)
            #expect(unknown.message == CashierMessages.english.sentences[CashierMessages.unknownKey])
            #expect(unknown.message.contains("do not try it again"))
            let moved = PaymentError(code, outcome: .executed)
            #expect(moved.message.contains("do not try it again"))
            #expect(PaymentError.notExecuted(code, "").message == CashierMessages.english.sentences[code.rawValue])
        }
    }

    @Test func message_ofAnError_holdsNothingForDevelopers() {
        let error = PaymentError(
            .network, outcome: .notExecuted, provider: ProviderMessage(code: "E-77", message: "said"),
            detail: "in developer words",
            diagnosis: FailureDiagnosis(.dns, host: "https://host.example:443", .init(rawValue: "nameNotResolved")))
        for word in ["E-77", "said", "developer", "host.example", "DNS", "network"] {
            #expect(!error.message.contains(word), "\(word)")
        }
        let all = error.debugDescription
        for word in ["E-77", "in developer words", "https://host.example:443: the host's name is not known (DNS)"] {
            #expect(all.contains(word), "\(word)")
        }
    }

    @Test func message_ofAnAdaptersOwnCode_isTheGeneralOne() {
        let own = PaymentError(PaymentError.Code(rawValue: "acmeOnly"), outcome: .notExecuted)
        for table in Self.tables { #expect(table.sentence(for: own) == table.sentences[CashierMessages.otherKey]) }
        #expect(own.messageKey == "acmeOnly")
    }
}
