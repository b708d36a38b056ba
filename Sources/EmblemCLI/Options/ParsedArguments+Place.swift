import Flags
import Notation
import Transport

extension ParsedArguments {
    /// The folder that an option must name; `-` is no folder, since a set is many files.
    func requiredFolder(_ key: FlagKey<String?>) throws -> FilePath {
        let text = try required(key)
        guard text != "-" else {
            throw error(
                key.flag, "A set is many files and cannot be written to standard output.",
                remedy: "Name a folder, or type './-' for one with this name.")
        }
        return FilePath(text)
    }

    /// A file that comes with a folder says where in that folder something is written, and nowhere else.
    func checkPlace(_ flag: Flag, _ folder: FilePath) throws(UsageError) {
        guard case .configuration? = origin(of: flag),
            folder.place.path(below: FilePath(".").place) == nil
        else { return }
        throw error(
            flag, "\(PrintableText.escaped("\(folder)")) is not in this folder.",
            remedy: "Remove the key; --\(flag.name) can be typed.")
    }
}
