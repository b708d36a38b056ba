import Raster

/// In what form the samples of a picture are compressed, and with how much effort.
struct PNGStrategy {
    let choice: PNGFilteredRows.Choice
    /// libdeflate's.
    let level: Int32

    /// With one less some smooth pictures come out larger than libpng's, and the next one takes
    /// half as much time again to save half a percent.
    static let level: Int32 = 6

    /// For rows left unfiltered, whose matches are long: three fifths of the time are saved and five
    /// percent lost, of files a sixth smaller than libpng's.
    private static let flatLevel: Int32 = 1

    /// For slow shades, whose differences repeat in short runs: there six comes out up to a sixth
    /// larger than libpng's, and searching longer costs next to nothing.
    private static let smoothLevel: Int32 = 7

    static let unfiltered = PNGStrategy(choice: .fixed(.none), level: level)

    /// The way whose guessed size is smaller.
    ///
    /// Both are guessed from a quarter of the rows, and where they come out close from all. The
    /// guess is a little hard on plain rows, and they are packed in a fraction of the time: level
    /// with the others, they win.
    static func best(of rows: borrowing PNGPackedRows, kernel: KernelChoice) -> PNGStrategy {
        var (plain, filtered) = guesses(rows, share: .sample, kernel: kernel)
        var height = PNGFilteredRows.Share.sample.count(of: rows.height)
        if plain * 25 > filtered * 27, plain * 5 < filtered * 6 {
            (plain, filtered) = guesses(rows, share: .all, kernel: kernel)
            height = rows.height
        }
        let bytes = height * rows.rowBytes
        guard plain * 25 <= filtered * 27 else { return Self.filtered(guess: filtered, of: bytes) }
        // Nearly everything was seen before, so that all hangs on how long the matches are that are
        // found, and a low level finds short ones.
        if plain * 8 < bytes * 9 { return unfiltered }
        return PNGStrategy(choice: .fixed(.none), level: flatLevel)
    }

    /// Filtered rows, with the effort that is worth while.
    ///
    /// - Parameters:
    ///   - guess: the guessed size of filtered rows.
    ///   - bytes: the samples of these rows.
    static func filtered(guess: Int, of bytes: Int) -> PNGStrategy {
        PNGStrategy(choice: .smallest, level: guess * 16 < bytes * 17 ? smoothLevel : level)
    }

    /// Guessed sizes of both ways, of a share of the rows.
    static func guesses(
        _ rows: borrowing PNGPackedRows, share: PNGFilteredRows.Share, kernel: KernelChoice
    ) -> (plain: Int, filtered: Int) {
        let plain = PNGFilteredRows(rows, choice: .fixed(.none), share: share)
        let filtered = PNGFilteredRows(rows, choice: .smallest, share: share, kernel: kernel)
        return (plain.guessedSize(step: rows.step), filtered.guessedSize(step: rows.step))
    }
}
