/// What goes wrong on the device or with an answer, under one of the provider's own codes; its table says what it means.
struct CodedFailure: Error, Hashable {
    let code: String
    var message = ""

    init(_ code: String, _ message: String = "") { (self.code, self.message) = (code, message) }
}
