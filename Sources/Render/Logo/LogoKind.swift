/// The kind of a logo, which decides where it stands and on which ground.
package enum LogoKind: String, CaseIterable, Hashable, Sendable {
    /// A shape without a ground of its own.
    case mark
    /// A mark or name that is at least twice as wide as high.
    case wordmark
    /// A solid circle.
    case disc
    /// A picture that is opaque along its edge in one colour or in a smooth gradient.
    case tile
    /// An opaque picture with a busy edge.
    case photograph
}
