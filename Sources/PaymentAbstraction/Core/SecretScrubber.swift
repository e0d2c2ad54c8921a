internal import PaymentBase
internal import PaymentDriverKit

/// Takes the secrets that went out with a request out of whatever comes back, should a provider echo them.
struct SecretScrubber: Sendable {
    private var sets: [SecretPatterns] = []
    private var sieve = MultiPatternMatcher()
    /// What is said of people. It is taken out of words alone: a provider's name may hold an e-mail address, and leads to money.
    private var people: [SecretScrubber] = []

    /// Shorter ones are digits that may stand anywhere by chance; they are taken out only as whole words.
    static let anywhereCharactersMin = 8

    init(_ secrets: [Secret]) { add(SecretPatterns(secrets)) }

    /// Takes out what is known already.
    init(_ set: SecretPatterns) { add(set) }

    /// The same, with more to take out.
    func hiding(_ secrets: [Secret]) -> SecretScrubber {
        sets.contains { $0.secrets == secrets } ? self : hiding(SecretPatterns(secrets))
    }

    /// The same, with texts about people to take out of words.
    func hiding(people texts: [Secret]) -> SecretScrubber {
        if texts.isEmpty { return self }
        var copy = self
        copy.people.append(SecretScrubber(texts))
        return copy
    }

    /// The same, with more to take out that is known already.
    func hiding(_ set: SecretPatterns) -> SecretScrubber {
        if set.needles.isEmpty || sets.contains(where: { $0 === set }) { return self }
        var copy = self
        copy.add(set)
        return copy
    }

    private mutating func add(_ set: SecretPatterns) {
        if set.needles.isEmpty { return }
        sets.append(set)
        sieve.add(set.sieve)
    }

    /// Everything that is looked for.
    private var needles: [[UInt8]] { sets.flatMap(\.needles) }

    /// What is the same in groups.
    private var joinedNeedles: [[UInt8]] { sets.flatMap(\.joinedNeedles) }

    /// Takes secrets out of words, and then people: a name may stand within a secret.
    func callAsFunction(_ text: String) -> String { people.reduce(takingOut(of: text)) { text, scrub in scrub(text) } }

    /// Looks at bytes: a secret beside a combining scalar is other characters, and the same secret.
    private func takingOut(of text: String) -> String {
        if text.utf8.count < sieve.bytesMin { return text }
        let bytes = Array(text.utf8)
        guard mayStand(in: bytes) else { return text }
        var (out, next) = ([UInt8](), 0)
        for place in places(in: bytes) {
            out += bytes[next..<place.lowerBound]
            out += "<secret>".utf8
            next = place.upperBound
        }
        var text = String(decoding: out + bytes[next...], as: UTF8.self)
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        // The same letters may be written in other bytes.
        for needle in longNeedles where text.contains(needle) { text.replace(needle, with: "<secret>") }
        return text
    }

    /// False only where no secret stands, in whichever form.
    private func mayStand(in text: [UInt8]) -> Bool {
        if sets.isEmpty { return false }
        if sieve.mayStand(in: text) || DecodedText.mayBeEscaped(text) { return true }
        return sets.contains { $0.joinedNeedles.contains { DecodedText.mayHold($0, in: text) } }
    }

    /// Reads a text in every way, with what is looked for in each and where its parts stand in the text, until one is enough.
    private func read(
        _ text: [UInt8], _ isEnough: ([UInt8], _ needles: [[UInt8]], _ origin: (Range<Int>) -> Range<Int>) -> Bool
    ) {
        var (reading, needles) = (DecodedText(text), needles)
        for level in 0...DecodedText.levelsMax {
            if sieve.mayStand(in: reading.bytes), isEnough(reading.bytes, needles, reading.origin(of:)) { return }
            guard level < DecodedText.levelsMax, let next = reading.decoded() else { break }
            reading = next
        }
        needles = joinedNeedles
        if needles.isEmpty { return }
        // What is between the groups may look like a writing.
        for reading in reading.bytes.count < text.count ? [DecodedText(text), reading] : [reading] {
            let joined = reading.joined()
            guard sieve.mayStand(in: joined.bytes) else { continue }
            if isEnough(joined.bytes, needles, { reading.origin(of: $0, joined: joined) }) { return }
        }
    }

