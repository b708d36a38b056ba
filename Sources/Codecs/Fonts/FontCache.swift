import CDrawing
import Glibc
import System

/// The fonts of all text, in SVG documents and in generated artwork.
///
/// A private configuration lists the font files by path and uses no system folder, cache or user
/// setting. The same text therefore looks the same on every machine that has these files. There are
/// two configurations. The configuration of the usual fonts becomes the default of the process,
/// which libraries use. The configuration of all fonts is created when a text first needs it.
package enum FontCache {
    /// The lock that every drawing with text holds.
    static let lock = FontLock()

    /// Selects the set of fonts that libraries use on this thread.
    ///
    /// The first call reads the fonts, which takes about 10 ms for the usual fonts and longer for
    /// all fonts. In a confined worker the font files must be readable.
    package static func prepare(_ fonts: FontSet = .usual) throws(FontError) {
        let map = try unsafe map(fonts)
        unsafe pango_cairo_font_map_set_default(map)
    }

    /// Replaces the fonts of this thread with new ones, within a millisecond.
    ///
    /// Cairo disables a font permanently after a request for glyphs larger than 65,535 pixels, but
    /// Pango continues to use that font for text of any size.
    static func renew(_ fonts: FontSet) throws(FontError) {
        pango_cairo_font_map_set_default(nil)
        usualMaps.drop()
        wideMaps.drop()
        try prepare(fonts)
    }

    /// Returns this thread's Pango font map for a set; no other thread may use it.
    @unsafe
    package static func map(
        _ fonts: FontSet
    ) throws(FontError) -> OpaquePointer {
        // Pango reads the process configuration whenever it makes a map. Without one it would read
        // the configuration of the system.
        let usual = try usual.get()
        switch fonts {
        case .usual: return unsafe usualMaps.map(of: usual)
        case .wide: return unsafe wideMaps.map(of: try wide.get())
        }
    }

    /// The fingerprints of the listed files, for a cache key; a dash marks a missing optional file.
    package static func digest() throws(FontError) -> String {
        try fingerprints.get()
    }

    /// Whether all required fonts are present; does not set anything up.
    package static var isComplete: Bool {
        if case .success = fingerprints { true } else { false }
    }

    /// A package of listed fonts: the expected files, and how many of them exist.
    package struct Package: Sendable {
        package let name: String
        package var paths: [String] = []
        package var found = 0
    }

    package static var packages: [Package] {
        var packages: [Package] = []
        for file in FontFile.all {
            if packages.last?.name != file.package { packages.append(Package(name: file.package)) }
            packages[packages.count - 1].paths.append(file.path)
            packages[packages.count - 1].found += file.isReadable ? 1 : 0
        }
        return packages
    }

    private static let usual = Result { () throws(FontError) in
        guard DrawingLibraries.areFound else { throw .missingLibraries }
        let configuration = try FontConfiguration(FontFile.usual, families: FontFile.usualFamilies)
        try configuration.becomeProcessWide()
        return configuration
    }

    private static let wide = Result { () throws(FontError) in
        try FontConfiguration(FontFile.all, families: FontFile.wideFamilies)
    }

    private static let usualMaps = FontMapCache()
    private static let wideMaps = FontMapCache()

    private static let fingerprints = Result { () throws(FontError) in
        var parts: [String] = []
        for file in FontFile.all {
            parts.append(file.isNeeded ? try file.fingerprint() : (try? file.fingerprint()) ?? "-")
        }
        return parts.joined(separator: " ")
    }
}

package protocol FontFailure: Error {
    init(_ error: FontError)

    /// Whether cairo failed, possibly because of a font that another text disabled.
    var isCairoFailure: Bool { get }
}

extension FontCache {
    /// Draws or measures with fonts of this set, concurrently with other threads. If cairo fails,
    /// retries once with new fonts and while no other thread draws, because another text may have
    /// disabled a font.
    ///
    /// - Parameter draw: may be called twice and must start from scratch each time. It may call
    ///   this function again; the nested call uses the lock of the outer call and is not retried
    ///   separately.
    package static func draw<Result: ~Copyable, Failure: FontFailure>(
        with fonts: FontSet, _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        func drawn(_ get: (FontSet) throws(FontError) -> Void) throws(Failure) -> Result {
            try rethrowing(get(fonts)) { (error: FontError) in
                Failure(error)
            }
            return try draw()
        }
        // A nested call must prepare its fonts, too: it may need another set than the outer call.
        guard !lock.isHeld else { return try drawn(prepare) }
        do throws(Failure) {
            return try lock.shared { () throws(Failure) in try drawn(prepare) }
        } catch {
            guard error.isCairoFailure else { throw error }
            return try lock.exclusively { () throws(Failure) in try drawn(renew) }
        }
    }
}

/// A readers-writer lock for the fonts, which cairo shares among all threads of a process. Many
/// threads may draw at the same time, or one exclusively.
///
/// A text that disables a font disables it for all threads. A failed drawing is therefore repeated
/// exclusively, with new fonts; if it fails again, the cause is not another text.
@safe
final class FontLock: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>
    /// The key of a thread-specific value that is not nil on threads that hold the lock.
    private let heldKey: pthread_key_t

    init() {
        var key = pthread_key_t()
        let made = unsafe pthread_key_create(&key, nil)
        precondition(made == 0, "A process has room for three keys of threads.")
        heldKey = key
        var attributes = pthread_rwlockattr_t()
        unsafe pthread_rwlockattr_init(&attributes)
        // Prefer the exclusive lock; a steady stream of shared locks would otherwise block it for
        // ever.
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
        pthread_key_delete(heldKey)
    }

    var isHeld: Bool { unsafe pthread_getspecific(heldKey) != nil }

    /// Draws concurrently with other threads. The closure must not take the lock again.
    func shared<Result: ~Copyable, Failure: Error>(
        _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_rwlock_rdlock(lock)
        begin()
        defer { end() }
        return try draw()
    }

    /// Runs `draw` while no other thread draws text.
    func exclusively<Result: ~Copyable, Failure: Error>(
        _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_rwlock_wrlock(lock)
        begin()
        defer { end() }
        return try draw()
    }

    private func begin() { unsafe pthread_setspecific(heldKey, UnsafeRawPointer(lock)) }

    private func end() {
        pthread_setspecific(heldKey, nil)
        unsafe pthread_rwlock_unlock(lock)
    }
}

package enum FontError: Error, Hashable, Sendable {
    /// A listed font file does not exist on this machine.
    case missing(file: String, package: String)
    /// A font file exists but cannot be opened or read as a font.
    case unreadable(file: String, package: String)
    case missingLibraries
    /// fontconfig failed to initialise or to read its rules.
    case fontconfigFailed
}

extension FontError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let file, let package):
            "The font \(file) is missing; install the Debian package \(package)."
        case .unreadable(let file, let package):
            "The font \(file) cannot be read; reinstall the Debian package \(package)."
        case .missingLibraries:
            "The libraries for text and shapes cannot all be opened; install the Debian packages "
                + "\(DrawingLibraries.packages)."
        case .fontconfigFailed:
            "The font library could not be initialised; reinstall the Debian package "
                + "libfontconfig1."
        }
    }
}
