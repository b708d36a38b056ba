/// How a picture takes its place on a canvas of another shape.
package enum ContentMode: String, CaseIterable, Sendable {
    /// The whole picture is visible.
    case fit
    /// The canvas is covered, the picture cropped around its centre.
    case fill
}
