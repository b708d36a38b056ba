import CDrawing
import Glibc

/// The fonts of every text we draw, in SVG documents and in our own artwork alike.
///
/// A private configuration lists the font files by path and names no folder, cache or user
/// settings, so the same text comes out on every machine that has these files. There are two: one
/// of the usual fonts, which becomes the configuration of the process because libraries look
/// there, and one of all, made when the first text asks for it.
package enum FontCache {
    /// Who draws with the fonts now.
    static let turns = FontTurns()

    /// Makes fonts of this reach the ones that libraries draw with on this thread.
    ///
    /// The first call reads the fonts: about 10 ms for the usual ones, more for all. In a confined
    /// worker they must be readable.
    package static func prepare(_ reach: FontSet = .usual) throws(FontError) {
        let map = try unsafe map(reach)
        unsafe pango_cairo_font_map_set_default(map)
    }

    /// Does the same with fonts that nobody has drawn with yet, within a millisecond.
    ///
    /// Cairo gives up a font for good that was asked for letters of more than 65,535 pixels, and
    /// Pango goes on with it for texts of any size.
    static func renew(_ reach: FontSet) throws(FontError) {
        pango_cairo_font_map_set_default(nil)
        usualMaps.drop()
        wideMaps.drop()
        try prepare(reach)
    }

    /// Pango's fonts of this reach on this thread, which keeps them; no other thread may use them.
    @unsafe
    package static func map(
        _ reach: FontSet
    ) throws(FontError) -> OpaquePointer {
        // Pango asks for the configuration of the process whenever it makes a map, and would read
        // the system's if there were none.
        let usual = try usual.get()
        switch reach {
        case .usual: return unsafe usualMaps.map(of: usual)
        case .wide: return unsafe wideMaps.map(of: try wide.get())
        }
    }

    /// Fingerprints of the listed files in order, as text for a recipe's key; a dash stands for
    /// one that is not there and not needed.
    package static func digest() throws(FontError) -> String {
        try fingerprints.get()
    }

    /// Whether every font that is needed was found, without setting anything up.
    package static var isComplete: Bool {
        if case .success = fingerprints { true } else { false }
    }

    /// A package of listed fonts: where each of its files should be, and how many are there.
    package struct Package: Sendable {
        package let name: String
        package var paths: [String] = []
        package var found = 0
    }

    /// The packages of the listed fonts.
    package static var packages: [Package] {
        var packages: [Package] = []
        for file in FontFile.all {
            if packages.last?.name != file.package { packages.append(Package(name: file.package)) }
            packages[packages.count - 1].paths.append(file.path)
            packages[packages.count - 1].found += file.isThere ? 1 : 0
        }
        return packages
    }

    private static let usual: Result<FontConfiguration, FontError> = {
        do throws(FontError) {
            guard DrawingLibraries.areFound else { throw .libraries }
            let configuration = try FontConfiguration(
                FontFile.usual, families: FontFile.usualFamilies)
            try configuration.becomeProcessWide()
            return .success(configuration)
        } catch {
            return .failure(error)
        }
    }()

    private static let wide: Result<FontConfiguration, FontError> = {
        do throws(FontError) {
            return .success(
                try FontConfiguration(FontFile.all, families: FontFile.wideFamilies))
        } catch {
            return .failure(error)
        }
    }()

    private static let usualMaps = FontMapCache()
    private static let wideMaps = FontMapCache()

    private static let fingerprints: Result<String, FontError> = {
        do throws(FontError) {
            var parts: [String] = []
            for file in FontFile.all {
                do throws(FontError) {
                    parts.append(try file.fingerprint())
                } catch {
                    guard !file.isNeeded else { throw error }
                    parts.append("-")
                }
            }
            return .success(parts.joined(separator: " "))
        } catch {
            return .failure(error)
        }
    }()
}

