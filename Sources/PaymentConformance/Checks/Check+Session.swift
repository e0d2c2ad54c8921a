internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentTesting

extension Check {
    private static func session(_ context: CheckContext) throws -> ProviderClient.Session {
        guard let session = context.client.session else {
            throw CheckFailure("a session is declared and there is none")
        }
        return session
    }

    private static func repeats(_ context: CheckContext, _ payments: [PaymentID]) async throws -> Int {
        var count = 0
        for payment in payments {
            count += try await context.client.timeline(of: payment).count { $0.kind == .repeated }
        }
        return count
    }

    static let sessions: [Check] = [
        Check(
            "session.open", "Opening a session signs in until a moment in the future.", .session, needs: ["session"],
            .major, .core
        ) { context in
            let session = try session(context)
            try context.expect(session.status, is: .signedOut, "the status before")
            try await session.open()
            guard case .signedIn(let until) = session.status else { throw CheckFailure("it is not signed in") }
            try context.expect(until > context.scheduler.now, "the access has lapsed when it is given")
            try context.expect(await session.token() != nil, "there is no token")
        },
        Check(
            "session.sign-out", "Signing out forgets the access at once.", .session, needs: ["session"], .major, .core
        ) { context in
            // Not only what this process holds: the next one would find it in the store.
            let store = InMemoryTokenStore()
            let till = try context.restarted(\.tokens, store)
            let session = try session(till)
            try await session.open()
            try await session.signOut()
            try context.expect(session.status, is: .signedOut, "the status")
            try context.expect(await session.token() == nil, "the token is still there")
            try context.expect(try await store.load(context.driver.identity) == nil, "the access is still in the store")
        },
        Check(
            "session.installation-kept", "The installation keeps its name when a person signs out.", .session,
            needs: ["session"], .minor, .core
        ) { context in
            let store = InMemoryInstallationStore()
            func till() throws -> CheckContext { try context.restarted(\.installations, store) }
            let session = try session(till())
            try await session.open()
            let before = try await session.installation()
            try await session.signOut()
            try context.expect(try await session.installation(), is: before, "the installation")
            let next = try await Self.session(till()).installation()
            try context.expect(next, is: before, "the installation of the next process")
        },
        Check(
            "session.renewed-on-refusal", "A revoked access is renewed and the refused exchange made again, once.",
            .session, needs: ["session", "sale"], .critical, .core
        ) { context in
            try await context.signIn()
            _ = try context.happen(.accessRevoked)
            let id = try context.attempt()
            guard let result = try await context.attemptedSale(attempt: id) else {
                // The next sale has the renewed access.
                let next = try await context.approvedSale(reference: "next")
                try context.expectCharged(next)
                try context.expect(try await repeats(context, [next.id]), is: 0, "repeats of the next sale")
                return try await context.expectNotRepeated(id)
            }
            let payment = try context.approved(result)
            try context.expectCharged(payment)
            try context.expect(try await repeats(context, [payment.id]), is: 1, "repeats")
        },
        Check(
            "session.one-renewal-for-all", "Six sales with a revoked access share one renewal.", .session,
            needs: ["session", "sale"], .major, .core
        ) { context in
            _ = try await context.approvedSale(reference: "warm")
            let before = context.log.count
            try await context.client.session?.renew()
            let renewal = Set(context.log.exchanges.dropFirst(before).map(\.request))
            _ = try context.happen(.accessRevoked)
            let start = context.log.count
            let source: PaymentSource.Kind = context.source == .reader ? .reader : context.source
            try context.expect(source != .reader, or: "only a reader is taken, and it reads one card at a time")
            let ids = try (1...6).map { _ in try context.attempt() }
            let sales = ids.map { id in
                context.start { try await context.attemptedSale(reference: "o-\(id)", attempt: id) != nil }
            }
            var refused: [AttemptID] = []
            for (id, sale) in zip(ids, sales) where try await !sale.value { refused.append(id) }
            let requests = context.log.exchanges.dropFirst(start).map(\.request)
            let paid = ids.filter { !refused.contains($0) }.map { PaymentID($0) }
            let repeated = try await repeats(context, paid)
            try context.expect(repeated + refused.count > 0, or: "no sale met the revoked access")
            for id in refused.prefix(1) { try await context.expectNotRepeated(id) }
            try context.expect(
                requests.count { renewal.contains($0) }, is: renewal.count, "exchanges with one renewal")
        },
        Check(
            "session.lapsed", "A lapsed access is renewed before it is used, not after a refusal.", .session,
            needs: ["session", "sale"], .major, .core
        ) { context in
            try await context.signIn()
            guard case .signedIn(let until) = try session(context).status else { throw CheckFailure("not signed in") }
            guard until < context.scheduler.now + 10 * 365 * 86_400_000 else {
                throw NotApplicable("the access never lapses")
            }
            try await context.wait(max(0, until - context.scheduler.now - 120_000))
            let early = try await context.approvedSale(reference: "early")
            try context.expect(
                try await repeats(context, [early.id]), is: 0, "refusals of an access that is said to be good")
            try await context.wait(max(0, until - context.scheduler.now) + 1)
            let payment = try await context.approvedSale()
            try context.expect(try await repeats(context, [payment.id]), is: 0, "refusals of a lapsed access")
        },
        Check(
            "session.kept-over-restart", "An access in the token store is used again by the next process.", .session,
            needs: ["session", "sale"], .minor, .core
        ) { context in
            let store = InMemoryTokenStore()
            let first = try context.restarted(\.tokens, store)
            try await first.client.session?.open()
            let next = try context.restarted(\.tokens, store)
            try await next.expectNoRequests(during: "a session that was kept") { try await next.client.session?.open() }
            _ = try await next.approvedSale()
        },
        Check(
            "session.refused-for-good", "An access that is refused twice ends in an error, and nothing moved.",
            .session, needs: ["session", "sale"], .critical, .core
        ) { context in
            try await context.signIn()
            let before = context.log.count
            try await context.client.session?.renew()
            let renewal = context.log.count - before
            try context.arm("status.401")
            try context.arm("status.401", after: renewal)
            let id = try context.attempt()
            let error = try await context.failure("a sale") { _ = try await context.sale(attempt: id) }
            try context.expect(error.code, is: .authentication, "the error")
            try await context.expectRefused(error, id)
            try context.expect(error.requiresTokenRefresh, "the error does not say that the access is the matter")
        },
        Check(
            "session.no-access", "When no access can be got, nothing moved.", .session, needs: ["session", "sale"],
            .critical, .core
        ) { context in
            let id = try context.attempt()
            try context.arm("status.503-before")
            let error = try await context.failure("a sale") { _ = try await context.sale(attempt: id) }
            try context.expect(error.outcome, is: .notExecuted, "the outcome")
            try context.expectNothingMoved(id)
        },
        Check(
            "session.renewal-lost", "A renewal whose answer is lost proves nothing about money.", .session,
            needs: ["session", "sale"], .critical, .core
        ) { context in
            let id = try context.attempt()
            try context.arm("reply.lost")
            let error = try await context.failure("a sale") { _ = try await context.sale(attempt: id) }
            try context.expect(error.outcome, is: .notExecuted, "the outcome")
            let payment = try await context.approvedSale(attempt: id)
            try context.expectMoved(id, .charge, payment.requested)
        },
    ]
}
