extension Currency {
    /// The currencies whose codes begin with A to K, in the order of their codes.
    static let fromAToK: [Currency] = [
        .aed, .afn, .all, .amd, .aoa, .ars, .aud, .awg, .azn, .bam, .bbd, .bdt, .bhd, .bif, .bmd, .bnd, .bob, .bov,
        .brl, .bsd, .btn, .bwp, .byn, .bzd, .cad, .cdf, .che, .chf, .chw, .clf, .clp, .cny, .cop, .cou, .crc, .cup,
        .cve, .czk, .djf, .dkk, .dop, .dzd, .egp, .ern, .etb, .eur, .fjd, .fkp, .gbp, .gel, .ghs, .gip, .gmd, .gnf,
        .gtq, .gyd, .hkd, .hnl, .htg, .huf, .idr, .ils, .inr, .iqd, .irr, .isk, .jmd, .jod, .jpy, .kes, .kgs, .khr,
        .kmf, .kpw, .krw, .kwd, .kyd, .kzt,
    ]

    /// UAE Dirham.
    public static let aed = Currency("AED", 784, 2, "UAE Dirham")
    /// Afghani.
    public static let afn = Currency("AFN", 971, 2, "Afghani")
    /// Lek.
    public static let all = Currency("ALL", 8, 2, "Lek")
    /// Armenian Dram.
    public static let amd = Currency("AMD", 51, 2, "Armenian Dram")
    /// Kwanza.
    public static let aoa = Currency("AOA", 973, 2, "Kwanza")
    /// Argentine Peso.
    public static let ars = Currency("ARS", 32, 2, "Argentine Peso")
    /// Australian Dollar.
    public static let aud = Currency("AUD", 36, 2, "Australian Dollar")
    /// Aruban Florin.
    public static let awg = Currency("AWG", 533, 2, "Aruban Florin")
    /// Azerbaijan Manat.
    public static let azn = Currency("AZN", 944, 2, "Azerbaijan Manat")
    /// Convertible Mark.
    public static let bam = Currency("BAM", 977, 2, "Convertible Mark")
    /// Barbados Dollar.
    public static let bbd = Currency("BBD", 52, 2, "Barbados Dollar")
    /// Taka.
    public static let bdt = Currency("BDT", 50, 2, "Taka")
    /// Bahraini Dinar.
    public static let bhd = Currency("BHD", 48, 3, "Bahraini Dinar")
    /// Burundi Franc.
    public static let bif = Currency("BIF", 108, 0, "Burundi Franc")
    /// Bermudian Dollar.
    public static let bmd = Currency("BMD", 60, 2, "Bermudian Dollar")
    /// Brunei Dollar.
    public static let bnd = Currency("BND", 96, 2, "Brunei Dollar")
    /// Boliviano.
    public static let bob = Currency("BOB", 68, 2, "Boliviano")
    /// Mvdol.
    public static let bov = Currency("BOV", 984, 2, "Mvdol")
    /// Brazilian Real.
    public static let brl = Currency("BRL", 986, 2, "Brazilian Real")
    /// Bahamian Dollar.
    public static let bsd = Currency("BSD", 44, 2, "Bahamian Dollar")
    /// Ngultrum.
    public static let btn = Currency("BTN", 64, 2, "Ngultrum")
    /// Pula.
    public static let bwp = Currency("BWP", 72, 2, "Pula")
    /// Belarusian Ruble.
    public static let byn = Currency("BYN", 933, 2, "Belarusian Ruble")
    /// Belize Dollar.
    public static let bzd = Currency("BZD", 84, 2, "Belize Dollar")
    /// Canadian Dollar.
    public static let cad = Currency("CAD", 124, 2, "Canadian Dollar")
    /// Congolese Franc.
    public static let cdf = Currency("CDF", 976, 2, "Congolese Franc")
    /// WIR Euro.
    public static let che = Currency("CHE", 947, 2, "WIR Euro")
    /// Swiss Franc.
    public static let chf = Currency("CHF", 756, 2, "Swiss Franc")
    /// WIR Franc.
    public static let chw = Currency("CHW", 948, 2, "WIR Franc")
    /// Unidad de Fomento.
    public static let clf = Currency("CLF", 990, 4, "Unidad de Fomento")
    /// Chilean Peso.
    public static let clp = Currency("CLP", 152, 0, "Chilean Peso")
    /// Yuan Renminbi.
    public static let cny = Currency("CNY", 156, 2, "Yuan Renminbi")
    /// Colombian Peso.
    public static let cop = Currency("COP", 170, 2, "Colombian Peso")
    /// Unidad de Valor Real.
    public static let cou = Currency("COU", 970, 2, "Unidad de Valor Real")
    /// Costa Rican Colon.
    public static let crc = Currency("CRC", 188, 2, "Costa Rican Colon")
    /// Cuban Peso.
    public static let cup = Currency("CUP", 192, 2, "Cuban Peso")
    /// Cabo Verde Escudo.
    public static let cve = Currency("CVE", 132, 2, "Cabo Verde Escudo")
    /// Czech Koruna.
    public static let czk = Currency("CZK", 203, 2, "Czech Koruna")
    /// Djibouti Franc.
    public static let djf = Currency("DJF", 262, 0, "Djibouti Franc")
    /// Danish Krone.
    public static let dkk = Currency("DKK", 208, 2, "Danish Krone")
    /// Dominican Peso.
    public static let dop = Currency("DOP", 214, 2, "Dominican Peso")
    /// Algerian Dinar.
    public static let dzd = Currency("DZD", 12, 2, "Algerian Dinar")
    /// Egyptian Pound.
    public static let egp = Currency("EGP", 818, 2, "Egyptian Pound")
    /// Nakfa.
    public static let ern = Currency("ERN", 232, 2, "Nakfa")
    /// Ethiopian Birr.
    public static let etb = Currency("ETB", 230, 2, "Ethiopian Birr")
    /// Euro.
    public static let eur = Currency("EUR", 978, 2, "Euro")
    /// Fiji Dollar.
    public static let fjd = Currency("FJD", 242, 2, "Fiji Dollar")
    /// Falkland Islands Pound.
    public static let fkp = Currency("FKP", 238, 2, "Falkland Islands Pound")
    /// Pound Sterling.
    public static let gbp = Currency("GBP", 826, 2, "Pound Sterling")
    /// Lari.
    public static let gel = Currency("GEL", 981, 2, "Lari")
    /// Ghana Cedi.
    public static let ghs = Currency("GHS", 936, 2, "Ghana Cedi")
    /// Gibraltar Pound.
    public static let gip = Currency("GIP", 292, 2, "Gibraltar Pound")
    /// Dalasi.
    public static let gmd = Currency("GMD", 270, 2, "Dalasi")
    /// Guinean Franc.
    public static let gnf = Currency("GNF", 324, 0, "Guinean Franc")
    /// Quetzal.
    public static let gtq = Currency("GTQ", 320, 2, "Quetzal")
    /// Guyana Dollar.
    public static let gyd = Currency("GYD", 328, 2, "Guyana Dollar")
    /// Hong Kong Dollar.
    public static let hkd = Currency("HKD", 344, 2, "Hong Kong Dollar")
    /// Lempira.
    public static let hnl = Currency("HNL", 340, 2, "Lempira")
    /// Gourde.
    public static let htg = Currency("HTG", 332, 2, "Gourde")
    /// Forint.
    public static let huf = Currency("HUF", 348, 2, "Forint")
    /// Rupiah.
    public static let idr = Currency("IDR", 360, 2, "Rupiah")
    /// New Israeli Sheqel.
    public static let ils = Currency("ILS", 376, 2, "New Israeli Sheqel")
    /// Indian Rupee.
    public static let inr = Currency("INR", 356, 2, "Indian Rupee")
    /// Iraqi Dinar.
    public static let iqd = Currency("IQD", 368, 3, "Iraqi Dinar")
    /// Iranian Rial.
    public static let irr = Currency("IRR", 364, 2, "Iranian Rial")
    /// Iceland Krona.
    public static let isk = Currency("ISK", 352, 0, "Iceland Krona")
    /// Jamaican Dollar.
    public static let jmd = Currency("JMD", 388, 2, "Jamaican Dollar")
    /// Jordanian Dinar.
    public static let jod = Currency("JOD", 400, 3, "Jordanian Dinar")
    /// Yen.
    public static let jpy = Currency("JPY", 392, 0, "Yen")
    /// Kenyan Shilling.
    public static let kes = Currency("KES", 404, 2, "Kenyan Shilling")
    /// Som.
    public static let kgs = Currency("KGS", 417, 2, "Som")
    /// Riel.
    public static let khr = Currency("KHR", 116, 2, "Riel")
    /// Comorian Franc.
    public static let kmf = Currency("KMF", 174, 0, "Comorian Franc")
    /// North Korean Won.
    public static let kpw = Currency("KPW", 408, 2, "North Korean Won")
    /// Won.
    public static let krw = Currency("KRW", 410, 0, "Won")
    /// Kuwaiti Dinar.
    public static let kwd = Currency("KWD", 414, 3, "Kuwaiti Dinar")
    /// Cayman Islands Dollar.
    public static let kyd = Currency("KYD", 136, 2, "Cayman Islands Dollar")
    /// Tenge.
    public static let kzt = Currency("KZT", 398, 2, "Tenge")
}

