// Made by Scripts/contracts of Tests/Contracts, which says whose facts these are; not edited by hand.

extension ContractData {
    static let adyen = ContractData(
        tables: [adyen1, adyen2],
        bindings: #"""
            POST|/v72/payments|checkout/payments.request|200=checkout/payments.answer,*=checkout/payments.error|-;
            POST|/v72/cancels|checkout/technicalCancel.request|201=checkout/technicalCancel.answer,
            *=checkout/technicalCancel.error|-;
            POST|/v72/payments/:psp/captures|checkout/captures.request|201=checkout/captures.answer,
            *=checkout/captures.error|-;
            POST|/v72/payments/:psp/refunds|checkout/refunds.request|201=checkout/refunds.answer,
            *=checkout/refunds.error|-;
            POST|/v72/payments/:psp/cancels|checkout/cancels.request|201=checkout/cancels.answer,
            *=checkout/cancels.error|-;
            POST|/v72/payments/:psp/reversals|checkout/reversals.request|201=checkout/reversals.answer,
            *=checkout/reversals.error|-;
            POST|/v72/payments/:psp/amountUpdates|checkout/amountUpdates.request|201=checkout/amountUpdates.answer,
            *=checkout/amountUpdates.error|-;
            GET|/v72/storedPaymentMethods|-|200=checkout/storedPaymentMethods.answer,*=checkout/payments.error|
            merchantAccount,shopperReference;
            DELETE|/v72/storedPaymentMethods/:token|-|204=-,*=checkout/payments.error|merchantAccount,
            shopperReference;
            POST|/checkout/v72/payments|checkout/payments.request|200=checkout/payments.answer,
            *=checkout/payments.error|-;
            POST|/checkout/v72/cancels|checkout/technicalCancel.request|201=checkout/technicalCancel.answer,
            *=checkout/technicalCancel.error|-;
            POST|/checkout/v72/payments/:psp/captures|checkout/captures.request|201=checkout/captures.answer,
            *=checkout/captures.error|-;
            POST|/checkout/v72/payments/:psp/refunds|checkout/refunds.request|201=checkout/refunds.answer,
            *=checkout/refunds.error|-;
            POST|/checkout/v72/payments/:psp/cancels|checkout/cancels.request|201=checkout/cancels.answer,
            *=checkout/cancels.error|-;
            POST|/checkout/v72/payments/:psp/reversals|checkout/reversals.request|201=checkout/reversals.answer,
            *=checkout/reversals.error|-;
            POST|/checkout/v72/payments/:psp/amountUpdates|checkout/amountUpdates.request|
            201=checkout/amountUpdates.answer,*=checkout/amountUpdates.error|-;
            GET|/checkout/v72/storedPaymentMethods|-|200=checkout/storedPaymentMethods.answer,
            *=checkout/payments.error|merchantAccount,shopperReference;
            DELETE|/checkout/v72/storedPaymentMethods/:token|-|204=-,*=checkout/payments.error|merchantAccount,
            shopperReference;
            POST|/possdk/v68/sessions|possdk/CreateSessionRequest|201=possdk/CreateSessionResponse,*=*|-;
            POST|/checkout/possdk/v68/sessions|possdk/CreateSessionRequest|201=possdk/CreateSessionResponse,*=*|-;
            GET|/v1/merchants/:merchant/connectedDevices|-|200=cloud/ConnectedDevicesResponse,
            *=cloud/DefaultErrorResponseEntity|store;
            GET|/v1/merchants/:merchant/devices/:device/status|-|200=cloud/DeviceStatusResponse,
            *=cloud/DefaultErrorResponseEntity|-;
            """#)
}
