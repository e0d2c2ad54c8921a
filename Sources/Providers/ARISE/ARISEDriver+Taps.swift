internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

extension ARISEDriver {
    /// The verdict of a tap under the platform's name for it, with the kit's beside it where that may be another.
    func named(_ verdict: Verdict, since: Int64, _ context: LookupContext) async -> Verdict {
        guard verdict.isFinal, let name = verdict.references[ARISEMapping.transactionKey] else { return verdict }
        var tapped: Approval?
        if case .approved(let approval) = verdict { tapped = approval }
        guard case .other(let own) = await platformName(of: name, tapped, since: since, context) else { return verdict }
        var references = verdict.references
        references[ARISEMapping.transactionKey] = own
        references[ARISEMapping.processorKey] = name
        switch verdict {
        case .approved(var approval):
            approval.references = references
            return .approved(approval)
        case .declined(var decline):
            decline.references = references
            return .declined(decline)
        case .cancelled(var cancellation):
            cancellation.references = references
            return .cancelled(cancellation)
        case .pending: return verdict
        }
    }

    /// What the platform calls a tap.
    private enum PlatformName {
        /// What the kit's answer calls it.
        case same
        /// Another name; nil where it is not sure which.
        case other(String?)
    }

    /// Asks what the platform calls a tap that may have another name in its kit's answer.
    ///
    /// The document calls the kit's name one of the payment processor, and the names in the platform's paths UUIDs. If
    /// the platform knows no transaction of the kit's name, the one transaction of its list is taken that has the
    /// amount, the card, the approval code and the time of the tap. Nothing is concluded from its absence: the approval
    /// is. The kit's name is kept, and claims no transaction of the list.
    private func platformName(
        of name: String, _ approval: Approval?, since: Int64, _ context: LookupContext
    ) async -> PlatformName {
        // Where the platform does not answer, its list may: the kit's name claims nothing that was not seen.
        if let said = try? await transaction(name, context), said.id == name { return .same }
        guard let approval, let code = approval.receipt?.authorizationCode, let last4 = approval.card?.last4 else {
            return .other(nil)
        }
        do {
            let query = ListQuery.page(0, of: ListQuery.limitMax, order: "date", ascending: false)
            let reply = try await context.exchange { attempt in
                try await wire.send("GET", ARISEPath.transactions, query: query, bearer: attempt.access.value)
            }
            var (found, askedCount) = ([String](), 0)
            for item in (reply["items"]?.array ?? []).map({ ARISETransaction($0) }) {
                let total = (try? item.total(approval.amount.currency)) ?? nil
                let fits: [Bool?] = [
                    item.type.map { $0.neutral == .sale }, total.map { $0 == approval.amount },
                    item.at.map { $0 >= since - Self.skewMilliseconds }, item.lastDigits.map { $0 == last4 },
                ]
                if fits.contains(false) { continue }
                guard let id = item.id, askedCount < Self.detailsMax else { return .other(nil) }
                if id == name { return .same }
                askedCount += 1
                guard let said = try await transaction(id, context), said.id == id else { return .other(nil) }
                guard ARISEMapping.receipt(said).authorizationCode == code else { continue }
                // What the list does not say may be another's; a refund would go to it.
                if fits.contains(nil) { return .other(nil) }
                found.append(id)
            }
            return .other(found.count == 1 ? found.first : nil)
        } catch { return .other(nil) }
    }
}
