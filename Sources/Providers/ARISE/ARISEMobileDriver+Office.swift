public import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentProviderKit

extension ARISEMobileDriver: ReaderDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        let found = await kit.ttp.checkCompatibility()
        if found.isCompatible { return ReaderCompatibility([]) }
        let version = found.iosVersionCheck
        var checks = [
            ReaderCompatibility.Check(
                .model, passed: found.deviceModelCheck.isCompatible, found: found.deviceModelCheck.modelIdentifier,
                required: "iPhone XS"),
            .init(
                .systemVersion, passed: version.isCompatible, found: version.version,
                required: version.minimumRequiredVersion),
        ]
        // The reasons say what else is in the way.
        if checks.allSatisfy(\.passed) {
            let reasons = found.incompatibilityReasons.joined(separator: "; ")
            checks.append(.init(.integrity, passed: false, found: reasons, required: "nothing in the way"))
        }
        return ReaderCompatibility(checks)
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let status = try await context.exchange { _ in try await kit.ttp.getStatus() }
        return ActivationStatus(status == .active ? .active : .inactive, raw: status.rawValue)
    }

    public func activate(_ context: ReaderContext) async throws {
        try await context.exchange { _ in try await kit.ttp.activate() }
    }

    public func prepare(_ context: ReaderContext) async throws {
        watch.calls.attach(context.sink)
        try await context.exchange { _ in
            let ttp = await kit.ttp
            let result: Result<Void, ARISEPhoneSDK.Failure> = await watch.listening(to: try await ttp.eventsStream()) {
                do throws(ARISEPhoneSDK.Failure) { return .success(try await ttp.prepare()) } catch {
                    return .failure(error)
                }
            }
            try result.get()
        }
    }

    /// Only while no card was seen; the kit itself refuses once it reads one, and the payment goes on.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        switch watch.cancel() {
        case .nothing: return .nothingToCancel
        case .tooLate: return .tooLate
        case .ask(let ended):
            guard (try? await kit.ttp.abortTransaction()) == true else { return .tooLate }
            watch.aborted()
            return await ended.value() ? .cancelled : .tooLate
        }
    }
}

extension ARISEMobileDriver: SessionDriver {
    /// The session is the kit's: it signs in once, renews by itself, and gives its token for the interface.
    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        var isIn = false
        if last != nil { isIn = (try? await kit.refreshAccessToken()) ?? false }
        if !isIn {
            let secret = try await apiDriver.configuration.secret()
            isIn = try await kit.authenticate(clientId: apiDriver.configuration.clientID, clientSecret: secret)
        }
        guard isIn, let token = await kit.getAccessToken() else {
            throw PaymentError.notExecuted(.authentication, "the kit has signed nobody in")
        }
        return AccessToken(token, expiresAt: context.now + Self.tokenMilliseconds)
    }

    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {
        await kit.clearStoredToken()
    }
}

extension ARISEMobileDriver: AuthorizationDriver, UnlinkedRefundDriver, VoidDriver, RefundDriver, TipAdjustmentDriver {}

extension ARISEMobileDriver: DetailsDriver, ListDriver, PricingDriver, SettingsDriver, DeviceDriver, WebhookDriver {}
