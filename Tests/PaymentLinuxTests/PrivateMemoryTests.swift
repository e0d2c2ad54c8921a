import Foundation
import PaymentBase
import PaymentLinux
import Testing

@Suite struct PrivateMemoryTests {
    @Test func onceBegunNoDumpCanBeWritten() {
        let memory = PrivateMemory()
        #expect(memory.activate() && memory.isActive)
    }
}

@Suite struct PrivateSecretMemoryTests {
    @Test func secretsLieInPagesThatNoDumpHas() throws {
        let memory = PrivateSecretMemory()
        for count in [1, 16, 17, 300, 16_384] {
            let address = try #require(memory.allocate(byteCount: count))
            #expect(address % 16 == 0)
            #expect(try flags(ofPagesAt: address).contains("dd"))
        }
        var local = 1
        let other = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
        #expect(try !flags(ofPagesAt: other).contains("dd"))
    }

    @Test func whatIsTooLargeLiesElsewhere() {
        let memory = PrivateSecretMemory()
        #expect(memory.allocate(byteCount: 16_385) == nil)
        #expect(memory.allocate(byteCount: 0) == nil)
    }

    @Test func pieces_ofTwoHolders_neverOverlap() throws {
        let memory = PrivateSecretMemory()
        var taken: [(from: UInt, count: Int)] = []
        for number in 0..<3_000 {
            let count = 1 + number * 37 % 700
            taken.append((try #require(memory.allocate(byteCount: count)), count))
            if number % 3 == 0 {
                let last = taken.remove(at: taken.count / 2)
                memory.deallocate(last.from, byteCount: last.count)
            }
        }
        taken.sort { $0.from < $1.from }
        for (one, next) in zip(taken, taken.dropFirst()) { #expect(one.from + UInt(one.count) <= next.from) }
    }

    @Test func aSecretLiesThereAndIsWipedBeforeItIsReleased() throws {
        let memory = Watched()
        Secret.setMemory(memory)
        var secret: Secret? = Secret("a key that is held for long")
        Secret.setMemory(PrivateSecretMemory.shared)
        let place = try #require(memory.place(of: "a key that is held for long"))
        #expect(memory.wasWiped(place) == nil)
        secret = nil
        #expect(secret == nil && memory.wasWiped(place) == true)
        // A reader of credentials leaves it as the caller has chosen.
        let other = Watched()
        Secret.setDefaultMemory(other)
        let next = Secret("another key that is held for long")
        #expect(other.place(of: "another key that is held for long") == nil && !next.isEmpty)
    }

    /// Notes what it gives out, and never gives it out again, so that it can be looked at.
    private final class Watched: SecretMemory {
        private let memory = PrivateSecretMemory()
        private let given = Locked<[UInt: Int]>([:])
        private let wiped = Locked<[UInt: Bool]>([:])

        func allocate(byteCount count: Int) -> UInt? {
            let address = memory.allocate(byteCount: count)
            if let address { given.withLock { $0[address] = count } }
            return address
        }

        func deallocate(_ address: UInt, byteCount count: Int) {
            let isWiped = bytes(address, count).allSatisfy { $0 == 0 }
            wiped.withLock { $0[address] = isWiped }
        }

        func place(of text: String) -> UInt? {
            given.withLock { given in given.first { bytes($0.key, $0.value) == Array(text.utf8) }?.key }
        }

        /// Whether a place was overwritten when it was released; nil while it is held.
        func wasWiped(_ place: UInt) -> Bool? { wiped.withLock { $0[place] } }

        private func bytes(_ address: UInt, _ count: Int) -> [UInt8] {
            unsafe Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
        }
    }

    /// What the kernel says of the pages at an address.
    private func flags(ofPagesAt address: UInt) throws -> [Substring] {
        // Read to its end: such a file has no size.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        var isHere = false
        for line in text.split(separator: "\n") {
            let range = line.split(separator: " ").first?.split(separator: "-") ?? []
            if range.count == 2, let from = UInt(range[0], radix: 16), let end = UInt(range[1], radix: 16) {
                isHere = (from..<end).contains(address)
            } else if isHere, line.hasPrefix("VmFlags:") {
                return line.split(separator: " ").dropFirst().map { $0 }
            }
        }
        throw Missing()
    }

    private struct Missing: Error {}
}
