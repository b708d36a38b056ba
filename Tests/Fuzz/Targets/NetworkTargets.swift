import Digest
import Transport

extension FuzzTarget {
    /// Responses of untrusted servers, and the URLs of lists.
    static let network: [FuzzTarget] = [
        FuzzTarget("address") { bytes, digest in
            let text = String(decoding: bytes, as: UTF8.self)
            let end = text.firstIndex(of: "\n") ?? text.endIndex
            do throws(ItemFailure) {
                let address = try WebAddress(String(text[..<end]))
                note(address, &digest)
                note(try address.following(String(text[end...].dropFirst())), &digest)
            } catch {
                digest.add("\(error)")
            }
        },
        FuzzTarget("rule") { bytes, digest in
            digest.add(AddressRule.isPublic(bytes.span) ? 1 : 0)
            guard bytes.count >= 4 else { return }
            let four = Array(bytes[..<4])
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + four
            law(
                AddressRule.isPublic(four.span) == AddressRule.isPublic(mapped.span),
                "An address is judged otherwise where it is mapped into IPv6.")
        },
        FuzzTarget("answer") { bytes, digest in
            let headers = ResponseHeaders(head: bytes.span)
            digest.add("\(headers)")
            for status in [301, 302] {
                let route = headers.lifetime(ofRedirect: status)
                law(route ?? 0 >= 0, "A redirect holds for less than no time.")
                let lifetime = headers.lifetime(redirectLifetime: route)
                law(lifetime ?? 0 >= 0, "An answer holds for less than no time.")
                digest.add("\(String(describing: lifetime))")
            }
            for text in [headers.retryAfter, headers.date] {
                let wait = text.flatMap {
                    RetryWait.nanoseconds(retryAfter: $0, now: 1_700_000_000)
                }
                law(wait ?? 0 >= 0, "A wait is shorter than none.")
                digest.add("\(String(describing: wait))")
            }
        },
        FuzzTarget("cache") { bytes, digest in
            // The checksum is corrected; otherwise the code after the check would never be reached.
            for file in [bytes, bytes + SHA256.hash(bytes.span).bytes] {
                guard let entry = CacheEntry(file: file, validatedAt: 1_700_000_000) else {
                    continue
                }
                digest.add("\(entry.headers) \(entry.finalURL) \(entry.lifetime)")
                digest.add("\(entry.isFresh(at: 1_700_000_100)) \(entry.isFresh(at: 0))")
                digest.add(entry.body.span)
            }
        },
    ]

    private static func note(_ address: WebAddress, _ digest: inout OutcomeDigest) {
        digest.add("\(address.text) \(address.origin)")
        law((1...65_535).contains(address.port), "A port is out of range.")
        do throws(ItemFailure) {
            let again = try WebAddress(address.text)
            law(
                again.origin == address.origin && again.text == address.text,
                "An address leads elsewhere when it is read again.")
        } catch {
            // The only valid error: encoding can make a URL longer than the limit.
            law(
                address.text.utf8.count > 16_384, "An address cannot be read again: \(error)")
        }
    }
}
