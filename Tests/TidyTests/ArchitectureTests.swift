import Testing

/// What docs/architecture.md says is so: its words, and the files that it names.
@Suite struct ArchitectureTests {
    private static let document = """
        # A house

        | outside | words |
        |---|---|

        ## Glossary

        ### Parts

        | word | meaning |
        |---|---|
        | client | what is held |
        | approval · decline | two |
        | word | a statement |
        | card on file · WebSocket | joined |

        ### Words that are leaving

        | word | becomes |
        |---|---|
        | cue | script |

        ### Plain words

        ```text
        journal lite
        sq 3
        ```

        ## Further

        | later | not |
        """

    @Test func theListsAreReadFromTheSection() {
        let vocabulary = Vocabulary(Self.document)
        let words = ["client", "approval", "decline", "word", "cardonfile", "websocket", "cue"]
        #expect(vocabulary.glossary.map(\.word) == words)
        #expect(vocabulary.leaving == [.init(word: "cue", line: 21)])
        #expect(vocabulary.plain.map(\.word) == ["journal", "lite", "sq", "3"])
        #expect(vocabulary.plain.first?.line == 26)
    }

    @Test(arguments: [
        ("PaymentClient", ["payment", "client"]), ("SQLiteJournal", ["sq", "lite", "journal"]),
        ("HTTP", ["http"]), ("URLSessionTransport", ["url", "session", "transport"]), ("Base64", ["base64"]),
        ("ThreeDSecure", ["three", "d", "secure"]), ("AttemptID", ["attempt", "id"]),
    ])
    func aNameIsTakenApartAtItsCapitals(_ name: String, _ pieces: [String]) {
        #expect(Vocabulary.pieces(of: name) == pieces)
    }

    @Test func aWordMayBePluralOrJoined() {
        let vocabulary = Vocabulary(Self.document)
        func unknown(_ name: String) -> [String] {
            vocabulary.words(in: name).filter { $0.word == nil }.map(\.piece)
        }
        #expect(unknown("SQLiteJournals").isEmpty)
        #expect(unknown("WebSocketClient").isEmpty && unknown("CardOnFileClient").isEmpty)
        #expect(unknown("WebClient") == ["web"])
        #expect(unknown("ClientGizmo") == ["gizmo"])
        #expect(Vocabulary("").words(in: "Client").map(\.piece) == ["client"])
        #expect(Vocabulary("").words(in: "Client").allSatisfy { $0.word == nil })
    }

    @Test func noWordIsThereTwice() {
        let house = Vocabulary.house
        #expect(house.glossary.count > 100 && !house.plain.isEmpty)
        let twice = Dictionary(grouping: house.glossary + house.plain, by: \.word).filter { $1.count > 1 }
        for (word, entries) in twice {
            Issue.record("\(Vocabulary.path):\(entries[1].line): \"\(word)\" stands in line \(entries[0].line), too")
        }
    }

    @Test func plainWordsAndThoseThatAreLeavingAreUsed() {
        let house = Vocabulary.house
        let names = Set(Repository.files.filter(\.isSource).flatMap { PublicName.all(in: $0.tokens) }.map(\.text))
        let used = Set(names.flatMap { house.words(in: $0).compactMap(\.word) })
        for entry in house.plain + house.leaving where !used.contains(entry.word) {
            Issue.record("\(Vocabulary.path):\(entry.line): no public type uses \"\(entry.word)\": take it out")
        }
    }

    @Test func theFilesThatItNamesAreThere() {
        let names = Set(Repository.files.filter(\.isSource).map { String($0.name) })
        let lines = Repository.files.first { $0.path == Vocabulary.path }?.lines ?? []
        var count = 0
        for (offset, line) in lines.enumerated() {
            for piece in line.split(separator: "`") where piece.hasSuffix(".swift") && piece != "Package.swift" {
                count += 1
                let isThere = names.contains(String(piece))
                #expect(isThere, "\(Vocabulary.path):\(offset + 1): there is no \(piece) in Sources")
            }
        }
        #expect(count > 50)
    }
}
