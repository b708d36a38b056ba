/// How much JSON a reader accepts before it gives up.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    package var bytes: Int
    /// Arrays and objects inside one another; never more than 512, for the sake of the stack.
    package var depth: Int
    /// Values of any kind, which bounds memory where `[0,0,0…` would multiply it.
    package var values: Int

    /// Bounds that suit lists and themes, each to be changed by itself.
    package init(bytes: Int = 64 << 20, depth: Int = 64, values: Int = 8_000_000) {
        self.bytes = bytes
        self.depth = min(depth, 512)
        self.values = values
    }

    /// 64 MB, 64 levels, eight million values.
    package static let standard = JSONLimits()
}