    /// Where secrets stand in a text, in order and apart.
    private func places(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        read(text) { bytes, needles, origin in
            for needle in needles {
                for place in Self.places(of: needle, in: bytes) {
                    let end = place + needle.count
                    let isInWord =
                        Self.isWord(bytes[..<place].suffix(4), atEnd: true)
                        || Self.isWord(bytes[end...].prefix(4), atEnd: false)
                    if needle.count < Self.anywhereCharactersMin, isInWord { continue }
                    found.append(origin(place..<end))
                }
            }
            return false
        }
        found.sort { $0.lowerBound < $1.lowerBound }
        return found.reduce(into: []) { apart, place in
            if let last = apart.last, place.lowerBound < last.upperBound {
                apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                apart.append(place)
            }
        }
    }

    /// What can't stand anywhere by chance.
    private var longNeedles: [String] {
        needles.filter { $0.count >= Self.anywhereCharactersMin }.map { String(decoding: $0, as: UTF8.self) }
    }

    func callAsFunction(_ text: String?) -> String? { text.map { self($0) } }

    func callAsFunction(_ message: ProviderMessage?) -> ProviderMessage? {
        message.map { $0.cleaned(by: { self($0) }) }
    }

    /// References find the money again: one is dropped only when it is one of our secrets, or has a long one in it.
    /// Three digits of a longer name that are also a security code stay, and so does a number that merely looks like a
    /// card's. What is longer than any name is none.
    func callAsFunction(_ references: PaymentReferences) -> PaymentReferences {
        references.filter { name, value in
            max(name.utf8.count, value.utf8.count) <= Self.referenceBytesMax && !isSecret(value) && !isSecret(name)
        }
    }

    /// The longest reference that is kept, in bytes.
    static let referenceBytesMax = 4_096

    /// Whether a name is a secret, or has one in it that can't stand there by chance.
    func isSecret(_ name: String) -> Bool {
        if name.utf8.count < sieve.bytesMin { return false }
        let bytes = Array(name.utf8)
        guard mayStand(in: bytes) else { return false }
        var isThere = false
        read(bytes) { bytes, needles, _ in
            isThere = needles.contains { needle in
                needle == bytes
                    || needle.count >= Self.anywhereCharactersMin && !Self.places(of: needle, in: bytes).isEmpty
            }
            return isThere
        }
        return isThere || longNeedles.contains { name.contains($0) }
    }

    /// Whether the last or the first scalar of a piece of a text belongs to a word.
    private static func isWord(_ piece: ArraySlice<UInt8>, atEnd: Bool) -> Bool {
        let scalars = String(decoding: piece, as: UTF8.self).unicodeScalars
        guard let scalar = atEnd ? scalars.last : scalars.first else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Where a needle stands, without overlaps. Each byte of the text is read once, whatever the needle repeats.
    private static func places(of needle: [UInt8], in text: [UInt8]) -> [Int] {
        guard !needle.isEmpty, needle.count <= text.count else { return [] }
        // How much of its beginning the needle ends with, up to each byte.
        var (again, length) = ([Int](repeating: 0, count: needle.count), 0)
        for index in needle.indices.dropFirst() {
            while length > 0, needle[index] != needle[length] { length = again[length - 1] }
            if needle[index] == needle[length] { length += 1 }
            again[index] = length
        }
        var (found, matched) = ([Int](), 0)
        for (index, byte) in text.enumerated() {
            while matched > 0, byte != needle[matched] { matched = again[matched - 1] }
            if byte == needle[matched] { matched += 1 }
            guard matched == needle.count else { continue }
            found.append(index + 1 - needle.count)
            matched = 0
        }
        return found
    }
}

extension SecretScrubber {
    /// What was seen, without our own secrets.
    func callAsFunction(_ sighting: LookupResult) -> LookupResult {
        switch sighting {
        case .found(let verdict): .found(self(verdict))
        case .repeated(let approval):
            if case .approved(let scrubbed) = self(.approved(approval)) { .repeated(scrubbed) } else { sighting }
        case .changed(let verdict): .changed(self(verdict))
        case .candidates(let seen):
            .candidates(seen.map { LookupResult.Candidate($0.name, self($0.verdict), at: $0.at) })
        case .cannotTell(let why, let shown): .cannotTell(self(why), shown: shown)
        case .notFound: sighting
        }
    }

