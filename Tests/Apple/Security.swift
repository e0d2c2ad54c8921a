// The documented names of Apple's Security as far as Sources/PaymentApple uses them, and of CoreFoundation, which it brings
// along; for Scripts/apple alone. Nothing of it ever runs.

public typealias OSStatus = Int32
public typealias CFIndex = Int
public typealias CFTypeRef = AnyObject
public typealias CFStringEncoding = UInt32

public final class CFAllocator: Sendable {}
public final class CFString: Sendable {}
public final class CFBoolean: Sendable {}
public final class CFData: Sendable {}
public final class CFError: Error {}
public class CFDictionary {}
public final class CFMutableDictionary: CFDictionary {}
public final class SecKey {}
public final class SecRandom: Sendable {}

// Made of pointers, which the compiler calls unsafe.
@unsafe public struct CFDictionaryKeyCallBacks: Sendable {}
@unsafe public struct CFDictionaryValueCallBacks: Sendable {}
public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFBooleanTrue: CFBoolean! = CFBoolean()
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFBooleanFalse: CFBoolean! = CFBoolean()

public enum CFStringBuiltInEncodings: CFStringEncoding {
    case UTF8 = 0x0800_0100
}

public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! { nil }
public func CFDictionaryAddValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {}
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    nil
}
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! { nil }
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { 0 }
public func CFStringCreateWithBytes(
    _ alloc: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ numBytes: CFIndex, _ encoding: CFStringEncoding,
    _ isExternalRepresentation: Bool
) -> CFString! { nil }

public let kSecClass = CFString()
public let kSecClassGenericPassword = CFString()
public let kSecAttrService = CFString()
public let kSecAttrAccount = CFString()
public let kSecAttrAccessGroup = CFString()
public let kSecAttrAccessible = CFString()
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString()
public let kSecAttrSynchronizable = CFString()
public let kSecUseDataProtectionKeychain = CFString()
public let kSecMatchLimit = CFString()
public let kSecMatchLimitOne = CFString()
public let kSecReturnData = CFString()
public let kSecValueData = CFString()
public let kSecAttrKeyType = CFString()
public let kSecAttrKeyTypeRSA = CFString()
public let kSecAttrKeyClass = CFString()
public let kSecAttrKeyClassPrivate = CFString()
public let kSecAttrKeyClassPublic = CFString()
public let errSecSuccess: OSStatus = 0
public let kSecRandomDefault: SecRandom? = nil

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }

public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self(rawValue: "")
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self(rawValue: "")
}

public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { nil }
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool { false }
public func SecRandomCopyBytes(
    _ rnd: SecRandom?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 { 0 }
