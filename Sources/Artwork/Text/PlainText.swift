/// A text that can be laid out and written into any document: bounded, without controls, with
/// single spaces.
package struct PlainText: Hashable, Sendable {
    package let text: String

    /// More than any component shows; what a text has beyond is left out.
    package static let scalarsLimit = 1000

    /// Line breaks stay with `keepsLines`, else they are spaces like other blanks.
    package init(_ source: String, keepsLines: Bool = true) {
        var kept = String.UnicodeScalarView()
        var count = 0
        var pending: Unicode.Scalar?
        for scalar in source.unicodeScalars {
            if let blank = Self.blank(scalar, keepsLines: keepsLines) {
                // A break outranks the spaces around it.
                if pending == nil || blank == "\n" { pending = blank }
                continue
            }
            guard Self.isDrawable(scalar) else { continue }
            if count >= Self.scalarsLimit { break }
            if let blank = pending, !kept.isEmpty {
                kept.append(blank)
                count += 1
            }
            pending = nil
            kept.append(scalar)
            count += 1
        }
        text = String(kept)
    }

    package var isEmpty: Bool { text.isEmpty }

    /// What a blank becomes; nil for a scalar that is none. A space that must not break stays.
    private static func blank(_ scalar: Unicode.Scalar, keepsLines: Bool) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: keepsLines ? "\n" : " "
        case 0x09, 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: " "
        default: nil
        }
    }

    /// Neither a control nor a scalar that no document may hold.
    private static func isDrawable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xFEFF, 0xFDD0...0xFDEF, 0xFFF9...0xFFFB: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
