import Render

/// The offsets of an order and of its image in the region.
struct WorkerPlace: Equatable {
    let order: Int
    let orderBytes: Int
    let picture: Int
    let pictureBytes: Int
}

/// A request from a keeper to its worker. Each is one message on the socket; long data is in the
/// region, of which the worker maps the first `mapped` bytes.
enum WorkerRequest: Equatable {
    /// The theme is in the region. `memoryBytes` is the most memory that the worker ever needs for
    /// an image.
    case begin(mapped: Int, themeBytes: Int, memoryBytes: Int)
    /// Orders are in the region, after the theme that applies from now on (`themeBytes` is 0 if it
    /// does not change). The worker writes the results from `outcomes` on.
    case draw(mapped: Int, themeBytes: Int, places: [WorkerPlace], outcomes: Int)
    /// The answer to `WorkerReply.room`: the region was enlarged.
    case room(mapped: Int)

    static let ordersLimit = WorkerGroupSize.limit

    var bytes: [UInt8] {
        var wire = WireWriter()
        switch self {
        case .begin(let mapped, let themeBytes, let memoryBytes):
            wire.put(UInt8(0))
            wire.put(mapped)
            wire.put(themeBytes)
            wire.put(memoryBytes)
        case .draw(let mapped, let themeBytes, let places, let outcomes):
            wire.put(UInt8(1))
            wire.put(mapped)
            wire.put(themeBytes)
            wire.put(list: places) { wire, place in
                wire.put(place.order)
                wire.put(place.orderBytes)
                wire.put(place.picture)
                wire.put(place.pictureBytes)
            }
            wire.put(outcomes)
        case .room(let mapped):
            wire.put(UInt8(2))
            wire.put(mapped)
        }
        return wire.bytes
    }

    init(_ bytes: [UInt8]) throws(WireDamage) {
        var wire = WireReader(bytes)
        let lengths = 0...Int.max
        switch try wire.byte() {
        case 0:
            self = .begin(
                mapped: try wire.number(in: lengths), themeBytes: try wire.number(in: lengths),
                memoryBytes: try wire.number(in: lengths))
        case 1:
            self = .draw(
                mapped: try wire.number(in: lengths), themeBytes: try wire.number(in: lengths),
                places: try wire.list(limit: Self.ordersLimit) { wire throws(WireDamage) in
                    WorkerPlace(
                        order: try wire.number(in: lengths),
                        orderBytes: try wire.number(in: lengths),
                        picture: try wire.number(in: lengths),
                        pictureBytes: try wire.number(in: lengths))
                },
                outcomes: try wire.number(in: lengths))
        case 2: self = .room(mapped: try wire.number(in: lengths))
        default: throw WireDamage()
        }
        try wire.finish()
    }
}
