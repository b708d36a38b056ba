/// The dark twins of the images in one folder: with the suffix `_dark`, `logo_dark.png` is the twin
/// of `logo.png` and of `logo.svg`.
struct FolderTwins {
    private let suffix: [UInt8]
    /// The names of twins by the name of their partner without its extension, in byte order.
    private var names: [ArraySlice<UInt8>: [[UInt8]]] = [:]

    /// Finds the twins whose partner is among the entries of a folder, and stores only their names.
    init(_ entries: [[UInt8]], suffix: [UInt8]) {
        self.suffix = suffix
        // The name of a folder ends with a slash.
        let images = entries.filter { $0.last != UInt8(ascii: "/") }
        for name in images {
            guard let partner = partner(of: Self.stem(name[...])) else { continue }
            names[partner, default: []].append(name)
        }
        guard !names.isEmpty else { return }
        var found: Set<ArraySlice<UInt8>> = []
        for name in images {
            let stem = Self.stem(name[...])
            if names[stem] != nil { found.insert(stem) }
        }
        names = names.filter { found.contains($0.key) }.mapValues { twins in
            twins.sorted { $0.lexicographicallyPrecedes($1) }
        }
    }

    /// Returns the twin of an image. A twin with the same extension takes precedence over others.
    func twin(of name: ArraySlice<UInt8>) -> [UInt8]? {
        let stem = Self.stem(name)
        guard let twins = names[stem] else { return nil }
        let ending = name[stem.endIndex...]
        return twins.first { $0.dropFirst(stem.count + suffix.count) == ending } ?? twins.first
    }

    /// Returns whether an image is the twin of another image that is not a twin itself.
    func isTwin(_ name: ArraySlice<UInt8>) -> Bool { isTwin(stem: Self.stem(name)) }

    private func isTwin(stem: ArraySlice<UInt8>) -> Bool {
        guard let partner = partner(of: stem), names[partner] != nil else { return false }
        return !isTwin(stem: partner)
    }

    private func partner(of stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard stem.count > suffix.count, stem.suffix(suffix.count).elementsEqual(suffix) else {
            return nil
        }
        return stem.dropLast(suffix.count)
    }

    private static func stem(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    }
}