    /// What a verdict brings, without our own secrets.
    func callAsFunction(_ verdict: Verdict) -> Verdict {
        switch verdict {
        case .approved(var approval):
            approval.references = self(approval.references)
            approval.receipt = approval.receipt.map { self($0) }
            approval.card = approval.card.map { self($0) }
            approval.saved = approval.saved.flatMap { self($0) }
            return .approved(approval)
        case .declined(let decline):
            var copy = Decline(
                Decline.Reason(rawValue: short(decline.reason.rawValue)),
                provider: self(decline.provider) ?? decline.provider, references: self(decline.references))
            copy.card = decline.card.map { self($0) }
            copy.receipt = decline.receipt.map { self($0) }
            return .declined(copy)
        case .cancelled(let cancellation):
            return .cancelled(
                Cancellation(
                    cause: cancellation.cause, provider: self(cancellation.provider),
                    references: self(cancellation.references), wasReversed: cancellation.wasReversed))
        case .pending(let pending):
            var copy = Pending(
                references: self(pending.references), provider: self(pending.provider), shouldPoll: pending.shouldPoll)
            copy.receipt = pending.receipt.map { self($0) }
            return .pending(copy)
        }
    }

    func callAsFunction(_ card: CardSummary) -> CardSummary {
        var copy = card
        (copy.brand, copy.entry, copy.expiry) = (short(card.brand), short(card.entry), short(card.expiry))
        (copy.funding, copy.issuerCountry) = (short(card.funding), short(card.issuerCountry))
        return copy
    }

    /// The longest of a provider's short texts, and of a receipt's lines, in Unicode scalars.
    static let (shortMax, lineMax) = (256, 1_024)
    /// How many lines and tags of a receipt are kept.
    static let receiptPartsMax = 256

    /// A short text of a provider's: without secrets, without card numbers, and cut.
    func short(_ text: String, _ most: Int = shortMax) -> String {
        Masking.shown(self(ProviderMessage.readable(text)), scalarsMax: most)
    }

    private func short(_ text: String?, _ most: Int = shortMax) -> String? { text.map { short($0, most) } }

    /// An instrument whose name is one of our secrets is not kept: it is no name then.
    func callAsFunction(_ saved: SavedInstrument) -> SavedInstrument? {
        guard !isSecret(saved.id.rawValue) else { return nil }
        var copy = saved
        copy.card = saved.card.map { self($0) }
        copy.customer = saved.customer.flatMap { isSecret($0) ? nil : $0 }
        return copy
    }

    func callAsFunction(_ receipt: Receipt) -> Receipt {
        var copy = Receipt()
        copy.authorizationCode = short(receipt.authorizationCode)
        copy.responseCode = short(receipt.responseCode)
        copy.responseText = short(receipt.responseText, Self.lineMax)
        // It is a number of twelve digits, which may look like a card's.
        let isUsual = receipt.retrievalReference.map { $0.utf8.count <= 12 } ?? true
        copy.retrievalReference = isUsual ? self(receipt.retrievalReference) : short(receipt.retrievalReference)
        (copy.at, copy.signatureRequired) = (receipt.at, receipt.signatureRequired)
        copy.verification = short(receipt.verification)
        copy.add(
            receipt.tags.prefix(Self.receiptPartsMax).map { tag in
                // Digits of a cryptogram may look like a card's number.
                Receipt.EMVTag(cut(tag.tag), cut(self(tag.value)))
            })
        (copy.merchant, copy.breakdown) = (receipt.merchant.map { self($0) }, receipt.breakdown)
        if let check = receipt.addressCheck {
            copy.addressCheck = Receipt.AddressCheck(
                code: short(check.code), action: short(check.action), result: short(check.result))
        }
        copy.lines = receipt.lines.prefix(Self.receiptPartsMax).map { line in
            Receipt.Line(
                line.copy, short(line.label, Self.lineMax), value: short(line.value, Self.lineMax),
                key: short(line.key), isBold: line.isBold)
        }
        return copy
    }

