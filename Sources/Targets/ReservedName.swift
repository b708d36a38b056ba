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