/// Why what has text in it could not be drawn.
package protocol FontFailure: Error {
    /// Its fonts are not to be had.
    init(_ error: FontError)

    /// Cairo failed: with fonts that nobody has broken it may not.
    var isOfCairo: Bool { get }
}

extension FontCache {
    /// Draws or measures with fonts of this reach, beside others who do; once more, alone and with
    /// fonts made anew, where a text before it, or one on another thread, may have left a font broken.
    ///
    /// - Parameter draw: begins from nothing each time. What it draws by this way in turn has the same
    ///   turn, and is done again with all of it.
    package static func draw<Result: ~Copyable, Failure: FontFailure>(
        with reach: FontSet, _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        func drawn(_ get: (FontSet) throws(FontError) -> Void) throws(Failure) -> Result {
            do throws(FontError) {
                try get(reach)
            } catch {
                throw Failure(error)
            }
            return try draw()
        }
        // Here too: something else may have been drawn on this thread in between.
        guard !turns.isMine else { return try drawn(prepare) }
        do throws(Failure) {
            return try turns.together { () throws(Failure) in try drawn(prepare) }
        } catch {
            guard error.isOfCairo else { throw error }
            return try turns.alone { () throws(Failure) in try drawn(renew) }
        }
    }
}

/// Turns at the fonts, which cairo shares among all threads of a process: many draw at a time, or
/// one alone.
///
/// A text that breaks a font breaks it for whoever draws beside it. So what failed is done again
/// alone, with fonts that nobody can break meanwhile: what fails then fails by itself.
@safe
final class FontTurns: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>
    /// Not nil on the threads that have a turn.
    private let mine: pthread_key_t

    init() {
        var key = pthread_key_t()
        let made = unsafe pthread_key_create(&key, nil)
        precondition(made == 0, "A process has room for three keys of threads.")
        mine = key
        var attributes = pthread_rwlockattr_t()
        unsafe pthread_rwlockattr_init(&attributes)
        // Or those who draw with others, of whom there is always one, would never let it in.
        unsafe pthread_rwlockattr_setkind_np(
            &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        unsafe lock = .allocate(capacity: 1)
        let outcome = unsafe pthread_rwlock_init(lock, &attributes)
        precondition(outcome == 0, "A lock of Glibc's needs nothing but its own memory.")
        unsafe pthread_rwlockattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_rwlock_destroy(lock)
        unsafe lock.deallocate()
        pthread_key_delete(mine)
    }

    /// Whether this thread has a turn.
    var isMine: Bool { unsafe pthread_getspecific(mine) != nil }

    /// Draws beside others. What is done inside takes no turn of its own.
    func together<Result: ~Copyable, Failure: Error>(
        _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_rwlock_rdlock(lock)
        begin()
        defer { end() }
        return try draw()
    }

    /// Draws while nobody else does.
    func alone<Result: ~Copyable, Failure: Error>(
        _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_rwlock_wrlock(lock)
        begin()
        defer { end() }
        return try draw()
    }

    private func begin() { unsafe pthread_setspecific(mine, UnsafeRawPointer(lock)) }

    private func end() {
        pthread_setspecific(mine, nil)
        unsafe pthread_rwlock_unlock(lock)
    }
}

/// Why no text can be drawn.
package enum FontError: Error, Hashable, Sendable {
    /// A font file of the listed set is not on this machine.
    case missing(file: String, package: String)
    /// A font file is there but cannot be opened or read as a font.
    case unreadable(file: String, package: String)
    /// What draws text and shapes cannot be opened.
    case libraries
    /// The font library refused to set up.
    case library
}

extension FontError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let file, let package):
            "The font \(file) is missing; install the Debian package \(package)."
        case .unreadable(let file, let package):
            "The font \(file) cannot be read; reinstall the Debian package \(package)."
        case .libraries:
            "The libraries for text and shapes cannot all be opened; install the Debian packages "
                + "\(DrawingLibraries.packages)."
        case .library:
            "The font library could not be initialised; reinstall the Debian package "
                + "libfontconfig1."
        }
    }
}
