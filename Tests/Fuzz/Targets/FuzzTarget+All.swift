extension FuzzTarget {
    package static let all: [FuzzTarget] =
        pictures + writers + metadata + notations + lists + network + names + workers
}
