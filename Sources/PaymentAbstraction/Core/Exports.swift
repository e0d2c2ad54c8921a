// A client is of no use without what it is asked and answers.
@_exported public import PaymentModel
