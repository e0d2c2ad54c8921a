package import PaymentAbstraction
internal import PaymentTesting

/// Several journals on one store, each of which gets a call in its turn.
package struct TurnsJournal: JournalWrapper {
    private let journals: [any Journal]
    private let counter = Counter()

    /// Takes journals that share their payments.
    package init(_ journals: [any Journal]) { self.journals = journals }

    package var inner: any Journal { journals[counter.next() % journals.count] }
}
