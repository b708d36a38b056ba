/// Whose code reads and writes the formats that both sides know.
package enum CodecChoice: String, CaseIterable, Hashable, Sendable {
    /// Code of our own where it was measured to be quicker and proven to judge alike.
    case fast
    /// libpng, libjpeg-turbo and libwebp alone.
    case system
}