    private func cut(_ text: String) -> String {
        text.utf8.count <= Self.shortMax
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.shortMax)))
    }

    private func callAsFunction(_ merchant: Receipt.Merchant) -> Receipt.Merchant {
        var copy = merchant
        (copy.name, copy.address, copy.phone) = (short(merchant.name), short(merchant.address), short(merchant.phone))
        (copy.email, copy.website) = (short(merchant.email), short(merchant.website))
        (copy.merchantID, copy.terminalID) = (
            merchant.merchantID.map { cut(self($0)) }, merchant.terminalID.map { cut(self($0)) }
        )
        return copy
    }
}

/// Some secrets in every form in which they could come back, made once for all attempts that send the same.
final class SecretPatterns: Sendable {
    /// Shorter ones are no secrets.
    static let charactersMin = 3

    /// What it was made of.
    let secrets: [Secret]
    /// The bytes that are looked for, each text once.
    let needles: [[UInt8]]
    /// Those of letters and digits alone that are long enough to be the same secret when they come back in groups.
    let joinedNeedles: [[UInt8]]
    let sieve: MultiPatternMatcher

    /// A card's number has so many digits at least; without a digit a text may be a word, up to another length.
    private static let (joinedMin, joinedWordMin) = (12, 20)

    init(_ secrets: [Secret]) {
        var (needles, joinedNeedles, sieve) = ([[UInt8]](), [[UInt8]](), MultiPatternMatcher())
        for secret in secrets {
            let text = secret.expose()
            guard text.utf8.count >= Self.charactersMin else { continue }
            let joinedMin = text.utf8.contains { (48...57).contains($0) } ? Self.joinedMin : Self.joinedWordMin
            if text.utf8.count >= joinedMin, text.utf8.allSatisfy(Self.isPlain) {
                joinedNeedles.append(Array(text.utf8))
            }
            for form in [Array(text.utf8)] + Self.forms(of: text, secret.exposeBytes())
            where form.count >= Self.charactersMin && !needles.contains(form) {
                needles.append(form)
                sieve.add(form)
            }
        }
        (self.secrets, self.needles, self.joinedNeedles, self.sieve) = (secrets, needles, joinedNeedles, sieve)
    }

    /// The same text as it would stand in an address, in JSON, in hexadecimal, or in Base64: of its own, or somewhere
    /// in that of a longer text.
    private static func forms(of text: String, _ bytes: [UInt8]) -> [[UInt8]] {
        let padded = Base64.standard.encodeBytes(bytes)
        let unpadded = Array(padded.prefix { $0 != UInt8(ascii: "=") })
        let hex = Array(Hex.encode(bytes).utf8)
        var forms = [padded, unpadded, safe(unpadded), hex, hex.map { $0 >= UInt8(ascii: "a") ? $0 - 32 : $0 }]
        // What has letters and digits alone is the same in an address and in JSON.
        if !bytes.allSatisfy(isPlain) {
            forms += [
                Array(PercentEncoding.queryComponent(text).utf8),
                Array(FormEncoding.encode([FormField("", text)]).utf8.dropFirst()),
                Array(JSON.string(text).bytes().dropFirst().dropLast()),
            ]
        }
        if bytes.contains(UInt8(ascii: " ")) {
            forms.append(bytes.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 })
        }
        // What is undone in a text is undone in the secret within it.
        var reading = DecodedText(bytes)
        for _ in 0..<DecodedText.levelsMax {
            guard let next = reading.decoded() else { break }
            reading = next
            forms.append(reading.bytes)
        }
        for ahead in 0...2 {
            let inner = Self.inner(bytes, ahead)
            if inner.count >= SecretScrubber.anywhereCharactersMin { forms += [inner, safe(inner)] }
        }
        return forms
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    /// The same Base64 in the letters that addresses take.
    private static func safe(_ letters: [UInt8]) -> [UInt8] {
        letters.map { letter in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: letter
            }
        }
    }

    /// What Base64 makes of bytes wherever they are in a longer text, if so many bytes of a group of three are before them:
    /// the letters that neither the bytes before nor those behind them change.
    private static func inner(_ bytes: [UInt8], _ ahead: Int) -> [UInt8] {
        let letters = Base64.standard.encodeBytes([UInt8](repeating: 0, count: ahead) + bytes)
        let (first, end) = ((ahead * 8 + 5) / 6, (ahead + bytes.count) * 8 / 6)
        return first < end ? Array(letters[first..<min(end, letters.count)]) : []
    }
}

