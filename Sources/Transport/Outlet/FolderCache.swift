import Glibc
import Synchronization
import System

/// The open folders below OUT: each is opened once, component by component, never through a
/// symbolic link.
final class FolderCache: Sendable {
    /// Enough for layouts and densities; a template with a folder an item lets go of some instead
    /// of running out of descriptors.
    private static let countLimit = 32

    private let root: SharedDescriptor
    private let rootName: String
    private let open = BoundedCache<[UInt8], SharedDescriptor>(countLimit: countLimit)
    /// A folder whose name led elsewhere when it was looked at again.
    private let lost = Mutex<String?>(nil)

    init(root: SharedDescriptor, rootName: String) {
        self.root = root
        self.rootName = rootName
    }

    /// The folder of `path`, made if it is missing and `create` is set.
    func folder(of path: RelativePath, create: Bool) throws(OutletError) -> SharedDescriptor {
        let key = path.folderBytes
        guard !key.isEmpty else { return root }
        if let known = open.value(for: key) { return known }
        let found = try descend(path.folders, create: create)
        verify(open.keep(found, for: key))
        return found
    }

    /// Forgets all folders, because one of them turned out to be gone.
    func clear() {
        verify(open.removeAll())
    }

    /// The path of a folder that was moved away or deleted since it was first written to: what was
    /// written there is not where its name leads. `nil` while there is none.
    func lostFolder() -> String? {
        verify(open.all)
        return lost.withLock { $0 }
    }

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
            // That it cannot be looked at says nothing of where it is.
            guard let cause = (error as? OutletError)?.cause else { return true }
            return ![ENOENT, ENOTDIR, ELOOP].contains(cause.code)
        }
    }

    private func descend(
        _ names: ArraySlice<String>, create: Bool
    ) throws(OutletError) -> SharedDescriptor {
        var current = root
        var path = rootName
        for name in names {
            path += "/" + name
            current = try step(into: name, of: current, path, create: create)
        }
        return current
    }

    private func step(
        into name: String, of folder: SharedDescriptor, _ path: String, create: Bool
    ) throws(OutletError) -> SharedDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        do throws(Errno) {
            return SharedDescriptor(
                try SystemCalls.open(FilePath(name), in: folder.number, flags))
        } catch  where error.code == ENOENT && create {
            // Made below.
        } catch {
            throw obstacle(name, in: folder, path, error)
        }
        do throws(Errno) {
            do throws(Errno) {
                try SystemCalls.makeFolder(FilePath(name), in: folder.number)
            } catch  where error.code == EEXIST {
                // Another task was quicker, which is as good.
            }
            return SharedDescriptor(
                try SystemCalls.open(FilePath(name), in: folder.number, flags))
        } catch {
            throw obstacle(name, in: folder, path, error)
        }
    }

    /// A link or file where a folder should be answers with ELOOP or ENOTDIR, by kernel version.
    private func obstacle(
        _ name: String, in folder: SharedDescriptor, _ path: String, _ cause: Errno
    ) -> OutletError {
        guard cause.code == ELOOP || cause.code == ENOTDIR else {
            return OutletError(making: path, cause)
        }
        do throws(Errno) {
            let facts = try SystemCalls.facts(
                of: FilePath(name), in: folder.number, followLinks: false)
            return .inTheWay(path: path, what: facts.kind)
        } catch {
            return .cannotCreate(path: path, cause: cause)
        }
    }
}
