internal import PaymentBase
internal import PaymentTransport

/// What a terminal and the cloud say about messages, refunds and the end of a payment.
extension AdyenReading {
    static let terminals: Played = [
        "status-memory.never-found": (.unknown, AdyenReading { $0.status = { _, _ in notFound } }),
        "status.race.not-found-at-first": (
            .works, AdyenReading { $0.status = { said, question in question.earlier == 0 ? notFound : said } }
        ),
        "status.long.in-progress-for-long": (
            .works, AdyenReading { $0.status = { said, question in question.earlier < 5 ? inProgress : said } }
        ),
        "status.long.for-ever": (.unknown, AdyenReading { $0.status = { _, _ in inProgress } }),
        "status.busy.busy-while-running": (
            .works,
            AdyenReading {
                $0.status = { said, _ in
                    said.changing("Response", "ErrorCondition") { $0?.string == "InProgress" ? "Busy" : $0 }
                }
            }
        ),
        "status.repeat.no-repeat": (
            .unknown, AdyenReading { $0.status = { said, _ in said.without("RepeatedMessageResponse") } }
        ),
        "status.repeat.repeat-head-of-status": (
            .works,
            AdyenReading {
                $0.status = { said, question in
                    said.changing("RepeatedMessageResponse", "MessageHeader", "ServiceID") {
                        $0 == nil ? nil : question.header["ServiceID"]
                    }
                }
            }
        ),
        "status.repeat.repeat-head-without-id": (
            .works,
            AdyenReading {
                $0.status = { said, _ in said.without("RepeatedMessageResponse", "MessageHeader", "ServiceID") }
            }
        ),
        "status.repeat.outer-as-inner": (
            .works,
            AdyenReading {
                $0.status = { said, _ in
                    let body = said["RepeatedMessageResponse"]?["RepeatedResponseMessageBody"]
                    return body?["PaymentResponse"]?["Response"].map { said.putting($0, at: "Response") } ?? said
                }
            }
        ),
        "receipt.once-only": (
            .works,
            AdyenReading {
                $0.status = { said, _ in
                    said.without(
                        "RepeatedMessageResponse", "RepeatedResponseMessageBody", "PaymentResponse", "PaymentReceipt")
                }
            }
        ),
        "abort.answer.answered-by-message": (
            .works, AdyenReading { $0.abort = { asked, _ in .json(asked.reply(["Response": ["Result": "Success"]])) } }
        ),
        "abort.answer.text-ok": (
            .works, AdyenReading { $0.abort = { _, _ in .reply(HTTPResponse(200, body: Array("ok".utf8))) } }
        ),
        "abort.answer.rejected": (
            .works,
            AdyenReading {
                $0.hearsAbort = { _ in false }
                $0.abort = { asked, now in
                    .json(asked.rejection("message=Did+not+receive+a+response+from+the+POI.", at: now))
                }
            }
        ),
        "abort.effect.lost": (.works, AdyenReading { $0.hearsAbort = { _ in false } }),
        "abort.effect.lost-once": (.works, AdyenReading { $0.hearsAbort = { $0 > 0 } }),
        "async.answer.empty-body": (.works, AdyenReading { $0.taken = .reply(HTTPResponse(200)) }),
        "async.answer.status-202": (
            .works, AdyenReading { $0.taken = .reply(HTTPResponse(202, body: Array("ok".utf8))) }
        ),
        "reversal.answer.amount-in-minor-units": (
            .works,
            AdyenReading {
                $0.reversal = { body in
                    body.changing("ReversedAmount") { $0?.number?.scaled(places: 2).map { .whole($0) } }
                }
            }
        ),
        "reversal.answer.dotted-name": (
            .works,
            AdyenReading {
                $0.reversal = { body in
                    body.changing("POIData", "POITransactionID", "TransactionID") {
                        $0?.string.map { .string("4r7i001556529591000.\($0)") }
                    }
                }
            }
        ),
        // A refusal that comes later names what no answer has named: it may be that of a second copy, and a person looks.
        "reversal.answer.no-poidata": (.unknown, AdyenReading { $0.reversal = { $0.without("POIData") } }),
    ]

    private static let notFound = AdyenSimulator.failure(
        "NotFound", "message=Did+not+find+message+with+requested+reference")
    private static let inProgress = AdyenSimulator.failure("InProgress", "message=Transaction+in+progress")
}
