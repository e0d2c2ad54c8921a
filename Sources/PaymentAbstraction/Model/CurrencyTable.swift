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
    public static let aed = Currency("AED", 784, 2)
    /// Afghani.
    public static let afn = Currency("AFN", 971, 2)
    /// Lek.
    public static let all = Currency("ALL", 8, 2)
    /// Armenian Dram.
    public static let amd = Currency("AMD", 51, 2)
    /// Kwanza.
    public static let aoa = Currency("AOA", 973, 2)
    /// Argentine Peso.
    public static let ars = Currency("ARS", 32, 2)
    /// Australian Dollar.
    public static let aud = Currency("AUD", 36, 2)
    /// Aruban Florin.
    public static let awg = Currency("AWG", 533, 2)
    /// Azerbaijan Manat.
    public static let azn = Currency("AZN", 944, 2)
    /// Convertible Mark.
    public static let bam = Currency("BAM", 977, 2)
    /// Barbados Dollar.
    public static let bbd = Currency("BBD", 52, 2)
    /// Taka.
    public static let bdt = Currency("BDT", 50, 2)
    /// Bahraini Dinar.
    public static let bhd = Currency("BHD", 48, 3)
    /// Burundi Franc.
    public static let bif = Currency("BIF", 108, 0)
    /// Bermudian Dollar.
    public static let bmd = Currency("BMD", 60, 2)
    /// Brunei Dollar.
    public static let bnd = Currency("BND", 96, 2)
    /// Boliviano.
    public static let bob = Currency("BOB", 68, 2)
    /// Mvdol.
    public static let bov = Currency("BOV", 984, 2)
    /// Brazilian Real.
    public static let brl = Currency("BRL", 986, 2)
    /// Bahamian Dollar.
    public static let bsd = Currency("BSD", 44, 2)
    /// Ngultrum.
    public static let btn = Currency("BTN", 64, 2)
    /// Pula.
    public static let bwp = Currency("BWP", 72, 2)
    /// Belarusian Ruble.
    public static let byn = Currency("BYN", 933, 2)
    /// Belize Dollar.
    public static let bzd = Currency("BZD", 84, 2)
    /// Canadian Dollar.
    public static let cad = Currency("CAD", 124, 2)
    /// Congolese Franc.
    public static let cdf = Currency("CDF", 976, 2)
    /// WIR Euro.
    public static let che = Currency("CHE", 947, 2)
    /// Swiss Franc.
    public static let chf = Currency("CHF", 756, 2)
    /// WIR Franc.
    public static let chw = Currency("CHW", 948, 2)
    /// Unidad de Fomento.
    public static let clf = Currency("CLF", 990, 4)
    /// Chilean Peso.
    public static let clp = Currency("CLP", 152, 0)
    /// Yuan Renminbi.
    public static let cny = Currency("CNY", 156, 2)
    /// Colombian Peso.
    public static let cop = Currency("COP", 170, 2)
    /// Unidad de Valor Real.
    public static let cou = Currency("COU", 970, 2)
    /// Costa Rican Colon.
    public static let crc = Currency("CRC", 188, 2)
    /// Cuban Peso.
    public static let cup = Currency("CUP", 192, 2)
    /// Cabo Verde Escudo.
    public static let cve = Currency("CVE", 132, 2)
    /// Czech Koruna.
    public static let czk = Currency("CZK", 203, 2)
    /// Djibouti Franc.
    public static let djf = Currency("DJF", 262, 0)
    /// Danish Krone.
    public static let dkk = Currency("DKK", 208, 2)
    /// Dominican Peso.
    public static let dop = Currency("DOP", 214, 2)
    /// Algerian Dinar.
    public static let dzd = Currency("DZD", 12, 2)
    /// Egyptian Pound.
    public static let egp = Currency("EGP", 818, 2)
    /// Nakfa.
    public static let ern = Currency("ERN", 232, 2)
    /// Ethiopian Birr.
    public static let etb = Currency("ETB", 230, 2)
    /// Euro.
    public static let eur = Currency("EUR", 978, 2)
    /// Fiji Dollar.
    public static let fjd = Currency("FJD", 242, 2)
    /// Falkland Islands Pound.
    public static let fkp = Currency("FKP", 238, 2)
    /// Pound Sterling.
    public static let gbp = Currency("GBP", 826, 2)
    /// Lari.
    public static let gel = Currency("GEL", 981, 2)
    /// Ghana Cedi.
    public static let ghs = Currency("GHS", 936, 2)
    /// Gibraltar Pound.
    public static let gip = Currency("GIP", 292, 2)
    /// Dalasi.
    public static let gmd = Currency("GMD", 270, 2)
    /// Guinean Franc.
    public static let gnf = Currency("GNF", 324, 0)
    /// Quetzal.
    public static let gtq = Currency("GTQ", 320, 2)
    /// Guyana Dollar.
    public static let gyd = Currency("GYD", 328, 2)
    /// Hong Kong Dollar.
    public static let hkd = Currency("HKD", 344, 2)
    /// Lempira.
    public static let hnl = Currency("HNL", 340, 2)
    /// Gourde.
    public static let htg = Currency("HTG", 332, 2)
    /// Forint.
    public static let huf = Currency("HUF", 348, 2)
    /// Rupiah.
    public static let idr = Currency("IDR", 360, 2)
    /// New Israeli Sheqel.
    public static let ils = Currency("ILS", 376, 2)
    /// Indian Rupee.
    public static let inr = Currency("INR", 356, 2)
    /// Iraqi Dinar.
    public static let iqd = Currency("IQD", 368, 3)
    /// Iranian Rial.
    public static let irr = Currency("IRR", 364, 2)
    /// Iceland Krona.
    public static let isk = Currency("ISK", 352, 0)
    /// Jamaican Dollar.
    public static let jmd = Currency("JMD", 388, 2)
    /// Jordanian Dinar.
    public static let jod = Currency("JOD", 400, 3)
    /// Yen.
    public static let jpy = Currency("JPY", 392, 0)
    /// Kenyan Shilling.
    public static let kes = Currency("KES", 404, 2)
    /// Som.
    public static let kgs = Currency("KGS", 417, 2)
    /// Riel.
    public static let khr = Currency("KHR", 116, 2)
    /// Comorian Franc.
    public static let kmf = Currency("KMF", 174, 0)
    /// North Korean Won.
    public static let kpw = Currency("KPW", 408, 2)
    /// Won.
    public static let krw = Currency("KRW", 410, 0)
    /// Kuwaiti Dinar.
    public static let kwd = Currency("KWD", 414, 3)
    /// Cayman Islands Dollar.
    public static let kyd = Currency("KYD", 136, 2)
    /// Tenge.
    public static let kzt = Currency("KZT", 398, 2)
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
    public static let lak = Currency("LAK", 418, 2)
    /// Lebanese Pound.
    public static let lbp = Currency("LBP", 422, 2)
    /// Sri Lanka Rupee.
    public static let lkr = Currency("LKR", 144, 2)
    /// Liberian Dollar.
    public static let lrd = Currency("LRD", 430, 2)
    /// Loti.
    public static let lsl = Currency("LSL", 426, 2)
    /// Libyan Dinar.
    public static let lyd = Currency("LYD", 434, 3)
    /// Moroccan Dirham.
    public static let mad = Currency("MAD", 504, 2)
    /// Moldovan Leu.
    public static let mdl = Currency("MDL", 498, 2)
    /// Malagasy Ariary.
    public static let mga = Currency("MGA", 969, 2)
    /// Denar.
    public static let mkd = Currency("MKD", 807, 2)
    /// Kyat.
    public static let mmk = Currency("MMK", 104, 2)
    /// Tugrik.
    public static let mnt = Currency("MNT", 496, 2)
    /// Pataca.
    public static let mop = Currency("MOP", 446, 2)
    /// Ouguiya.
    public static let mru = Currency("MRU", 929, 2)
    /// Mauritius Rupee.
    public static let mur = Currency("MUR", 480, 2)
    /// Rufiyaa.
    public static let mvr = Currency("MVR", 462, 2)
    /// Malawi Kwacha.
    public static let mwk = Currency("MWK", 454, 2)
    /// Mexican Peso.
    public static let mxn = Currency("MXN", 484, 2)
    /// Mexican Unidad de Inversion (UDI).
    public static let mxv = Currency("MXV", 979, 2)
    /// Malaysian Ringgit.
    public static let myr = Currency("MYR", 458, 2)
    /// Mozambique Metical.
    public static let mzn = Currency("MZN", 943, 2)
    /// Namibia Dollar.
    public static let nad = Currency("NAD", 516, 2)
    /// Naira.
    public static let ngn = Currency("NGN", 566, 2)
    /// Cordoba Oro.
    public static let nio = Currency("NIO", 558, 2)
    /// Norwegian Krone.
    public static let nok = Currency("NOK", 578, 2)
    /// Nepalese Rupee.
    public static let npr = Currency("NPR", 524, 2)
    /// New Zealand Dollar.
    public static let nzd = Currency("NZD", 554, 2)
    /// Rial Omani.
    public static let omr = Currency("OMR", 512, 3)
    /// Balboa.
    public static let pab = Currency("PAB", 590, 2)
    /// Sol.
    public static let pen = Currency("PEN", 604, 2)
    /// Kina.
    public static let pgk = Currency("PGK", 598, 2)
    /// Philippine Peso.
    public static let php = Currency("PHP", 608, 2)
    /// Pakistan Rupee.
    public static let pkr = Currency("PKR", 586, 2)
    /// Zloty.
    public static let pln = Currency("PLN", 985, 2)
    /// Guarani.
    public static let pyg = Currency("PYG", 600, 0)
    /// Qatari Rial.
    public static let qar = Currency("QAR", 634, 2)
    /// Romanian Leu.
    public static let ron = Currency("RON", 946, 2)
    /// Serbian Dinar.
    public static let rsd = Currency("RSD", 941, 2)
    /// Russian Ruble.
    public static let rub = Currency("RUB", 643, 2)
    /// Rwanda Franc.
    public static let rwf = Currency("RWF", 646, 0)
    /// Saudi Riyal.
    public static let sar = Currency("SAR", 682, 2)
    /// Solomon Islands Dollar.
    public static let sbd = Currency("SBD", 90, 2)
    /// Seychelles Rupee.
    public static let scr = Currency("SCR", 690, 2)
    /// Sudanese Pound.
    public static let sdg = Currency("SDG", 938, 2)
    /// Swedish Krona.
    public static let sek = Currency("SEK", 752, 2)
    /// Singapore Dollar.
    public static let sgd = Currency("SGD", 702, 2)
    /// Saint Helena Pound.
    public static let shp = Currency("SHP", 654, 2)
    /// Leone.
    public static let sle = Currency("SLE", 925, 2)
    /// Somali Shilling.
    public static let sos = Currency("SOS", 706, 2)
    /// Surinam Dollar.
    public static let srd = Currency("SRD", 968, 2)
    /// South Sudanese Pound.
    public static let ssp = Currency("SSP", 728, 2)
    /// Dobra.
    public static let stn = Currency("STN", 930, 2)
    /// El Salvador Colon.
    public static let svc = Currency("SVC", 222, 2)
    /// Syrian Pound.
    public static let syp = Currency("SYP", 760, 2)
    /// Lilangeni.
    public static let szl = Currency("SZL", 748, 2)
    /// Baht.
    public static let thb = Currency("THB", 764, 2)
    /// Somoni.
    public static let tjs = Currency("TJS", 972, 2)
    /// Turkmenistan New Manat.
    public static let tmt = Currency("TMT", 934, 2)
    /// Tunisian Dinar.
    public static let tnd = Currency("TND", 788, 3)
    /// Pa'anga.
    public static let top = Currency("TOP", 776, 2)
    /// Turkish Lira.
    public static let `try` = Currency("TRY", 949, 2)
    /// Trinidad and Tobago Dollar.
    public static let ttd = Currency("TTD", 780, 2)
    /// New Taiwan Dollar.
    public static let twd = Currency("TWD", 901, 2)
    /// Tanzanian Shilling.
    public static let tzs = Currency("TZS", 834, 2)
    /// Hryvnia.
    public static let uah = Currency("UAH", 980, 2)
    /// Uganda Shilling.
    public static let ugx = Currency("UGX", 800, 0)
    /// US Dollar.
    public static let usd = Currency("USD", 840, 2)
    /// US Dollar (Next day).
    public static let usn = Currency("USN", 997, 2)
    /// Uruguay Peso en Unidades Indexadas (UI).
    public static let uyi = Currency("UYI", 940, 0)
    /// Peso Uruguayo.
    public static let uyu = Currency("UYU", 858, 2)
    /// Unidad Previsional.
    public static let uyw = Currency("UYW", 927, 4)
    /// Uzbekistan Sum.
    public static let uzs = Currency("UZS", 860, 2)
    /// Bolivar Digital.
    public static let ved = Currency("VED", 926, 2)
    /// Bolivar Soberano.
    public static let ves = Currency("VES", 928, 2)
    /// Dong.
    public static let vnd = Currency("VND", 704, 0)
    /// Vatu.
    public static let vuv = Currency("VUV", 548, 0)
    /// Tala.
    public static let wst = Currency("WST", 882, 2)
    /// Arab Accounting Dinar.
    public static let xad = Currency("XAD", 396, 2)
    /// CFA Franc BEAC.
    public static let xaf = Currency("XAF", 950, 0)
    /// East Caribbean Dollar.
    public static let xcd = Currency("XCD", 951, 2)
    /// Caribbean Guilder.
    public static let xcg = Currency("XCG", 532, 2)
    /// CFA Franc BCEAO.
    public static let xof = Currency("XOF", 952, 0)
    /// CFP Franc.
    public static let xpf = Currency("XPF", 953, 0)
    /// Yemeni Rial.
    public static let yer = Currency("YER", 886, 2)
    /// Rand.
    public static let zar = Currency("ZAR", 710, 2)
    /// Zambian Kwacha.
    public static let zmw = Currency("ZMW", 967, 2)
    /// Zimbabwe Gold.
    public static let zwg = Currency("ZWG", 924, 2)
}

