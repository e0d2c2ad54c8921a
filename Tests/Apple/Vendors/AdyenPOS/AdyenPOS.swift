// Made by Scripts/stubs of Tests/Contracts/sdk/adyen-3.17.0.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
public import SwiftUI
public import UIKit
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public enum AdyenPOSError: LocalizedError, CustomStringConvertible, Error, Sendable {
    case backgroundWarmupNotAllowed
    case bluetoothFirmwareUpdateError
    public var description: String { get { fatalError() } }
    case deviceConnectionFailure(reason: String, serialNumber: String)
    case firmwareDownloadError
    case firmwareUpdateError(message: String)
    case invalidSuccessScreenTimeout
    case malformedTransactionRequest(parsingError: Error)
    case noPairedReaders
    case paymentInterfaceNotSupported
    case tapToPayNotAllowed
    case tapToPayNotSupported
    case tapToPayPaymentInterfaceFailure(reason: String)
    case transactionInProgress
    case unableToFetchCardReaderBatteryInfo
    case unableToObtainInstallationId
}

public struct ConnectedDevice {
    public let batteryCapacity: UInt
    public var bluetoothFirmwareVersion: String? { get { fatalError() } }
    public var firmwareVersion: String { get { fatalError() } }
    public let isCharging: Bool
    public let model: String?
    public let name: String?
    public func reloadBatteryInfo() async throws -> ConnectedDevice { fatalError() }
    public let serialNumber: String
    public let serialNumberCPU: String?
    public var systemVersion: String { get { fatalError() } }
    public let type: Device.DeviceType
    public let uuid: UUID
}

public struct Device: Decodable, Encodable, Equatable {
    public enum DeviceType: String, Decodable, Encodable, Equatable, Hashable {
        case nyc1
    }
    public let serialNumber: String
    public let type: DeviceType
}

public struct DeviceManagementView: View {
    public var body: some View { get { EmptyView() } }
    public init(paymentService: PaymentService) { fatalError() }
}

@MainActor public final class DeviceManagementViewController: UIHostingController<DeviceManagementView> {
    public init(paymentService: PaymentService) { fatalError() }
}

public protocol DeviceManager: AnyObject {
    func connect(to device: Device)
    var connectedDevice: ConnectedDevice? { get }
    var delegate: DeviceManagerDelegate? { get set }
    func disconnect()
    var discoveredDevices: [Device] { get }
    var knownDevices: [Device] { get }
    func startDiscovery()
    func stopDiscovery()
}

public protocol DeviceManagerDelegate: AnyObject {
    func onDeviceConnected(with error: Error?, to manager: DeviceManager)
    func onDeviceDisconnected(from manager: DeviceManager)
    func onDeviceDiscovered(device: Device, by manager: DeviceManager)
    func onDeviceDiscoveryFailed(with error: Error, by manager: DeviceManager)
}

public protocol FirmwareManager: AnyObject {
    var firmwareDelegate: FirmwareManagerDelegate? { get set }
    var firmwareUpdateAvailable: Bool { get async throws }
    func startFirmwareUpdate() async throws
}

public protocol FirmwareManagerDelegate: AnyObject {
    func applyingFirmwareUpdate()
    func firmwareDownloadProgress(percent: Double)
    func firmwareUpdateComplete()
    func firmwareUpdateFailure(error: AdyenPOSError)
    func firmwareUpdateProgress(percent: Double)
}

public enum Payment {
    public struct Request: Equatable {
        public let data: Data
        public init(data: Data) throws { fatalError() }
    }
    public typealias Response = Data
}

public struct PaymentInterface {
    public let type: PaymentInterfaceType
}

public enum PaymentInterfaceType: CaseIterable, Decodable, Encodable, Equatable, Hashable {
    case cardReader
    case tapToPay
}

public final class PaymentService {
    public struct Parameters {
        public init(successScreenTimeout: TimeInterval) throws { fatalError() }
        public let successScreenTimeout: TimeInterval
    }
    public var deviceManager: DeviceManager & FirmwareManager { get { fatalError() } }
    public func getPaymentInterface(with type: PaymentInterfaceType) async throws -> PaymentInterface { fatalError() }
    public convenience init(delegate: PaymentServiceDelegate) { fatalError() }
    public var installationId: String { get throws { fatalError() } }
    public func performReversal(with request: Reversal.Request) async -> Reversal.Response { fatalError() }
    public func performTransaction(with request: Payment.Request, paymentInterface: PaymentInterface, presentationMode: TransactionPresentationMode) async -> Payment.Response { fatalError() }
    @MainActor public func resetSession() async throws { fatalError() }
    @MainActor public func warmUp() async throws { fatalError() }
    init(stub: Void) { fatalError() }
}

public protocol PaymentServiceDelegate: AnyObject {
    func register(with setupToken: String) async throws -> String
}

public enum Reversal {
    public struct Request: Equatable {
        public let data: Data
        public init(data: Data) throws { fatalError() }
    }
    public typealias Response = Data
}

public enum TransactionPresentationMode {
    case presentingViewController(UIViewController, logo: UIImage? = nil, parameters: PaymentService.Parameters? = nil)
    case viewModifier
}

extension View {
    public func transactionModal(with pos: PaymentService, logo: UIImage? = nil, parameters: PaymentService.Parameters? = nil) -> some View { EmptyView() }
}