extension Currency {
    /// The currencies whose codes begin with L to Z, in the order of their codes.
    static let fromLToZ: [Currency] = [
        .lak, .lbp, .lkr, .lrd, .lsl, .lyd, .mad, .mdl, .mga, .mkd, .mmk, .mnt, .mop, .mru, .mur, .mvr, .mwk, .mxn,
        .mxv, .myr, .mzn, .nad, .ngn, .nio, .nok, .npr, .nzd, .omr, .pab, .pen, .pgk, .php, .pkr, .pln, .pyg, .qar,
        .ron, .rsd, .rub, .rwf, .sar, .sbd, .scr, .sdg, .sek, .sgd, .shp, .sle, .sos, .srd, .ssp, .stn, .svc, .syp,
        .szl, .thb, .tjs, .tmt, .tnd, .top, .try, .ttd, .twd, .tzs, .uah, .ugx, .usd, .usn, .uyi, .uyu, .uyw, .uzs,
        .ved, .ves, .vnd, .vuv, .wst, .xad, .xaf, .xcd, .xcg, .xof, .xpf, .yer, .zar, .zmw, .zwg,
    ]

    /// Lao Kip.
    public static let lak = Currency("LAK", 418, 2, "Lao Kip")
    /// Lebanese Pound.
    public static let lbp = Currency("LBP", 422, 2, "Lebanese Pound")
    /// Sri Lanka Rupee.
    public static let lkr = Currency("LKR", 144, 2, "Sri Lanka Rupee")
    /// Liberian Dollar.
    public static let lrd = Currency("LRD", 430, 2, "Liberian Dollar")
    /// Loti.
    public static let lsl = Currency("LSL", 426, 2, "Loti")
    /// Libyan Dinar.
    public static let lyd = Currency("LYD", 434, 3, "Libyan Dinar")
    /// Moroccan Dirham.
    public static let mad = Currency("MAD", 504, 2, "Moroccan Dirham")
    /// Moldovan Leu.
    public static let mdl = Currency("MDL", 498, 2, "Moldovan Leu")
    /// Malagasy Ariary.
    public static let mga = Currency("MGA", 969, 2, "Malagasy Ariary")
    /// Denar.
    public static let mkd = Currency("MKD", 807, 2, "Denar")
    /// Kyat.
    public static let mmk = Currency("MMK", 104, 2, "Kyat")
    /// Tugrik.
    public static let mnt = Currency("MNT", 496, 2, "Tugrik")
    /// Pataca.
    public static let mop = Currency("MOP", 446, 2, "Pataca")
    /// Ouguiya.
    public static let mru = Currency("MRU", 929, 2, "Ouguiya")
    /// Mauritius Rupee.
    public static let mur = Currency("MUR", 480, 2, "Mauritius Rupee")
    /// Rufiyaa.
    public static let mvr = Currency("MVR", 462, 2, "Rufiyaa")
    /// Malawi Kwacha.
    public static let mwk = Currency("MWK", 454, 2, "Malawi Kwacha")
    /// Mexican Peso.
    public static let mxn = Currency("MXN", 484, 2, "Mexican Peso")
    /// Mexican Unidad de Inversion (UDI).
    public static let mxv = Currency("MXV", 979, 2, "Mexican Unidad de Inversion (UDI)")
    /// Malaysian Ringgit.
    public static let myr = Currency("MYR", 458, 2, "Malaysian Ringgit")
    /// Mozambique Metical.
    public static let mzn = Currency("MZN", 943, 2, "Mozambique Metical")
    /// Namibia Dollar.
    public static let nad = Currency("NAD", 516, 2, "Namibia Dollar")
    /// Naira.
    public static let ngn = Currency("NGN", 566, 2, "Naira")
    /// Cordoba Oro.
    public static let nio = Currency("NIO", 558, 2, "Cordoba Oro")
    /// Norwegian Krone.
    public static let nok = Currency("NOK", 578, 2, "Norwegian Krone")
    /// Nepalese Rupee.
    public static let npr = Currency("NPR", 524, 2, "Nepalese Rupee")
    /// New Zealand Dollar.
    public static let nzd = Currency("NZD", 554, 2, "New Zealand Dollar")
    /// Rial Omani.
    public static let omr = Currency("OMR", 512, 3, "Rial Omani")
    /// Balboa.
    public static let pab = Currency("PAB", 590, 2, "Balboa")
    /// Sol.
    public static let pen = Currency("PEN", 604, 2, "Sol")
    /// Kina.
    public static let pgk = Currency("PGK", 598, 2, "Kina")
    /// Philippine Peso.
    public static let php = Currency("PHP", 608, 2, "Philippine Peso")
    /// Pakistan Rupee.
    public static let pkr = Currency("PKR", 586, 2, "Pakistan Rupee")
    /// Zloty.
    public static let pln = Currency("PLN", 985, 2, "Zloty")
    /// Guarani.
    public static let pyg = Currency("PYG", 600, 0, "Guarani")
    /// Qatari Rial.
    public static let qar = Currency("QAR", 634, 2, "Qatari Rial")
    /// Romanian Leu.
    public static let ron = Currency("RON", 946, 2, "Romanian Leu")
    /// Serbian Dinar.
    public static let rsd = Currency("RSD", 941, 2, "Serbian Dinar")
    /// Russian Ruble.
    public static let rub = Currency("RUB", 643, 2, "Russian Ruble")
    /// Rwanda Franc.
    public static let rwf = Currency("RWF", 646, 0, "Rwanda Franc")
    /// Saudi Riyal.
    public static let sar = Currency("SAR", 682, 2, "Saudi Riyal")
    /// Solomon Islands Dollar.
    public static let sbd = Currency("SBD", 90, 2, "Solomon Islands Dollar")
    /// Seychelles Rupee.
    public static let scr = Currency("SCR", 690, 2, "Seychelles Rupee")
    /// Sudanese Pound.
    public static let sdg = Currency("SDG", 938, 2, "Sudanese Pound")
    /// Swedish Krona.
    public static let sek = Currency("SEK", 752, 2, "Swedish Krona")
    /// Singapore Dollar.
    public static let sgd = Currency("SGD", 702, 2, "Singapore Dollar")
    /// Saint Helena Pound.
    public static let shp = Currency("SHP", 654, 2, "Saint Helena Pound")
    /// Leone.
    public static let sle = Currency("SLE", 925, 2, "Leone")
    /// Somali Shilling.
    public static let sos = Currency("SOS", 706, 2, "Somali Shilling")
    /// Surinam Dollar.
    public static let srd = Currency("SRD", 968, 2, "Surinam Dollar")
    /// South Sudanese Pound.
    public static let ssp = Currency("SSP", 728, 2, "South Sudanese Pound")
    /// Dobra.
    public static let stn = Currency("STN", 930, 2, "Dobra")
    /// El Salvador Colon.
    public static let svc = Currency("SVC", 222, 2, "El Salvador Colon")
    /// Syrian Pound.
    public static let syp = Currency("SYP", 760, 2, "Syrian Pound")
    /// Lilangeni.
    public static let szl = Currency("SZL", 748, 2, "Lilangeni")
    /// Baht.
    public static let thb = Currency("THB", 764, 2, "Baht")
    /// Somoni.
    public static let tjs = Currency("TJS", 972, 2, "Somoni")
    /// Turkmenistan New Manat.
    public static let tmt = Currency("TMT", 934, 2, "Turkmenistan New Manat")
    /// Tunisian Dinar.
    public static let tnd = Currency("TND", 788, 3, "Tunisian Dinar")
    /// Pa'anga.
    public static let top = Currency("TOP", 776, 2, "Pa'anga")
    /// Turkish Lira.
    public static let `try` = Currency("TRY", 949, 2, "Turkish Lira")
    /// Trinidad and Tobago Dollar.
    public static let ttd = Currency("TTD", 780, 2, "Trinidad and Tobago Dollar")
    /// New Taiwan Dollar.
    public static let twd = Currency("TWD", 901, 2, "New Taiwan Dollar")
    /// Tanzanian Shilling.
    public static let tzs = Currency("TZS", 834, 2, "Tanzanian Shilling")
    /// Hryvnia.
    public static let uah = Currency("UAH", 980, 2, "Hryvnia")
    /// Uganda Shilling.
    public static let ugx = Currency("UGX", 800, 0, "Uganda Shilling")
    /// US Dollar.
    public static let usd = Currency("USD", 840, 2, "US Dollar")
    /// US Dollar (Next day).
    public static let usn = Currency("USN", 997, 2, "US Dollar (Next day)")
    /// Uruguay Peso en Unidades Indexadas (UI).
    public static let uyi = Currency("UYI", 940, 0, "Uruguay Peso en Unidades Indexadas (UI)")
    /// Peso Uruguayo.
    public static let uyu = Currency("UYU", 858, 2, "Peso Uruguayo")
    /// Unidad Previsional.
    public static let uyw = Currency("UYW", 927, 4, "Unidad Previsional")
    /// Uzbekistan Sum.
    public static let uzs = Currency("UZS", 860, 2, "Uzbekistan Sum")
    /// Bolivar Digital.
    public static let ved = Currency("VED", 926, 2, "Bolivar Digital")
    /// Bolivar Soberano.
    public static let ves = Currency("VES", 928, 2, "Bolivar Soberano")
    /// Dong.
    public static let vnd = Currency("VND", 704, 0, "Dong")
    /// Vatu.
    public static let vuv = Currency("VUV", 548, 0, "Vatu")
    /// Tala.
    public static let wst = Currency("WST", 882, 2, "Tala")
    /// Arab Accounting Dinar.
    public static let xad = Currency("XAD", 396, 2, "Arab Accounting Dinar")
    /// CFA Franc BEAC.
    public static let xaf = Currency("XAF", 950, 0, "CFA Franc BEAC")
    /// East Caribbean Dollar.
    public static let xcd = Currency("XCD", 951, 2, "East Caribbean Dollar")
    /// Caribbean Guilder.
    public static let xcg = Currency("XCG", 532, 2, "Caribbean Guilder")
    /// CFA Franc BCEAO.
    public static let xof = Currency("XOF", 952, 0, "CFA Franc BCEAO")
    /// CFP Franc.
    public static let xpf = Currency("XPF", 953, 0, "CFP Franc")
    /// Yemeni Rial.
    public static let yer = Currency("YER", 886, 2, "Yemeni Rial")
    /// Rand.
    public static let zar = Currency("ZAR", 710, 2, "Rand")
    /// Zambian Kwacha.
    public static let zmw = Currency("ZMW", 967, 2, "Zambian Kwacha")
    /// Zimbabwe Gold.
    public static let zwg = Currency("ZWG", 924, 2, "Zimbabwe Gold")
}
