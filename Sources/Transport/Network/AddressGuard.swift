/// What is judged of an address before anything is looked up or opened.
package enum AddressGuard {
    /// Throws where the URL itself says that it leads to a forbidden address.
    package static func check(_ address: WebAddress, allowPrivate: Bool) throws(NetworkFailure) {
        guard !allowPrivate else { return }
        if RefusedPorts.contains(address.port) {
            throw NetworkFailure(
                .blockedAddress,
                "Port \(address.port) is blocked for web requests.")
        }
        if let literal = address.literal, !AddressRule.isPublic(literal.span) {
            throw NetworkFailure(.blockedAddress, "The address is not public.")
        }
        // By RFC 6761 these names are this machine, also where a proxy would look them up.
        let name = address.host.hasSuffix(".") ? String(address.host.dropLast()) : address.host
        if name == "localhost" || name.hasSuffix(".localhost") {
            throw NetworkFailure(.blockedAddress, "The host name is the local machine.")
        }
    }
}

/// Ports that browsers refuse, because what listens there is no web server and can be led astray
/// by a request (the "bad ports" of the Fetch standard).
enum RefusedPorts {
    static func contains(_ port: Int) -> Bool { all.contains(port) }

    private static let all: Set<Int> = [
        1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
        102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389,
        427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
        989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665,
        6666, 6667, 6668, 6669, 6679, 6697, 10080,
    ]
}
