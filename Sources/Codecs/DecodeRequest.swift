import Raster

/// What the caller needs of a decode.
package struct DecodeRequest: Hashable, Sendable {
    package var limits: DecodeLimits
    /// The largest size, after orientation, that anybody will resample to; `nil` asks for every
    /// pixel. A decoder returns fewer pixels than coded only where the result stays as good.
    package var neededSize: PixelSize?
    /// A picture whose data ends early is returned as far as it goes.
    package var allowTruncated: Bool
    /// The pixels come as they are stored, with `turn` set: a resampler turns them when they are
    /// few.
    package var leavesTurn: Bool
    /// The bytes a decode may hold beside its result before it takes a path that holds less.
    package var workingBytes: Int
    /// Whose code decodes.
    package var codecs: CodecChoice

    package init(
        limits: DecodeLimits = DecodeLimits(), neededSize: PixelSize? = nil,
        allowTruncated: Bool = false, leavesTurn: Bool = false, workingBytes: Int = 256 << 20,
        codecs: CodecChoice = .fast
    ) {
        self.limits = limits
        self.neededSize = neededSize
        self.allowTruncated = allowTruncated
        self.leavesTurn = leavesTurn
        self.workingBytes = workingBytes
        self.codecs = codecs
    }
}
