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
