import CSandbox
import Glibc

/// The lines of all cells and the bell of their keeper, listened to at once.
///
/// The kernel keeps the list, so that it costs nothing to have many cells.
struct CellWatch: Sendable {
    /// What has something to be heard.
    struct Heard {
        var serials: [Int] = []
        var isRung = false
    }

    private let descriptor: Int32
    /// Otherwise `errno` says why not, until another call is made.
    let isListening: Bool
    private static let bell = UInt64.max

    /// - Parameter bell: a descriptor that is rung; -1 where there is none.
    init(bell: Int32) {
        descriptor = bell >= 0 ? emb_cell_watch() : -1
        isListening = descriptor >= 0 && emb_cell_watch_add(descriptor, bell, Self.bell) == 0
    }

    func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Begins to listen to a cell; false where the system does not.
    func add(_ cell: Cell) -> Bool {
        emb_cell_watch_add(descriptor, cell.descriptor, UInt64(cell.serial)) == 0
    }

    func remove(_ cell: Cell) {
        _ = emb_cell_watch_remove(descriptor, cell.descriptor)
    }

    /// Waits for a message, for the bell, or until the time is over.
    func wait(milliseconds: Int32) throws(CellFault) -> Heard {
        let most = Int(EMB_CELL_WATCHED)
        return try unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: most) {
            numbers throws(CellFault) in
            let count = unsafe emb_cell_watch_wait(descriptor, numbers.baseAddress, milliseconds)
            guard count >= 0 || errno == EINTR else { throw CellFault("epoll_wait") }
            var heard = Heard()
            guard count > 0 else { return heard }
            for index in 0..<Int(count) {
                let number = unsafe numbers[index]
                if number == Self.bell {
                    heard.isRung = true
                } else {
                    heard.serials.append(Int(number))
                }
            }
            return heard
        }
    }
}
