public import PaymentAbstraction

/// One fresh company with everything around it: what a harness opens for each check.
public protocol Fixture: Sendable {
    /// A driver as a new process would make it; whatever it sends passes the tap on its way to the company.
    func driver(_ tap: Tap) throws -> any PaymentDriver
    /// The hardware in front of the till; nil where there is none.
    var reader: (any CardReader)? { get }
    /// Sets up what brings a script about, a card in front of the reader included; nil where the company can't play it.
    func cue(_ script: Script, _ operation: Operation, _ source: SourceKind) -> Cue?
    /// The company's own books as they are now.
    var ledger: LedgerView { get }
    /// Plays a fault once, after so many further requests were let through.
    func arm(_ fault: NeutralFault, after skipped: Int)
    /// Lets something happen at the company; gives the messages that it sends out, or nil where it can't happen there.
    func happen(_ event: CompanyEvent) -> [CompanyNews]?
    /// The messages that the company has sent out by itself since this was asked last.
    func posted() -> [CompanyNews]
    /// The same message without what proves that it is the company's.
    func unproven(_ news: CompanyNews) -> CompanyNews
    /// The same message with a wrong proof.
    func forged(_ news: CompanyNews) -> CompanyNews
}

extension Fixture {
    /// A company that sends nothing by itself.
    public func posted() -> [CompanyNews] { [] }

    /// A company whose proof is in the header fields.
    public func unproven(_ news: CompanyNews) -> CompanyNews { CompanyNews(headers: [:], body: news.body) }

    /// A company whose proof is in the header fields.
    public func forged(_ news: CompanyNews) -> CompanyNews {
        CompanyNews(headers: news.headers.mapValues { "forged-\($0.count)" }, body: news.body)
    }
}
