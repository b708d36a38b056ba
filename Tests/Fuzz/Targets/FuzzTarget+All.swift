extension FuzzTarget {
    /// Every target there is.
    package static let all: [FuzzTarget] =
        pictures + metadata + notations + lists + network + names + cells
}
