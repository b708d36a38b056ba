import Glibc

/// A folder of fonts that came along with a program: an archive for machines without any brings
/// them in `share/emblem/fonts`, beside the folder of the program.
package struct FontFolder: Sendable {
    private let path: String?

    /// The one beside the program that this process runs.
    static let ours: FontFolder = {
        guard let path = unsafe realpath("/proc/self/exe", nil) else {
            return FontFolder(ofProgram: "")
        }
        defer { unsafe free(path) }
        return FontFolder(ofProgram: unsafe String(cString: path))
    }()

    package init(ofProgram program: String) {
        let folders = program.split(separator: "/").dropLast(2)
        let path = "/" + (folders + ["share", "emblem", "fonts"]).joined(separator: "/")
        self.path = unsafe program.hasPrefix("/") && access(path, X_OK) == 0 ? path : nil
    }

    /// Where a listed font is to be read: here if it is here, else at its path in the system.
    package func path(of listed: String) -> String {
        guard let path, let name = listed.split(separator: "/").last else { return listed }
        let own = "\(path)/\(name)"
        return unsafe access(own, R_OK) == 0 ? own : listed
    }
}
