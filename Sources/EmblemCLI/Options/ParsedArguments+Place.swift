import Flags
import Notation
import Transport

extension ParsedArguments {
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
