import Raster

/// In what form the samples of a picture are compressed, and with how much effort.
struct PNGStrategy {
    let choice: PNGFilteredRows.Choice
    /// libdeflate's.
    let level: Int32

    /// With one less some smooth pictures come out larger than libpng's, and the next one takes
    /// half as much time again to save half a percent.
    static let level: Int32 = 6

    /// For flat colours left unfiltered, whose matches are long: three fifths of the time are saved
    /// and five percent lost, of files a sixth smaller than libpng's.
    private static let flatLevel: Int32 = 1

    /// For slow shades, whose differences repeat in short runs: there six comes out up to a sixth
    /// larger than libpng's, and searching longer costs next to nothing.
    private static let smoothLevel: Int32 = 7

    /// The way whose guessed size is smaller.
    ///
    /// Both are guessed from a quarter of the rows, and where they come out close from all.
    static func best(of rows: borrowing PNGPackedRows, kernel: KernelChoice) -> PNGStrategy {
        var (plain, filtered) = guesses(rows, share: .sample, kernel: kernel)
        if plain * 10 <= filtered * 9 { return unfiltered(isFlat: true) }
        if plain * 10 >= filtered * 13 {
            let area = PNGFilteredRows.Share.sample.count(of: rows.height) * rows.width
            return Self.filtered(guess: filtered, area: area)
        }
        (plain, filtered) = guesses(rows, share: .all, kernel: kernel)
        // The guess is a little hard on plain rows: level with the others, they win.
        guard plain * 6 > filtered * 7 else { return unfiltered(isFlat: plain <= filtered) }
        return Self.filtered(guess: filtered, area: rows.height * rows.width)
    }

    static func unfiltered(isFlat: Bool = false) -> PNGStrategy {
        PNGStrategy(choice: .fixed(.none), level: isFlat ? flatLevel : level)
    }

    /// - Parameters:
    ///   - guess: the guessed size of filtered rows.
    ///   - area: the pixels of these rows.
    static func filtered(guess: Int, area: Int) -> PNGStrategy {
        // Nearly every difference was seen before.
        PNGStrategy(choice: .smallest, level: guess < 3 * area ? smoothLevel : level)
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
