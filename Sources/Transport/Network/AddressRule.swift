/// The addresses that a loader may connect to: public addresses, and the addresses that its
/// settings allow.
extension NetworkSettings {
    /// Returns whether an address may be connected to.
    ///
    /// - Parameters:
    ///   - port: The port; nil if it was checked before.
    ///   - isNamed: Whether an allowance names the host.
    package func allows(_ bytes: Span<UInt8>, port: Int?, isNamed: Bool) -> Bool {
        if AddressRule.isPublic(bytes) { return true }
        if allowPrivate || isNamed, !refusesLinkLocal || !AddressRule.isLinkLocal(bytes) {
            return true
        }
        return allowedPrivate.contains { $0.covers(bytes, port) }
    }

    /// Returns whether an allowance names the host of a URL, and not only its address.
    package func names(_ address: WebAddress) -> Bool {
        allowedPrivate.contains { $0.names(address) }
    }

    /// Checks a URL before its name is resolved.
    package func check(_ address: WebAddress) throws(ItemFailure) {
        let isNamed = names(address)
        if let literal = address.literal,
            !allows(literal.span, port: address.port, isNamed: isNamed)
        {
            throw .notPublic
        }
        // An allowance may name the port together with the host or address.
        let namesPort = allowedPrivate.contains { allowance in
            guard allowance.port == address.port else { return false }
            return allowance.names(address)
                || address.literal.map { allowance.covers($0.span, address.port) } ?? false
        }
        guard !allowPrivate, !namesPort else { return }
        if Self.refusedPorts.contains(address.port) {
            throw ItemFailure(blocked: "Port \(address.port) is blocked for web requests.")
        }
        guard !isNamed else { return }
        // RFC 6761: these names are the local machine, even if a proxy resolves them.
        let name = address.host.hasSuffix(".") ? String(address.host.dropLast()) : address.host
        if name == "localhost" || name.hasSuffix(".localhost") {
            throw ItemFailure(blocked: "The host name is the local machine.")
        }
    }

    /// The ports that browsers refuse (the "bad ports" of the Fetch standard), since HTTP requests
    /// can confuse the servers of other protocols.
    private static let refusedPorts: Set<Int> = [
        1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
        102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389,
        427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
        989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665,
        6666, 6667, 6668, 6669, 6679, 6697, 10080,
    ]
}

extension ItemFailure {
    package static let notPublic = ItemFailure(blocked: "The address is not public.")

    fileprivate init(blocked reason: String) {
        self.init(.blockedAddress, reason, remedy: ErrorClass.privateRemedy)
    }
}

/// A host, an address or a range of addresses that may be connected to although it is not public.
package struct PrivateAllowance: Sendable, Hashable {
    private enum Target: Sendable, Hashable {
        case host(String)
        case range([UInt8], bits: Int)
    }

    private let target: Target
    /// The only port; nil for every port.
    let port: Int?

    /// Reads `HOST`, `HOST:PORT`, an address with or without a port, or a range such as
    /// `10.0.0.0/8`; nil for anything else.
    package init?(_ text: String) {
        let fields = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = fields.first, fields.count <= 2,
            !text.contains(where: { "@?#".contains($0) })
        else { return nil }
        let colons = first.count { $0 == ":" }
        let isBare = colons > 1 && first.first != "["
        let host = isBare ? "[\(first)]" : String(first)
        guard let address = try? WebAddress("http://\(host)/") else { return nil }
        let hasPort = host.first == "[" ? host.contains("]:") : colons == 1
        port = hasPort ? address.port : nil
        guard let literal = address.literal else {
            guard fields.count == 1 else { return nil }
            target = .host(address.host)
            return
        }
        let bytes = Self.unmapped(literal)
        guard fields.count == 2 else {
            target = .range(bytes, bits: bytes.count * 8)
            return
        }
        guard !hasPort, let bits = Int(fields[1]), (0...bytes.count * 8).contains(bits) else {
            return nil
        }
        target = .range(bytes, bits: bits)
    }

    func names(_ address: WebAddress) -> Bool {
        guard case .host(let host) = target else { return false }
        return host == address.host && (port == nil || port == address.port)
    }

    /// - Parameter port: The port; nil if it was checked before.
    func covers(_ address: Span<UInt8>, _ port: Int?) -> Bool {
        guard case .range(let first, let bits) = target,
            self.port == nil || port == nil || self.port == port
        else { return false }
        let bytes = Self.unmapped(address.indices.map { address[$0] })
        guard bytes.count == first.count else { return false }
        return first.indices.allSatisfy { index in
            let kept = min(max(bits - index * 8, 0), 8)
            return (bytes[index] ^ first[index]) >> (8 - kept) == 0
        }
    }

    /// Returns the IPv4 address inside an IPv4-mapped address (`::ffff:0:0/96`); other addresses
    /// are returned unchanged.
    private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        let prefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return bytes.count == 16 && bytes.starts(with: prefix) ? Array(bytes[12...]) : bytes
    }
}

