/// The kind of a logo, which decides its place and its ground.
package enum LogoKind: String, CaseIterable, Hashable, Sendable {
    /// Any other shape without its own ground.
    case mark
    /// A shape without its own ground that is at least twice as wide as high, such as a name.
    case wordmark
    case disc
    /// A picture that is opaque along its edge in one colour or in a smooth gradient.
    case tile
    /// An opaque picture with a busy edge.
    case photograph
}
