/// The colour scheme that a drawing is shown in: `prefers-color-scheme` asks for it.
package enum DrawingScheme: String, CaseIterable, Hashable, Sendable {
    case light, dark
}
