/// What is judged of an address before anything is looked up or opened.
package enum AddressGuard {
    /// Throws where the URL itself says that it leads to a forbidden address.
    package static func check(_ address: WebAddress, allowPrivate: Bool) throws(NetworkFailure) {
        guard !allowPrivate else { return }
        if RefusedPorts.contains(address.port) {
            throw NetworkFailure(.blockedAddress, "Port \(address.port) is no web server's.")
        }
        if let literal = address.literal, !AddressRule.isPublic(literal.span) {
            throw NetworkFailure(.blockedAddress, "The address is not public.")
        }
    }
}
