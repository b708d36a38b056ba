import Notation

/// The decoder of `data:` URIs (RFC 2397).
///
/// The media type is ignored: the image format is detected from the bytes.
package enum DataURI {
    /// Returns the bytes of the URI; throws if it is malformed or has more than `bytesLimit` bytes.
    package static func decode(_ text: String, bytesLimit: Int) throws(ItemFailure) -> [UInt8] {
        let all = Array(text.utf8)
        guard all.count >= 5, SourceReference.scheme(of: text) == "data" else {
            throw ItemFailure(.badURL, "a data: URI starts with data:")
        }
        guard let comma = all.firstIndex(of: UInt8(ascii: ",")) else {
            throw ItemFailure(.badURL, "a data: URI needs a comma before its data")
        }
        let body = all.span.extracting((comma + 1)...)
        guard isBase64(all[5..<comma]) else {
            // Percent decoding leaves at least a third of the bytes, so a longer text cannot fit.
            guard body.count / 3 <= bytesLimit else { throw ItemFailure(tooLarge: bytesLimit) }
            let bytes = PercentCoding.decoded(body)
            guard bytes.count <= bytesLimit else { throw ItemFailure(tooLarge: bytesLimit) }
            return bytes
        }
        do throws(Base64Error) {
            // Some web pages percent-encode the characters +, / and = of Base64.
            let hasEscapes = all[comma...].contains(UInt8(ascii: "%"))
            let digits = hasEscapes ? PercentCoding.decoded(body) : Array(all[(comma + 1)...])
            return try Base64.decode(digits.span, manner: .lenient, limit: bytesLimit)
        } catch .tooLarge {
            throw ItemFailure(tooLarge: bytesLimit)
        } catch {
            throw ItemFailure(.badURL, "\(error)")
        }
    }

    private static func isBase64(_ head: ArraySlice<UInt8>) -> Bool {
        let word = head.drop { $0 == 0x20 }.split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
        ).dropFirst().last
        guard let word else { return false }
        let name = word.filter { $0 != 0x20 }.map { $0 | 0x20 }
        return name.elementsEqual("base64".utf8)
    }
}
