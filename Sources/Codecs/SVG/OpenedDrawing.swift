/// A drawing that was loaded to read its header, kept until it is decoded.
///
/// An SVG has no header of its own: what it says of itself is known once it is loaded whole, which
/// is half of what decoding it takes.
@safe
package final class OpenedDrawing {
    private var drawing: VectorPicture?
    private let textBytes: Int

    /// Nil for a drawing with pictures inside, which are not looked at for a header.
    init?(_ drawing: consuming VectorPicture, _ limits: DecodeLimits) {
        guard !drawing.hasPictures else { return nil }
        self.drawing = consume drawing
        textBytes = limits.svgBytes
    }

    /// The drawing, once; nil where it was loaded under another limit.
    func take(for limits: DecodeLimits) -> VectorPicture? {
        guard limits.svgBytes == textBytes else { return nil }
        return drawing.take()
    }
}
