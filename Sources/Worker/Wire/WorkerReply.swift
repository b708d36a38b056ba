import Codecs
import Render

/// A report from a worker to its keeper, which trusts none of it.
package enum WorkerReply {
    /// The worker is ready, with the confinement that it reports.
    case ready(Confinement)
    /// The worker belongs to another release, whose protocol may differ.
    case foreign(version: Int)
    /// The outcomes need this many bytes of the region.
    case room(Int)
    /// The outcomes are in the region one after the other, each with its table first. If `leaves`
    /// is true, the worker accepts no more work.
    case done(tableBytes: [Int], leaves: Bool)

    /// The version of the protocol. Increase it when messages, orders or outcomes change. Both
    /// sides are usually the same program, but a library may use another version of the tool, and
    /// either may be updated during a run.
    package static let version = 6

    package static let bytesLimit = 2048

    package var bytes: [UInt8] {
        var wire = WireWriter()
        switch self {
        case .ready(let confinement):
            let (flags, filter, rules) = confinement.words
            wire.put(UInt8(0))
            wire.put(Self.version)
            wire.put(Renderer.revision)
            wire.put(Int(flags))
            wire.put(Int(filter))
            wire.put(Int(rules))
        case .foreign(let version):
            wire.put(UInt8(0))
            wire.put(version)
        case .room(let count):
            wire.put(UInt8(1))
            wire.put(count)
        case .done(let tableBytes, let leaves):
            wire.put(UInt8(2))
            wire.put(list: tableBytes) { $0.put($1) }
            wire.put(leaves)
        }
        return wire.bytes
    }

    package init(_ bytes: [UInt8]) throws(WireDamage) {
        var wire = WireReader(bytes)
        switch try wire.byte() {
        case 0:
            let version = try wire.number()
            guard version == Self.version, try wire.number() == Renderer.revision else {
                self = .foreign(version: version)
                return
            }
            let codes = 0...4095
            self = .ready(
                Confinement(
                    flags: Int32(try wire.number(in: 0...255)),
                    filterRefusal: Int32(try wire.number(in: codes)),
                    rulesRefusal: Int32(try wire.number(in: codes))))
        case 1: self = .room(try wire.number(in: 1...Outcome.bytesLimit))
        case 2:
            self = .done(
                tableBytes: try wire.list(limit: WorkerRequest.ordersLimit) {
                    wire throws(WireDamage) in
                    try wire.number(in: 1...Outcome.tableLimit)
                }, leaves: try wire.flag())
        default: throw WireDamage()
        }
        try wire.finish()
    }
}
