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
