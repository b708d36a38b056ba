import Artwork
import Codecs
import Raster

/// The needs of an order, computed from the header of its image alone.
package struct OrderEstimate: Sendable {
    /// The memory for decoding, drawing and encoding, in bytes.
    package private(set) var bytes = 0
    /// Whether the image has so many pixels that decoding delays other orders.
    package private(set) var isLarge = false
    /// The format of the image; nil if it is not recognised.
    package private(set) var format: ImageFormat?

    /// The most pixels of an image that is not large.
    private static let pixelsLimit = 8_000_000

    /// - Parameter memoryBytes: The memory for decoding if nothing else is decoded.
    package init(of order: RenderOrder, in renderer: Renderer, memoryBytes: Int) {
        guard order.subject.isPicture else {
            bytes = RenderCost.outputBytes(order.recipe, renderer.theme)
            if case .raster(let pixels) = order.subject {
                bytes = bytes.saturating(plus: pixels.buffer.size.byteCount)
            }
            return
        }
        do throws(DecodeError) {
            var (header, headerBytes) = try ImageDecoder.outline(of: order.source.span)
            format = header.format
            // A drawing has its size only once it is loaded; the widest emblem is assumed.
            if header.format.isVector, order.recipe.width == .auto { header.exactSize.width = 4 }
            isLarge = header.codedSize.area > Self.pixelsLimit
            // An image that exceeds the limits is refused before it is decoded.
            try header.check(order.recipe.limits)
            bytes =
                RenderCost(
                    of: order.subject, header, order.recipe, renderer, memoryBytes: memoryBytes,
                    headerBytes: headerBytes
                ).bytes
        } catch {
            // The order reads the header again, and fails with this error.
            if format == nil, case .picture(let sniffed) = ImageSniffer.sniff(order.source.span) {
                format = sniffed
            }
        }
    }
}