/// Keeps the last sets of needles, which are the same for payment after payment: an access and an adapter's own secrets.
final class SecretPatternCache: Sendable {
    /// How many sets are kept.
    private static let setsMax = 4
    private let sets = Locked([SecretPatterns]())

    /// The set of some secrets.
    func set(of secrets: [Secret]) -> SecretPatterns {
        if let known = sets.withLock({ sets in sets.first { $0.secrets == secrets } }) { return known }
        let fresh = SecretPatterns(secrets)
        sets.withLock { sets in
            if sets.count == Self.setsMax { sets.removeFirst() }
            sets.append(fresh)
        }
        return fresh
    }
}

/// Checks in one pass over the bytes that none of many texts is in another one.
///
/// A search by characters makes a table for every text that is looked for, and nearly nothing that comes back from a
/// provider has a secret in it. What the sieve does not rule out is searched as before.
struct MultiPatternMatcher: Sendable {
    /// How many marks there are; a power of two.
    private static let marksCount = 1_024
    private static let unmarked = [UInt8](repeating: 0, count: marksCount)
    /// How many bytes a mark is made of; a shorter text can't be ruled out.
    private static let markBytes = 3

    private var needles: [[UInt8]] = []
    private var marks = unmarked
    /// Whether some needle may equal a text that has other bytes, as composed and decomposed letters do.
    private var rulesOut = true
    private var shortest = Int.max

    /// A text of fewer bytes has none of the needles, however it is written: no form of a text of ASCII is shorter than itself.
    var bytesMin: Int { rulesOut ? shortest : 0 }

    /// Looks for one more text.
    mutating func add(_ bytes: [UInt8]) {
        guard bytes.count >= Self.markBytes, bytes.allSatisfy({ $0 < 0x80 }) else {
            rulesOut = false
            return
        }
        needles.append(bytes)
        shortest = min(shortest, bytes.count)
        marks[Self.mark(bytes[0], bytes[1], bytes[2])] = 1
    }

    /// Looks for everything that another one looks for, too.
    mutating func add(_ other: MultiPatternMatcher) {
        if needles.isEmpty, rulesOut {
            self = other
            return
        }
        (rulesOut, shortest) = (rulesOut && other.rulesOut, min(shortest, other.shortest))
        for bytes in other.needles {
            needles.append(bytes)
            marks[Self.mark(bytes[0], bytes[1], bytes[2])] = 1
        }
    }

    /// False only where no needle can stand in the text.
    func mayStand(in bytes: [UInt8]) -> Bool {
        guard rulesOut else { return true }
        let count = bytes.count
        guard count >= Self.markBytes else { return false }
        var (first, second) = (bytes[0], bytes[1])
        var union = first | second
        var index = 2
        var isMarked = false
        while index < count {
            let third = bytes[index]
            union |= third
            if marks[Self.mark(first, second, third)] != 0, !isMarked { isMarked = stands(at: index - 2, in: bytes) }
            (first, second) = (second, third)
            index += 1
        }
        return isMarked || union >= 0x80
    }

    /// How much of a needle is compared: one that repeats itself would else cost its length at each place.
    private static let comparedBytes = 64

    private func stands(at start: Int, in bytes: [UInt8]) -> Bool {
        for needle in needles where needle[0] == bytes[start] && needle.count <= bytes.count - start {
            var length = 1
            let end = min(needle.count, Self.comparedBytes)
            while length < end, needle[length] == bytes[start + length] { length += 1 }
            if length == end { return true }
        }
        return false
    }

    private static func mark(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
        ((Int(first) &* 37) ^ (Int(second) &* 44) ^ Int(third)) & (marksCount - 1)
    }
}
