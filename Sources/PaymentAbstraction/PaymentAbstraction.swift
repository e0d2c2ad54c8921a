/// The neutral core: what applications call and what adapters implement.
public enum PaymentAbstraction {}
