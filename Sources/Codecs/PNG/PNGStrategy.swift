import Raster

/// In what form the samples of a picture are compressed, and with how much effort.
struct PNGStrategy {
    let choice: PNGFilteredRows.Choice
    let effort: PNGDeflate.Effort

    static let unfiltered = PNGStrategy(choice: .fixed(.none), effort: .thorough)
    static let filtered = PNGStrategy(choice: .smallest, effort: .thorough)

    /// For rows whose matches are long: a fifth of the time is saved and three percent lost, of files
    /// a sixth smaller than libpng's.
    private static let plain = PNGStrategy(choice: .fixed(.none), effort: .quick)

    /// The way whose guessed size is smaller.
    ///
    /// Both are guessed from a quarter of the rows, and where they come out close from all. The
    /// guess is a little hard on plain rows, and they are packed in less than half of the time:
    /// level with the others, they win.
    static func best(of rows: borrowing PNGPackedRows, kernel: KernelChoice) -> PNGStrategy {
        var (plain, filtered) = guesses(rows, share: .sample, kernel: kernel)
        var height = PNGFilteredRows.Share.sample.count(of: rows.height)
        if plain * 25 > filtered * 27, plain * 5 < filtered * 6 {
            (plain, filtered) = guesses(rows, share: .all, kernel: kernel)
            height = rows.height
        }
        let bytes = height * rows.rowBytes
        guard plain * 25 <= filtered * 27 else { return Self.filtered }
        // Nearly everything was seen before, so that all hangs on how long the matches are that are
        // found, and little effort finds short ones.
        if plain * 8 < bytes * 9 { return unfiltered }
        return Self.plain
    }

    /// Guessed sizes of both ways, of a share of the rows.
    static func guesses(
        _ rows: borrowing PNGPackedRows, share: PNGFilteredRows.Share, kernel: KernelChoice
    ) -> (plain: Int, filtered: Int) {
        let plain = PNGFilteredRows(rows, choice: .fixed(.none), share: share)
        let filtered = PNGFilteredRows(rows, choice: .smallest, share: share, kernel: kernel)
        return (plain.guessedSize(), filtered.guessedSize())
    }
}
