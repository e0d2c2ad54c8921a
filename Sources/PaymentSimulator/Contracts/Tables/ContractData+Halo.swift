// Made by Scripts/contracts of Tests/Contracts, which says whose facts these are; not edited by hand.

extension ContractData {
    static let halo = ContractData(
        tables: [halo1],
        bindings: #"""
            POST|/apple/proximity-token|-|200=proximityToken.200,500=proximityToken.500,*=*|-;
            POST|/transactions/apple|AppleTransaction|200=submit.200,201=submit.201.pin+submit.201.declined,
            500=error.500,*=*|-;
            POST|/transactions/:id/submitPinApple|AppleTransaction|201=pin.201.approved+pin.201.declined,
            500=error.500,*=*|-;
            POST|/transactions/:id/refund|refund.request|200=refund.200,*=*|-;
            GET|/transactions/:id|-|200=record,*=*|-;
            GET|/transactions|-|200=record[],*=*|startDate!,endDate!,limit!,offset!,minAmount!,maxAmount!,
            merchantReference,transactionDisposition,user,merchant,integrator;
            """#)
}
