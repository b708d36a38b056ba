/// How a target that does not take every name changes those of the items.
///
/// Two items may come to want one name: they are compared in one form, in which small and capital
/// letters are equal, and written in another.
package struct LegalName: Sendable {
    private let compared: @Sendable (String) -> String
    private let written: @Sendable (String) -> String

    /// The name as it is compared with others; suffixes are added to it.
    package func wanted(_ name: String) -> String { compared(name) }

    /// The name of a file, of what `wanted` said and a suffix.
    package func text(_ name: String) -> String { written(name) }
}

extension LegalName {
    /// Small letters of ASCII, digits and `_`.
    package static let android = LegalName(
        compared: { ResourceName.dashed($0) }, written: { $0.replacing("-", with: "_") })

    /// Without dots: what stands behind the first one is the extension.
    package static let tar = LegalName(
        compared: { $0.replacing(".", with: "_") }, written: { $0 })
}

/// Names that mean something else in a folder than an item of that name: each such name gets a `_`
/// behind it, and so does each that would come to be the same.
package enum ReservedName {
    package static func avoiding(_ name: some StringProtocol, where isReserved: (String) -> Bool)
        -> String
    {
        let stem = name.reversed().drop { $0 == "_" }.reversed()
        return isReserved(String(stem).lowercased()) ? "\(name)_" : String(name)
    }
}
