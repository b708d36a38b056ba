import System

/// The transfers of an event thread: handles in use and at rest, and the lanes that they go by.
///
/// Lives on the event thread, like its owner. Without lanes of their own threads, that thread
/// drives all transfers itself.
final class TransferPool {
    /// A lane with a thread of its own.
    private struct Line {
        let lane: TransferLane
        let thread: Thread
    }

    private let settings: NetworkSettings
    private let engine: TransferEngine
    private let ledger: HeldBytes
    /// Transfers under way at once, over all lanes.
    private let connections: Int
    /// The event thread's own lane, and whoever is beside it; each begins when it is first needed.
    private let driver: TransferDriver
    private var lines: [Line?]
    private var idle: [[TransferHandle]]
    private var places: LanePlaces
    /// What was withdrawn and is not back; held here, handles end on this thread.
    private var leaving: [ObjectIdentifier: TransferHandle] = [:]

    init(
        _ settings: NetworkSettings, _ engine: TransferEngine, _ ledger: HeldBytes,
        connections: Int, lanes: Int
    ) {
        self.settings = settings
        self.engine = engine
        self.ledger = ledger
        self.connections = connections
        driver = TransferDriver(engine.lane, ledger)
        lines = Array(repeating: nil, count: lanes)
        idle = Array(repeating: [], count: lanes + 1)
        places = LanePlaces(lanes: lanes, room: Self.room(of: lanes, connections))
    }

    /// How many transfers a lane has room for, and keeps connections of. curl closes a connection
    /// that comes back while more are under way than it keeps; and hosts do not fall to lanes evenly,
    /// so all together have twice the room that is needed.
    static func room(of lanes: Int, _ connections: Int) -> Int {
        lanes > 0 ? (2 * connections + lanes - 1) / lanes : connections
    }

    /// Bytes of bodies that are still coming in and are wanted.
    var bytesUnderWay: Int { engine.lane.incoming.value }

    /// A handle for a transfer to a host; nil when there is no memory.
    func take(for origin: String) -> TransferHandle? {
        guard !lines.isEmpty else { return handle(of: engine.lane) }
        let place = places.take(origin)
        if let lane = lane(place), let handle = handle(of: lane) { return handle }
        places.leave(place, origin)
        // The system gives no thread, or no memory.
        return handle(of: engine.lane)
    }

    private func handle(of lane: TransferLane) -> TransferHandle? {
        idle[lane.index].popLast() ?? lane.makeHandle()
    }

    /// Hands a prepared transfer over.
    func begin(_ handle: TransferHandle) { handle.lane.tell(.begin(handle)) }

    /// Has a transfer reported as done with what came in.
    func conclude(_ handle: TransferHandle) { handle.lane.tell(.conclude(handle)) }

    /// Takes a transfer back from its way to a host: one that is done rests, the others come back.
    /// For a moment a host may see one connection more than it should, where the next transfer
    /// begins in another lane before this one has ended.
    func remove(_ handle: TransferHandle, _ origin: String, isDone: Bool) {
        places.leave(handle.lane.index, origin)
        if isDone {
            rest(handle)
        } else {
            handle.forgo()
            leaving[ObjectIdentifier(handle)] = handle
            handle.lane.tell(.withdraw(handle))
        }
    }

    /// A handle is free for the next transfer.
    func rest(_ handle: TransferHandle) {
        leaving[ObjectIdentifier(handle)] = nil
        idle[handle.lane.index].append(handle)
    }

    /// Moves on what the event thread drives itself.
    func perform(_ report: (TransferLane.Report) -> Void) { driver.perform(report) }

    /// Listens until something happens or the time is over.
    func wait(milliseconds: Int32) {
        driver.wait(milliseconds: milliseconds) { engine.hasMessages }
    }

    /// Ends what is under way, and the threads.
    func close() {
        for case let line? in lines { line.lane.tell(.stop) }
        for case let line? in lines { line.thread.join() }
        driver.perform { _ in }
    }

    /// A lane with its thread; nil where the system gives none.
    private func lane(_ place: Int) -> TransferLane? {
        if let line = lines[place] { return line.lane }
        let lane = TransferLane(
            settings, engine.lane.incoming, index: place,
            keeping: Self.room(of: lines.count, connections))
        guard let lane else { return nil }
        let (engine, ledger) = (engine, ledger)
        let thread = Thread("emblem-net-\(place)", stackBytes: 1 << 20) {
            TransferDriver(lane, ledger).run { engine.send(.transfer($0)) }
        }
        guard let thread else { return nil }
        lines[place] = Line(lane: lane, thread: thread)
        return lane
    }
}
