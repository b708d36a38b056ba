import CShims

/// What keeps a picture that takes over its decoder from doing harm.
package struct Confinement: Hashable, Sendable {
    private enum Place: Hashable {
        case thisProcess
        case cell(flags: Int32)
    }

    private let place: Place

    /// Pictures are decoded in this process: nothing holds them.
    package static let none = Confinement(place: .thisProcess)

    private init(place: Place) { self.place = place }

    /// What a cell says to be in force.
    init(flags: Int32) { place = .cell(flags: flags) }

    private func has(_ flag: Int) -> Bool {
        guard case .cell(let flags) = place else { return false }
        return Int(flags) & flag != 0
    }

    /// System calls are filtered: no network, no processes, no file opened for writing.
    package var filtersCalls: Bool { has(Int(EMB_CELL_SECCOMP)) }
    /// No file can be read but the fonts and the tables of encodings.
    package var hidesFiles: Bool { has(Int(EMB_CELL_LANDLOCK)) }
    /// Memory, descriptors and files are limited.
    package var limitsResources: Bool { has(Int(EMB_CELL_RLIMITS)) }
}

extension Confinement: CustomStringConvertible {
    package var description: String {
        guard place != .thisProcess else { return "none: pictures are decoded in this process" }
        let parts = [
            (filtersCalls, "seccomp", "any system call can be made"),
            (hidesFiles, "landlock", "files can be read"),
            (limitsResources, "rlimits", "resources are not limited"),
        ]
        let held = parts.filter(\.0).map(\.1)
        let open = parts.filter { !$0.0 }.map { "no \($0.1): \($0.2)" }
        return (["process"] + held).joined(separator: ", ")
            + open.map { "; " + $0 }.joined()
    }
}
