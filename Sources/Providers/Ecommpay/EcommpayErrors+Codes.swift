internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension ErrorTable {
    /// The published result codes, grouped by what they mean for a request; whether money moved is said elsewhere.
    static let ecommpayCodes: [Row] = [
        rows(
            "0 20304", "code", .unreadableReply, .maybeSent, "a failure that says success, or something was paid"),
        rows(
            """
            402 3183 3356 1401 1402 1403 1404 1405 1406 1407 1408 1409 1410 1411 1412 1413 1414 1415 1421 1422 \
            1431 1432 1433 1434 1435 1437 1441 1450 1451 1452 1453 1455 1456 1457 1458 1459 1460 1461 1462 1463 \
            1499 10110 10113 10203 10206 10402 10404 10405 10807 10810 10811 10812 20110 20111 20203 20205 20402 \
            30000 30100 30301 30302 30303 30401
            """, "code", .conflict, .refused, retry: .never, "it was refused for good"),
        rows(
            """
            100 502 504 2701 3023 3026 3028 3029 3102 3103 3107 3184 3193 3196 3197 3199 3281 3285 3288 3292 \
            3293 3299 3341 3363 3470 3471 3472 3610 3611 3617 10501 10503 10504 10702 10703 10704 10705 10706 \
            10707 10708 10709 10722 10806 20451 20501 20503 20504 20604 20702 20705 20706
            """, "code", .configuration, .refused, userAction: true, "the provider's support has to be asked"),
        rows(
            """
            104 108 301 601 603 604 2466 10000 10100 10104 10105 10107 10202 10301 10505 10601 10603 20000 20100 \
            20104 20105 20202 20301 20601 20603 20812
            """, "code", .providerUnavailable, .refused, "it was refused and may be sent again"),
        rows(
            """
            109 309 319 702 2003 2004 2014 2061 2123 2124 2154 2261 2426 2467 2468 2541 2606 2609 2610 2611 2641 \
            2642 2945 2949 3001 3002 3003 3004 3020 3021 3022 3024 3027 3104 3105 3117 3118 3119 3120 3121 3125 \
            3141 3161 3162 3182 3190 3191 3192 3195 3242 3243 3244 3284 3286 3287 3289 3291 3301 3358 3360 3400 \
            3402 3403 3404 3406 3409 3410 3411 3412 3413 3414 3415 3416 3417 3418 3419 3431 3432 3433 3434 3435 \
            3436 3437 3438 3439 3480 3490 3491 3609 3612 3618 3619 3620 3621 3622 3623 3624 3625 3900 3901 10101 \
            10102 10103 10106 10108 10204 10205 10401 10502 10805 20101 20102 20103 20106 20107 20201 20204 \
            20302 20303 20401 20502
            """, "code", .invalidRequest, .refused, "the request has to be corrected"),
        rows(
            "303 310 318", "code", .permission, .refused, userAction: true, "the project may not do this"),
        rows(
            """
            314 3106 3108 3109 3110 3111 3112 3297 3298 3305 3306 3307 3308 3309 3310 3311 3312 3313 3314 3315 \
            3316 3317 3318 3319 3320 3321 3322 3323 3324 3325 3326 3327 3328 3329 3330 3331 3332 3333 3334 3335 \
            3336 3337 3338 3339 3340 3355 3357 3362 3407 3408 3450 3451 3452 3606 3607 3626 3627 3628 3629 3630 \
            3631 3632 3633 3634 3635 10109 10112 10114 20109 20206 20450
            """, "code", .providerUnavailable, .refused, "it is refused for now"),
        rows(
            "501 3201", "code", .providerFailed, .maybeSent, retry: .afterStatusCheck, "the platform failed"),
        rows(
            "602 10602 20602", "code", .timedOut, .maybeSent, retry: .afterStatusCheck,
            "no answer came in time behind the platform"),
        rows(
            "903 904 3283", "code", .amountTooHigh, .refused, "more than what is left"),
        rows(
            "2147", "code", .rateLimited, .maybeSent, mayRepeat: true,
            "it is locked for a moment, which may be for a copy of the same request"),
        rows(
            "2442", "code", .configuration, .refused, userAction: true, "there is no such project"),
        rows(
            "2801 3101 3181 3186 3194 3221 3241 20703", "code", .notFound, .refused, "there is no such thing"),
        rows(
            "3041 3230 3613", "code", .conflict, .maybeSent, retry: .afterStatusCheck,
            "something of this name is there already; look it up"),
        rows(
            "3060 3081 10701 20701", "code", .conflict, .refused, retry: .afterStatusCheck,
            "its state does not allow this"),
        rows(
            "3061 3062", "code", .notFound, .maybeSent, retry: .afterStatusCheck,
            "not found so far, which is never final"),
        rows(
            "3123 3124 3261 3262", "code", .authentication, .refused, userAction: true,
            "the signature or the key is wrong"),
        rows(
            "3198 9999 10801 19999 20801 20802 20899 29999", "code", .inDoubt, .maybeSent, retry: .afterStatusCheck,
            "it is not decided yet"),
        rows(
            "10201", "code", .invalidRequest, .refused, userAction: true, "the customer has to act"),
        rows(
            "10403", "code", .invalidRequest, .refused, userAction: true, "the customer has to be authenticated"),
    ].flatMap { $0 }
}
