internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTesting

extension Check {
    private static func session(_ kit: Kit) throws -> Session {
        guard let session = kit.client.session else { throw CheckFailure("a session is declared and there is none") }
        return session
    }

    private static func repeats(_ kit: Kit, _ payments: [PaymentID]) async throws -> Int {
        var count = 0
        for payment in payments {
            count += try await kit.client.timeline(of: payment).count { $0.kind == .repeated }
        }
        return count
    }

    static let sessions: [Check] = [
        Check(
            "session.open", "Opening a session signs in until a moment in the future.", .session, needs: ["session"],
            .major, .core
        ) { kit in
            let session = try session(kit)
            try kit.expect(session.status, is: .signedOut, "the status before")
            try await session.open()
            guard case .signedIn(let until) = session.status else { throw CheckFailure("it is not signed in") }
            try kit.expect(until > kit.stage.now, "the access has lapsed when it is given")
            try kit.expect(await session.token() != nil, "there is no token")
        },
        Check(
            "session.sign-out", "Signing out forgets the access at once.", .session, needs: ["session"], .major, .core
        ) { kit in
            // Not only what this process holds: the next one would find it in the store.
            let store = MemoryTokenStore()
            let till = try kit.restarted { given in
                var given = given; given.tokens = store; return given
            }
            let session = try session(till)
            try await session.open()
            try await session.signOut()
            try kit.expect(session.status, is: .signedOut, "the status")
            try kit.expect(await session.token() == nil, "the token is still there")
            try kit.expect(try await store.load(kit.driver.identity) == nil, "the access is still in the store")
        },
        Check(
            "session.installation-kept", "The installation keeps its name when somebody signs out.", .session,
            needs: ["session"], .minor, .core
        ) { kit in
            let store = MemoryInstallationStore()
            func till() throws -> Kit {
                try kit.restarted { given in
                    var given = given; given.installations = store; return given
                }
            }
            let session = try session(till())
            try await session.open()
            let before = try await session.installation()
            try await session.signOut()
            try kit.expect(try await session.installation(), is: before, "the installation")
            let next = try await Self.session(till()).installation()
            try kit.expect(next, is: before, "the installation of the next process")
        },
        Check(
            "session.renewed-on-refusal", "A revoked access is renewed and the refused exchange made again, once.",
            .session, needs: ["session", "sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            _ = try kit.happen(.accessRevoked)
            let payment = try await kit.sold()
            try kit.expectMoved(payment.attempt, .charge, payment.requested)
            try kit.expect(try await repeats(kit, [payment.id]), is: 1, "repeats")
        },
        Check(
            "session.one-renewal-for-all", "Six sales with a revoked access share one renewal.", .session,
            needs: ["session", "sale"], .major, .core
        ) { kit in
            _ = try await kit.sold(reference: "warm")
            let before = kit.log.count
            _ = try await kit.sold(reference: "plain")
            let plain = kit.log.count - before
            _ = try kit.happen(.accessRevoked)
            let start = kit.log.count
            let source: SourceKind = kit.source == .reader ? .reader : kit.source
            try kit.expect(source != .reader, or: "only a reader is taken, and it reads one card at a time")
            let sales = (1...6).map { number in kit.start { try await kit.sold(reference: "o-\(number)") } }
            var payments: [PaymentID] = []
            for sale in sales { payments.append(try await sale.value.id) }
            let repeated = try await repeats(kit, payments)
            try kit.expect(kit.log.count - start, is: 6 * plain + repeated + 1, "exchanges with one renewal")
        },
        Check(
            "session.lapsed", "A lapsed access is renewed before it is used, not after a refusal.", .session,
            needs: ["session", "sale"], .major, .core
        ) { kit in
            try await kit.signIn()
            guard case .signedIn(let until) = try session(kit).status else { throw CheckFailure("not signed in") }
            guard until < kit.stage.now + 10 * 365 * 86_400_000 else { throw NotApplicable("the access never lapses") }
            try await kit.wait(max(0, until - kit.stage.now - 120_000))
            let early = try await kit.sold(reference: "early")
            try kit.expect(try await repeats(kit, [early.id]), is: 0, "refusals of an access that is said to be good")
            try await kit.wait(max(0, until - kit.stage.now) + 1)
            let payment = try await kit.sold()
            try kit.expect(try await repeats(kit, [payment.id]), is: 0, "refusals of a lapsed access")
        },
        Check(
            "session.kept-over-restart", "An access in the token store is used again by the next process.", .session,
            needs: ["session", "sale"], .minor, .core
        ) { kit in
            let store = MemoryTokenStore()
            let first = try kit.restarted { given in
                var given = given; given.tokens = store; return given
            }
            try await first.client.session?.open()
            let next = try kit.restarted { given in
                var given = given; given.tokens = store; return given
            }
            try await next.silently("a session that was kept") { try await next.client.session?.open() }
            _ = try await next.sold()
        },
        Check(
            "session.refused-for-good", "An access that is refused twice ends in an error, and nothing moved.",
            .session, needs: ["session", "sale"], .critical, .core
        ) { kit in
            try await kit.signIn()
            let before = kit.log.count
            try await kit.client.session?.renew()
            let renewal = kit.log.count - before
            try kit.arm("status.401")
            try kit.arm("status.401", after: renewal)
            let error = try await kit.failure("a sale") { _ = try await kit.sell() }
            try kit.expect(error, .authentication, .nothingMoved)
            try kit.expect(error.requiresTokenRefresh, "the error does not say that the access is the matter")
        },
        Check(
            "session.no-access", "When no access can be got, nothing moved.", .session, needs: ["session", "sale"],
            .critical, .core
        ) { kit in
            let id = try kit.attempt()
            try kit.arm("status.503-before")
            let error = try await kit.failure("a sale") { _ = try await kit.sell(attempt: id) }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
            try kit.expectNothingMoved(id)
        },
        Check(
            "session.renewal-lost", "A renewal whose answer is lost proves nothing about money.", .session,
            needs: ["session", "sale"], .critical, .core
        ) { kit in
            let id = try kit.attempt()
            try kit.arm("reply.lost")
            let error = try await kit.failure("a sale") { _ = try await kit.sell(attempt: id) }
            try kit.expect(error.outcome, is: .nothingMoved, "the outcome")
            let payment = try await kit.sold(attempt: id)
            try kit.expectMoved(id, .charge, payment.requested)
        },
    ]
}
