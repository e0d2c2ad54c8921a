#if canImport(Security)
internal import Foundation
internal import Security

/// Makes what Security's functions take, without a bridge that only Apple's compilers have.
enum SystemDictionary {
    static func make(_ members: [(key: CFString, value: AnyObject?)]) -> CFDictionary {
        var (keys, values) = unsafe (kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks)
        let dictionary = unsafe CFDictionaryCreateMutable(nil, members.count, &keys, &values)
        for (key, value) in members {
            guard let value else { continue }
            unsafe CFDictionaryAddValue(
                dictionary, Unmanaged.passUnretained(key).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
        }
        return dictionary ?? CFDictionaryCreateMutable(nil, 0, nil, nil)
    }

    static func data(_ bytes: [UInt8]) -> CFData? { unsafe CFDataCreate(nil, bytes, bytes.count) }

    static func text(_ text: String) -> CFString? {
        let bytes = Array(text.utf8)
        return unsafe CFStringCreateWithBytes(
            nil, bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue, false)
    }

    static func bytes(_ data: CFData) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
    }
}
#endif
