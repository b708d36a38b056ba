import Raster

/// Whether the samples of a picture are better compressed as they are or as differences.
enum PNGWay: Equatable {
    /// Flat ones are far better as they are.
    case plain(isFlat: Bool)
    case filtered

    /// The way whose guessed size is smaller.
    ///
    /// Both are guessed from a quarter of the rows, and where they come out close from all.
    static func best(of rows: borrowing PNGPackedRows, kernel: KernelChoice) -> PNGWay {
        var (plain, filtered) = guesses(rows, share: .sample, kernel: kernel)
        if plain * 10 <= filtered * 9 { return .plain(isFlat: true) }
        if plain * 10 >= filtered * 13 { return .filtered }
        (plain, filtered) = guesses(rows, share: .all, kernel: kernel)
        // The guess is a little hard on plain rows: level with the others, they win.
        return plain * 6 <= filtered * 7 ? .plain(isFlat: plain <= filtered) : .filtered
    }

    private static func guesses(
        _ rows: borrowing PNGPackedRows, share: PNGFilteredRows.Share, kernel: KernelChoice
    ) -> (plain: Int, filtered: Int) {
        let plain = PNGFilteredRows(rows, choice: .fixed(.none), share: share)
        let filtered = PNGFilteredRows(rows, choice: .smallest, share: share, kernel: kernel)
        return (plain.guessedSize(step: rows.step), filtered.guessedSize(step: rows.step))
    }
}
