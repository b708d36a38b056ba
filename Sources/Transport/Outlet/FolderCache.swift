import Glibc
import Synchronization
import System

/// The open folders below OUT. Each is opened once, component by component, and never through a
/// symbolic link.
final class FolderCache: Sendable {
    /// The number of folders to keep open: enough for layouts and densities. A run with a folder
    /// for each item closes some of them again, so that descriptors do not run out.
    private static let countLimit = 32

    private let root: SharedDescriptor
    private let rootName: String
    private let openFolders = BoundedCache<[UInt8], SharedDescriptor>(countLimit: countLimit)
    /// The path of a folder that was found to be moved or deleted.
    private let lost = Mutex<String?>(nil)

    init(root: SharedDescriptor, rootName: String) {
        self.root = root
        self.rootName = rootName
    }

    /// Returns the folder of `path`; creates it if it is missing and `create` is set.
    func folder(of path: RelativePath, create: Bool) throws(OutletError) -> SharedDescriptor {
        let key = path.folderBytes
        guard !key.isEmpty else { return root }
        if let known = openFolders.value(for: key) { return known }
        let found = try descend(path.folders, create: create)
        verify(openFolders.keep(found, for: key))
        return found
    }

    func clear() {
        verify(openFolders.removeAll())
    }

    /// Returns the path of a folder that was moved or deleted since it was opened, so that its
    /// files are not at their paths; nil if there is none.
    func lostFolder() -> String? {
        verify(openFolders.all)
        return lost.withLock { $0 }
    }

    /// Records the first of these folders that is no longer at its path.
    private func verify(_ folders: [(key: [UInt8], value: SharedDescriptor)]) {
        for (key, folder) in folders where !isInPlace(folder, key) {
            let path = rootName + "/" + String(decoding: key, as: UTF8.self)
            lost.withLock { $0 = $0 ?? path }
        }
    }

    private func isInPlace(_ folder: SharedDescriptor, _ key: [UInt8]) -> Bool {
        let names = key.split(separator: UInt8(ascii: "/")).map {
            String(decoding: $0, as: UTF8.self)
        }
        do {
            let there = try descend(names[...], create: false)
            return try SystemCalls.facts(of: there.number).identity
                == SystemCalls.facts(of: folder.number).identity
        } catch {
            // An error such as a missing permission does not show that the folder was moved.
            guard let cause = (error as? OutletError)?.cause else { return true }
            return ![ENOENT, ENOTDIR, ELOOP].contains(cause.code)
        }
    }

    /// Opens the folder at the end of a path of names.
    private func descend(
        _ names: ArraySlice<String>, create: Bool
    ) throws(OutletError) -> SharedDescriptor {
        var current = root
        var path = rootName
        for name in names {
            path += "/" + name
            do throws(Errno) {
                current = try open(name, in: current, create: create)
            } catch {
                throw obstacle(name, in: current, path, error)
            }
        }
        return current
    }

    private func open(
        _ name: String, in folder: SharedDescriptor, create: Bool
    ) throws(Errno) -> SharedDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        do throws(Errno) {
            return SharedDescriptor(
                try SystemCalls.open(FilePath(name), in: folder.number, flags))
        } catch  where error.code == ENOENT && create {
            // The folder is created below.
        }
        // If another task was faster, its folder is used.
        try SystemCalls.makeFolder(FilePath(name), in: folder.number)
        return SharedDescriptor(try SystemCalls.open(FilePath(name), in: folder.number, flags))
    }

    /// Returns the error for a folder that cannot be opened. If it is a link or file, open fails
    /// with ELOOP or ENOTDIR, depending on the kernel.
    private func obstacle(
        _ name: String, in folder: SharedDescriptor, _ path: String, _ cause: Errno
    ) -> OutletError {
        guard cause.code == ELOOP || cause.code == ENOTDIR else {
            return OutletError(making: path, cause)
        }
        let facts = try? SystemCalls.facts(
            of: FilePath(name), in: folder.number, followLinks: false)
        guard let facts else { return .cannotCreate(path: path, cause: cause) }
        return .inTheWay(path: path, what: facts.kind)
    }
}
