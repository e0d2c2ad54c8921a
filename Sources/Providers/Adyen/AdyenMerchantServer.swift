public import PaymentTransport

/// The application's own server, as a driver on a phone sees it: what carries requests to the back office.
///
/// No key is on a phone. The server adds its own (`X-API-Key`), sends the request on as it is, with its
/// `Idempotency-Key`, and gives back the answer; how the phone proves itself to the server is the application's business.
/// It is handed over in `delegates` by the same value that is the phone's kit. What a failure proves is said as by every
/// transport: what may have left the server is `maybeSent`.
public protocol AdyenMerchantServer: HTTPTransport {}