/// The rule for the addresses that an untrusted list may reach.
///
/// The rule takes raw addresses, and is applied twice, to every hop of a redirect: to a literal
/// address in a URL (``NetworkSettings/check(_:)``), and at the socket (`emb_open_socket` and
/// `emb_before_request`).
package enum AddressRule {
    /// Returns whether 4 or 16 bytes in network order are the address of a public host; false for
    /// any other number of bytes.
    package static func isPublic(_ address: Span<UInt8>) -> Bool {
        switch Address(address) {
        case .four(let four): !specialFour.contains { $0.holds(four) }
        case .six(let words): isPublic(six: words)
        case nil: false
        }
    }

    /// Returns whether 4 or 16 bytes are a link-local address or another address at which clouds
    /// serve the credentials of a machine.
    static func isLinkLocal(_ address: Span<UInt8>) -> Bool {
        switch Address(address) {
        // 100.100.100.200 serves credentials in one cloud.
        case .four(let four): Range(169, 254, 0, 0, 16).holds(four) || four == 0x6464_64C8
        // fe80::/10, and fd00:ec2::254, which serves credentials in one cloud.
        case .six(let words): words[0] >> 22 == 0x3FA || words == [0xFD00_0EC2, 0, 0, 0x254]
        case nil: false
        }
    }

    private enum Address {
        case four(UInt32)
        case six([UInt32])

        /// Reads 4 or 16 bytes. An IPv6 address that is mapped (`::ffff:0:0/96`), or of NAT64 with
        /// the well-known prefix (`64:ff9b::/96`), counts as the IPv4 address in it.
        init?(_ bytes: Span<UInt8>) {
            let words = stride(from: 0, to: bytes.count & ~3, by: 4).map { index in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[index + $1]) }
            }
            switch bytes.count {
            case 4: self = .four(words[0])
            case 16 where [[0, 0, 0xFFFF], [0x0064_FF9B, 0, 0]].contains(Array(words[..<3])):
                self = .four(words[3])
            case 16: self = .six(words)
            default: return nil
            }
        }
    }

    private struct Range {
        let first: UInt32
        let bits: UInt32

        init(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ bits: UInt32) {
            first = a << 24 | b << 16 | c << 8 | d
            self.bits = bits
        }

        func holds(_ address: UInt32) -> Bool { (address ^ first) >> (32 - bits) == 0 }
    }

    /// The special-purpose registry of IPv4 (RFC 6890 and its successors), multicast and class E.
    private static let specialFour = [
        Range(0, 0, 0, 0, 8), Range(10, 0, 0, 0, 8), Range(100, 64, 0, 0, 10),
        Range(127, 0, 0, 0, 8), Range(169, 254, 0, 0, 16), Range(172, 16, 0, 0, 12),
        Range(192, 0, 0, 0, 24), Range(192, 0, 2, 0, 24), Range(192, 88, 99, 0, 24),
        Range(192, 168, 0, 0, 16), Range(198, 18, 0, 0, 15), Range(198, 51, 100, 0, 24),
        Range(203, 0, 113, 0, 24), Range(224, 0, 0, 0, 4), Range(240, 0, 0, 0, 4),
    ]

    /// The parts of 2000::/3 that are not for public hosts, by their first 32 bits: protocol
    /// assignments with Teredo, ORCHID and benchmarking (2001::/23), documentation, 6to4.
    private static let specialSix = [
        Range(0x20, 0x01, 0, 0, 23), Range(0x20, 0x01, 0x0D, 0xB8, 32),
        Range(0x20, 0x02, 0, 0, 16), Range(0x3F, 0xFF, 0, 0, 20),
    ]

    private static func isPublic(six words: [UInt32]) -> Bool {
        // Everything outside 2000::/3 is IPv4-compatible, local, reserved or multicast.
        guard words[0] >> 29 == 1, !specialSix.contains(where: { $0.holds(words[0]) }) else {
            return false
        }
        // ISATAP: the interface part is 0000:5efe or 0200:5efe and then an IPv4 address.
        let isISATAP = words[2] & 0xFDFF_FFFF == 0x0000_5EFE
        return !isISATAP || !specialFour.contains { $0.holds(words[3]) }
    }
}
