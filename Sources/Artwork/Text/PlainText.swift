/// A text that can be laid out and written into any document: of limited length, without control
/// characters, with single spaces and at most one empty line in a row.
package struct PlainText: Hashable, Sendable {
    package let text: String

    package static let scalarsLimit = 1000

    /// With `keepsLines`, line breaks are kept; otherwise they become spaces.
    package init(_ source: String, keepsLines: Bool = true) {
        var kept = String.UnicodeScalarView()
        var count = 0
        // Blanks before the next character: line breaks take precedence over spaces.
        var (hasSpace, breaks) = (false, 0)
        var isAfterReturn = false
        for scalar in source.unicodeScalars {
            let endsReturn = isAfterReturn && scalar == "\n"
            isAfterReturn = scalar == "\r"
            if let blank = Self.blank(scalar, keepsLines: keepsLines) {
                if blank == " " { hasSpace = true } else if !endsReturn { breaks += 1 }
                continue
            }
            guard Self.isDrawable(scalar) else { continue }
            if count >= Self.scalarsLimit { break }
            if !kept.isEmpty, hasSpace || breaks > 0 {
                let blanks = breaks > 0 ? min(breaks, Self.breaksLimit) : 1
                for _ in 0..<blanks { kept.append(breaks > 0 ? "\n" : " ") }
                count += blanks
            }
            (hasSpace, breaks) = (false, 0)
            kept.append(scalar)
            count += 1
        }
        text = String(kept)
    }

    /// The line breaks kept in a row, which make one empty line.
    private static let breaksLimit = 2

    package var isEmpty: Bool { text.isEmpty }

    /// Returns the replacement of a blank, or nil for other scalars. No-break spaces are kept.
    private static func blank(_ scalar: Unicode.Scalar, keepsLines: Bool) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: keepsLines ? "\n" : " "
        case 0x09, 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: " "
        default: nil
        }
    }

    /// Whether the scalar is neither a control nor a noncharacter.
    private static func isDrawable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xFEFF, 0xFDD0...0xFDEF, 0xFFF9...0xFFFB: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