extension Currency {
    /// The standard's English names.
    static let names: [String: String] = [
        "AED": "UAE Dirham", "AFN": "Afghani", "ALL": "Lek", "AMD": "Armenian Dram", "AOA": "Kwanza",
        "ARS": "Argentine Peso", "AUD": "Australian Dollar", "AWG": "Aruban Florin", "AZN": "Azerbaijan Manat",
        "BAM": "Convertible Mark", "BBD": "Barbados Dollar", "BDT": "Taka", "BHD": "Bahraini Dinar",
        "BIF": "Burundi Franc", "BMD": "Bermudian Dollar", "BND": "Brunei Dollar", "BOB": "Boliviano", "BOV": "Mvdol",
        "BRL": "Brazilian Real", "BSD": "Bahamian Dollar", "BTN": "Ngultrum", "BWP": "Pula", "BYN": "Belarusian Ruble",
        "BZD": "Belize Dollar", "CAD": "Canadian Dollar", "CDF": "Congolese Franc", "CHE": "WIR Euro",
        "CHF": "Swiss Franc", "CHW": "WIR Franc", "CLF": "Unidad de Fomento", "CLP": "Chilean Peso",
        "CNY": "Yuan Renminbi", "COP": "Colombian Peso", "COU": "Unidad de Valor Real", "CRC": "Costa Rican Colon",
        "CUP": "Cuban Peso", "CVE": "Cabo Verde Escudo", "CZK": "Czech Koruna", "DJF": "Djibouti Franc",
        "DKK": "Danish Krone", "DOP": "Dominican Peso", "DZD": "Algerian Dinar", "EGP": "Egyptian Pound",
        "ERN": "Nakfa", "ETB": "Ethiopian Birr", "EUR": "Euro", "FJD": "Fiji Dollar", "FKP": "Falkland Islands Pound",
        "GBP": "Pound Sterling", "GEL": "Lari", "GHS": "Ghana Cedi", "GIP": "Gibraltar Pound", "GMD": "Dalasi",
        "GNF": "Guinean Franc", "GTQ": "Quetzal", "GYD": "Guyana Dollar", "HKD": "Hong Kong Dollar", "HNL": "Lempira",
        "HTG": "Gourde", "HUF": "Forint", "IDR": "Rupiah", "ILS": "New Israeli Sheqel", "INR": "Indian Rupee",
        "IQD": "Iraqi Dinar", "IRR": "Iranian Rial", "ISK": "Iceland Krona", "JMD": "Jamaican Dollar",
        "JOD": "Jordanian Dinar", "JPY": "Yen", "KES": "Kenyan Shilling", "KGS": "Som", "KHR": "Riel",
        "KMF": "Comorian Franc", "KPW": "North Korean Won", "KRW": "Won", "KWD": "Kuwaiti Dinar",
        "KYD": "Cayman Islands Dollar", "KZT": "Tenge", "LAK": "Lao Kip", "LBP": "Lebanese Pound",
        "LKR": "Sri Lanka Rupee", "LRD": "Liberian Dollar", "LSL": "Loti", "LYD": "Libyan Dinar",
        "MAD": "Moroccan Dirham", "MDL": "Moldovan Leu", "MGA": "Malagasy Ariary", "MKD": "Denar", "MMK": "Kyat",
        "MNT": "Tugrik", "MOP": "Pataca", "MRU": "Ouguiya", "MUR": "Mauritius Rupee", "MVR": "Rufiyaa",
        "MWK": "Malawi Kwacha", "MXN": "Mexican Peso", "MXV": "Mexican Unidad de Inversion (UDI)",
        "MYR": "Malaysian Ringgit", "MZN": "Mozambique Metical", "NAD": "Namibia Dollar", "NGN": "Naira",
        "NIO": "Cordoba Oro", "NOK": "Norwegian Krone", "NPR": "Nepalese Rupee", "NZD": "New Zealand Dollar",
        "OMR": "Rial Omani", "PAB": "Balboa", "PEN": "Sol", "PGK": "Kina", "PHP": "Philippine Peso",
        "PKR": "Pakistan Rupee", "PLN": "Zloty", "PYG": "Guarani", "QAR": "Qatari Rial", "RON": "Romanian Leu",
        "RSD": "Serbian Dinar", "RUB": "Russian Ruble", "RWF": "Rwanda Franc", "SAR": "Saudi Riyal",
        "SBD": "Solomon Islands Dollar", "SCR": "Seychelles Rupee", "SDG": "Sudanese Pound", "SEK": "Swedish Krona",
        "SGD": "Singapore Dollar", "SHP": "Saint Helena Pound", "SLE": "Leone", "SOS": "Somali Shilling",
        "SRD": "Surinam Dollar", "SSP": "South Sudanese Pound", "STN": "Dobra", "SVC": "El Salvador Colon",
        "SYP": "Syrian Pound", "SZL": "Lilangeni", "THB": "Baht", "TJS": "Somoni", "TMT": "Turkmenistan New Manat",
        "TND": "Tunisian Dinar", "TOP": "Pa'anga", "TRY": "Turkish Lira", "TTD": "Trinidad and Tobago Dollar",
        "TWD": "New Taiwan Dollar", "TZS": "Tanzanian Shilling", "UAH": "Hryvnia", "UGX": "Uganda Shilling",
        "USD": "US Dollar", "USN": "US Dollar (Next day)", "UYI": "Uruguay Peso en Unidades Indexadas (UI)",
        "UYU": "Peso Uruguayo", "UYW": "Unidad Previsional", "UZS": "Uzbekistan Sum", "VED": "Bolivar Digital",
        "VES": "Bolivar Soberano", "VND": "Dong", "VUV": "Vatu", "WST": "Tala", "XAD": "Arab Accounting Dinar",
        "XAF": "CFA Franc BEAC", "XCD": "East Caribbean Dollar", "XCG": "Caribbean Guilder", "XOF": "CFA Franc BCEAO",
        "XPF": "CFP Franc", "YER": "Yemeni Rial", "ZAR": "Rand", "ZMW": "Zambian Kwacha", "ZWG": "Zimbabwe Gold",
    ]
}
