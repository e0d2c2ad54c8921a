// The documented names of Apple's CryptoKit as far as Sources/PaymentApple uses them, for Scripts/apple alone. Nothing of it
// ever runs.

public import Foundation

public protocol Digest: Sequence, Sendable where Element == UInt8 {}

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    static func hash<D: DataProtocol>(data: D) -> Digest
}

public struct SHA256Digest: Digest {
    public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
}

public struct SHA512Digest: Digest {
    public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
}

public struct SHA256: HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}

public struct SHA512: HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> SHA512Digest { SHA512Digest() }
}

public enum Insecure {
    public struct SHA1Digest: Digest {
        public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
    }

    public struct SHA1: HashFunction {
        public static func hash<D: DataProtocol>(data: D) -> SHA1Digest { SHA1Digest() }
    }
}

public struct SymmetricKey: Sendable {
    public init<D: ContiguousBytes>(data: D) {}
}

public struct HashedAuthenticationCode<H: HashFunction>: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
}

public struct HMAC<H: HashFunction>: Sendable {
    public static func authenticationCode<D: DataProtocol>(
        for data: D, using key: SymmetricKey
    ) -> HashedAuthenticationCode<H> { HashedAuthenticationCode() }
}
