import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

extension Mutant {
    static let talk: [Mutant] = [
        wire(
            "busy.repeated-below", "Sends again, below the client, what was refused.", caughtBy: "error.refused-before"
        ) {
            Interceptor { (request, next) async throws(TransportFailure) in
                let response = try await next(request)
                return response.status == 429 ? try await next(request) : response
            }
        },
        driver("errors.busy-as-doubt", "Takes a refusal for a doubt.", caughtBy: "session.refused-for-good") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.delivery == .refused ? RequestFailure(.providerFailed, .maybeSent) : fault
            }
        },
        driver("errors.try-again", "Advises to try again while nobody knows.", caughtBy: "error.unknown-advice") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.delivery == .maybeSent ? RequestFailure(fault.code, .refused) : fault
            }
        },
        driver("errors.renewal-as-doubt", "Takes a lost renewal for a lost sale.", caughtBy: "session.renewal-lost") {
            $0.onAccess = { inner, last, context in
                do { return try await inner.accessToken(replacing: last, context) } catch {
                    return AccessToken(Secret("made-up"), expiresAt: context.now + 3_600_000)
                }
            }
        },
        driver("access.made-up", "Makes an access up when it gets none.", caughtBy: "session.no-access") {
            $0.onAccess = { inner, last, context in
                do { return try await inner.accessToken(replacing: last, context) } catch {
                    _ = try? await inner.accessToken(replacing: last, context)
                    return try await inner.accessToken(replacing: nil, context)
                }
            }
        },
    ]
}
