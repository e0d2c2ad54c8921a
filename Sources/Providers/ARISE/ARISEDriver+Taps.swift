internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

extension ARISEDriver {
    /// The verdict of a tap under the platform's name for it, with the processor's beside it where that is another.
    func named(_ verdict: Verdict, since: Int64, _ context: LookupContext) async -> Verdict {
        guard case .approved(var approval) = verdict, let name = approval.references[ARISEMapping.transactionKey],
            let own = await platformName(of: approval, since: since, context)
        else { return verdict }
        (approval.references[ARISEMapping.transactionKey], approval.references[ARISEMapping.processorKey]) = (own, name)
        return .approved(approval)
    }

    /// What the platform calls a tap that has another name in its kit's answer; nil where that name is the platform's, or
    /// where the platform's is not sure.
    ///
    /// The document calls the kit's name one of the payment processor, and the names in the platform's paths UUIDs. If the
    /// platform knows no transaction of the kit's name, the one transaction of its list is taken that has the amount, the
    /// card, the approval code and the time of the tap. Nothing is concluded from its absence: the approval is.
    private func platformName(of approval: Approval, since: Int64, _ context: LookupContext) async -> String? {
        guard let name = approval.references[ARISEMapping.transactionKey],
            let code = approval.receipt?.authorizationCode, let last4 = approval.card?.last4
        else { return nil }
        do {
            if try await transaction(name, context) != nil { return nil }
            let query = ListQuery.page(0, of: ListQuery.limitMax, order: "date", ascending: false)
            let reply = try await context.exchange { attempt in
                try await wire.send("GET", ARISEPath.transactions, query: query, bearer: attempt.access.value)
            }
            let fitting = (reply["items"]?.array ?? []).map { ARISETransaction($0) }.filter { item in
                item.type?.neutral == .sale && (try? item.total(approval.amount.currency)) == approval.amount
                    && item.at.map { $0 >= since - Self.skewMilliseconds } ?? false
                    && item.maskedPan.map { $0.hasSuffix(last4) } ?? false
            }
            var found: [String] = []
            for id in fitting.prefix(Self.detailsMax).compactMap(\.id) {
                guard let said = try await transaction(id, context), said.id == id else { continue }
                if ARISEMapping.receipt(said).authorizationCode == code { found.append(id) }
            }
            return found.count == 1 ? found.first : nil
        } catch { return nil }
    }
}
