import Glibc

/// How many connections the system's limit on descriptors leaves room for.
enum DescriptorLimit {
    /// Kept free for files, pipes and other people's sockets.
    private static let reserve = 32

    /// At most `wanted`, at least one: a connection may take two sockets while it is being made,
    /// since both families of addresses are tried.
    static func connections(atMost wanted: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return max(1, wanted)
        }
        let room = (Int(clamping: limit.rlim_cur) - reserve) / 2
        return max(1, min(wanted, room))
    }
}
