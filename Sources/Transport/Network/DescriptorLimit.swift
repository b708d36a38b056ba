import Glibc

/// How many connections the system's limit on descriptors leaves room for.
enum DescriptorLimit {
    /// Kept free for files, pipes and other people's sockets.
    private static let reserve = 32

    /// At most `wanted`, at least one: a connection may take two sockets while it is being made,
    /// since both families of addresses are tried.
    static func connections(atMost wanted: Int) -> Int {
        max(1, min(wanted, room / 2))
    }

    /// As many as are wanted, but no more than have something to carry; none where descriptors are
    /// short: a lane keeps connections open that no other can use, and has a few of its own.
    static func lanes(_ wanted: Int, for connections: Int) -> Int {
        let lanes = max(0, min(wanted, connections / LanePlaces.together))
        let kept = lanes * (TransferPool.room(of: lanes, connections) + 4)
        return 2 * connections + kept <= room ? lanes : 0
    }

    private static var room: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .max
        }
        return max(0, Int(clamping: limit.rlim_cur) - reserve)
    }
}
