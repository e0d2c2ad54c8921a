// An application that imports the client needs requests and results, too.
@_exported public import PaymentModel
