/// The addresses that a loader may connect to: all public ones, and those that its settings add.
package struct AddressPolicy: Sendable, Hashable {
    var allowsPrivate = false
    /// Whether `allowsPrivate` and the names of hosts leave link-local addresses refused.
    var refusesLinkLocal = false
    var allowances: [PrivateAllowance] = []

    package init() {}

    /// Returns whether an address to which the host of a URL resolves may be connected to.
    package func allows(_ bytes: Span<UInt8>, of address: WebAddress) -> Bool {
        allows(bytes, port: address.port, isNamed: names(address))
    }

    /// Returns whether an address may be connected to.
    ///
    /// - Parameters:
    ///   - port: The port; nil if it was checked before.
    ///   - isNamed: Whether an allowance names the host.
    func allows(_ bytes: Span<UInt8>, port: Int?, isNamed: Bool) -> Bool {
        if AddressRule.isPublic(bytes) { return true }
        if allowsPrivate || isNamed, !refusesLinkLocal || !AddressRule.isLinkLocal(bytes) {
            return true
        }
        return allowances.contains { $0.covers(bytes, port) }
    }

    /// Returns whether an allowance names the host of a URL, and not only its address.
    func names(_ address: WebAddress) -> Bool {
        allowances.contains { $0.names(address) }
    }

    /// Returns whether an allowance names the port of a URL together with its host or address.
    func namesPort(of address: WebAddress) -> Bool {
        allowances.contains { allowance in
            guard allowance.port == address.port else { return false }
            return allowance.names(address)
                || address.literal.map { allowance.covers($0.span, address.port) } ?? false
        }
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

    /// Returns the IPv4 address of a mapped one (`::ffff:0:0/96`).
    private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        let prefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return bytes.count == 16 && bytes.starts(with: prefix) ? Array(bytes[12...]) : bytes
    }
}
