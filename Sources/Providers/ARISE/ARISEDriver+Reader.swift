public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension ARISEDriver: ReaderDriver {
    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let segment = try await device(context).segment
        do {
            let reply = try await context.exchange { attempt in
                try await wire.send("GET", ARISEPath.device(segment), bearer: attempt.access.value)
            }
            let raw = reply["tapToPayStatus"]?.string ?? ""
            return ActivationStatus(Self.step(reply["tapToPayStatusId"]?.int64, raw), raw: raw)
        } catch {
            if error.code == .notFound { return ActivationStatus(.inactive) }
            throw error
        }
    }

    private static func step(_ number: Int64?, _ raw: String) -> ActivationStatus.Step {
        let steps: [ActivationStatus.Step] = [.inactive, .requested, .approved, .active, .denied]
        if let number { return steps.indices.contains(Int(clamping: number)) ? steps[Int(number)] : .inactive }
        return ActivationStatus.Step(rawValue: raw.lowercased()) ?? .inactive
    }

    /// Registers the device, has Apple's terms accepted where the reader has them, and makes the device active.
    public func activate(_ context: ReaderContext) async throws {
        try await profile(context).require(.featureTapToPayOnMobile)
        let (id, segment) = try await device(context)
        let body: JSON = ["deviceId": .string(id), "deviceName": .string(configuration.deviceName)]
        _ = try await context.exchange { attempt in
            try await wire.send("POST", ARISEPath.devices, body: body, bearer: attempt.access.value)
        }
        _ = try await context.exchange { attempt in
            try await wire.send("POST", ARISEPath.activation(segment), bearer: attempt.access.value)
        }
        try await context.link(token: try await token(id, context))
    }

    /// Gets a reader token and prepares the reader; activates nothing.
    public func prepare(_ context: ReaderContext) async throws {
        let profile = try await profile(context)
        try profile.require(.featureTapToPayOnMobile)
        try profile.settings.map { try Self.checkTapProfile($0.body) }
        let id = try await device(context).id
        let token: Secret
        do { token = try await self.token(id, context) } catch {
            guard error.code == .permission || error.code == .notFound,
                try await activation(context).step != .active
            else { throw error }
            throw PaymentError(
                .termsNotAccepted, outcome: .notExecuted, provider: ProviderMessage(code: "notActive"), retry: .safe,
                detail: "Tap to Pay is not active on this device; activate it first")
        }
        try await context.prepareReader(token: token)
    }

    /// What Tap to Pay needs of the settings, with the code for its lack.
    private static let tapProfile = [
        ("companyName", "MER004"), ("mccCode", "MER005"), ("ttpIosTerminalProfileId", "MER006"),
        ("currencyIsoCode", "MER007"),
    ]

    private static func checkTapProfile(_ settings: JSON) throws(PaymentError) {
        for (member, code) in tapProfile where settings[member]?.string?.isEmpty ?? true {
            throw PaymentError(
                .configuration, outcome: .notExecuted, provider: ProviderMessage(code: code),
                detail: ErrorTable.arise[code]?.message ?? "the settings lack \(member)")
        }
    }

    private func token(_ device: String, _ context: ReaderContext) async throws(PaymentError) -> Secret {
        let reply = try await context.exchange { attempt in
            try await wire.send(
                "POST", ARISEPath.readerToken, body: ["deviceId": .string(device)], bearer: attempt.access.value)
        }
        return Secret(reply["jwtToken"]?.string ?? "")
    }

    private func device(_ context: ReaderContext) async throws(PaymentError) -> (id: String, segment: String) {
        let id = try await context.installation().device
        guard let segment = PercentEncoding.pathSegment(id) else {
            throw PaymentError.notExecuted(.configuration, "the device has no usable name")
        }
        return (id, segment)
    }

    private func profile(_ context: ReaderContext) async throws(PaymentError) -> ARISEProfile {
        try await profile(context.now) { send throws(PaymentError) in try await context.exchange(send) }
    }
}
