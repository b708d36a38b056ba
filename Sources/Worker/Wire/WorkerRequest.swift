import Render

/// Where in the region an order lies, and its picture.
struct WorkerPlace: Equatable {
    let order: Int
    let orderBytes: Int
    let picture: Int
    let pictureBytes: Int
}

/// What a keeper tells its worker. Each is one message on the socket; what is long lies in the region.
enum WorkerRequest: Equatable {
    /// The theme lies in the region; the worker never needs more than this for a picture.
    case begin(mapped: Int, themeBytes: Int, memoryBytes: Int)
    /// Orders lie in the region, before them the theme that holds from now on (of no bytes where it
    /// stays). What comes of them is to be written from `outcomes` on.
    case draw(mapped: Int, themeBytes: Int, places: [WorkerPlace], outcomes: Int)
    /// The region has grown.
    case room(mapped: Int)

    /// The most orders of one message.
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
