extension JSONError {
    /// What is wrong with a JSON text, or with what was asked of it.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The text is longer than the reader's options allow.
        case tooLarge
        /// Arrays and objects are nested deeper than the reader's options allow.
        case tooDeep
        /// The text starts with a byte order mark, which JSON forbids.
        case byteOrderMark
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// The text stops in the middle.
        case unexpectedEnd
        /// A byte stands where the grammar has no place for it.
        case unexpectedByte
        /// Something other than white space follows the value.
        case trailingBytes
        /// A number is not written as JSON demands: a leading zero, a bare point, a sign `+`, no digits.
        case invalidNumber
        /// A backslash is followed by something that is no escape.
        case invalidEscape
        /// An escaped surrogate has no partner.
        case loneSurrogate
        /// A control character stands in a string without an escape.
        case controlCharacter
        /// An object has two members with the same key.
        case duplicateKey
        /// A value is of another type than the one that was asked for.
        case unexpectedType
        /// A number cannot be had exactly in the form that was asked for.
        case inexactNumber
        /// A member that the message must have is not there.
        case missingMember
        /// The program asked for something that was not due, such as a value where a key comes next.
        case unexpectedCall
    }
}
