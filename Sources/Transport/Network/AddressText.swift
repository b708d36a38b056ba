import Glibc

/// Addresses as curl reads them.
enum AddressText {
    /// `+HOST:PORT:ADDRESS,ADDRESS`, which curl forgets after its cache time; nil for no addresses.
    static func resolveLine(_ address: WebAddress, _ found: [[UInt8]]) -> String? {
        let texts = found.compactMap(text)
        guard !texts.isEmpty else { return nil }
        return "+\(address.host):\(address.port):\(texts.joined(separator: ","))"
    }

    /// 4 or 16 bytes as text, with brackets around the longer form.
    static func text(_ address: [UInt8]) -> String? {
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard address.count == 4 || address.count == 16 else { return nil }
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            unsafe address.withUnsafeBytes { bytes in
                unsafe inet_ntop(family, bytes.baseAddress, buffer.baseAddress, 64)
                    .map { unsafe String(cString: $0) }
            }
        }
        return address.count == 4 ? text : text.map { "[\($0)]" }
    }
}
