import CDrawing

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
