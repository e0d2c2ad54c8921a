// A driver is made of the model's words.
@_exported public import PaymentModel
