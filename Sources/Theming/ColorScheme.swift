/// The two sets of colours of every theme.
package enum ColorScheme: String, CaseIterable, Hashable, Sendable {
    case light, dark
}
