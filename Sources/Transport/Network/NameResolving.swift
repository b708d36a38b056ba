import Glibc

/// What looking a name up gave.
package enum NameAnswer: Sendable, Equatable {
    /// Addresses of 4 or 16 bytes, best first.
    case addresses([[UInt8]])
    /// There is no such name, or it has no address.
    case none(String)
    /// The servers could not say; asking again may help.
    case failed(String)
}

/// Looks names up.
package protocol NameResolving: Sendable {
    /// May block for as long as it takes; called on threads that exist for this.
    func addresses(of host: String) -> NameAnswer
}

/// The system's way: hosts file, DNS, in the order the machine is set up for.
package struct SystemResolver: NameResolving {
    package init() {}

    package func addresses(of host: String) -> NameAnswer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let outcome = unsafe getaddrinfo(host, nil, &hints, &list)
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        guard outcome == 0 else {
            let reason = unsafe gai_strerror(outcome).map { unsafe String(cString: $0) } ?? ""
            let isFinal = outcome == EAI_NONAME || outcome == -5  // EAI_NODATA
            return isFinal ? .none(reason) : .failed(reason)
        }
        var found: [[UInt8]] = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let address = unsafe Self.bytes(current.pointee), !found.contains(address) {
                found.append(address)
            }
            unsafe entry = current.pointee.ai_next
        }
        return found.isEmpty ? .none("The name has no address.") : .addresses(found)
    }

    private static func bytes(_ info: addrinfo) -> [UInt8]? {
        guard let address = unsafe info.ai_addr else { return nil }
        let raw = UnsafeRawPointer(address)
        switch unsafe info.ai_family {
        case AF_INET:
            let four = unsafe raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return unsafe withUnsafeBytes(of: four) { unsafe [UInt8]($0) }
        case AF_INET6:
            let six = unsafe raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return unsafe withUnsafeBytes(of: six) { unsafe [UInt8]($0) }
        default: return nil
        }
    }
}
