/// The published interface of one provider as text, as `Scripts/contracts` makes it.
///
/// `tables` holds the messages, each as `name=shape;`, with `#number=shape;` for what comes twice:
///
/// | text | what may stand there |
/// |---|---|
/// | `s i n b a o l z` | a text, a whole number, a number, a truth value, anything, any object, any list, null |
/// | `{name=…,name!=…,begin*=…}` | an object with these members; `!` is required, `*` stands for the rest of a name |
/// | `[…]` | a list of these |
/// | `<one|two>` | one of these words |
/// | `(1:80)` | a number, a text's length or a list's count in these limits |
/// | `@` `?` `^` | a text that is an instant; null is allowed; only an example is known |
///
/// `bindings` says which message belongs to which call: `METHOD|path|request|status=answer,…|query,…;`. `-` is nothing,
/// `*` is something that nobody describes.
struct ContractData: Sendable {
    let tables: [String]
    let bindings: String
}
