struct PhotoPicture: Sendable {
    let path: String
    private let seed: UInt64
    private let number: Int
    private let smallest: Double
    private let largest: Double

    /// Creates the photo with this number, with a size in this range of megapixels.
    init(
        seed: UInt64, number: Int, folder: String, megapixels: ClosedRange<Double> = 0.1...7
    ) {
        self.seed = seed
        self.number = number
        smallest = megapixels.lowerBound
        largest = megapixels.upperBound
        path = "\(folder)/photo-\(LogoPicture.padded(number)).jpg"
    }

    func bytes() -> [UInt8] {
        var dice = Dice(seed: seed, stream: "photo", number: number)
        let size = Self.size(&dice, smallest, largest)
        let form = Self.form(&dice)
        return form.encode(Self.picture(&dice, width: size.width, height: size.height))
    }

    static func picture(_ dice: inout Dice, width: Int, height: Int) -> Bitmap {
        let scene = PhotoScene(&dice, width: width, height: height)
        var bitmap = VectorCanvas.draw(scene.picture, width: width, height: height)
        let rough = VectorCanvas.draw(
            scene.roughness, width: max(1, width / 2), height: max(1, height / 2))
        PhotoTexture(&dice).apply(to: &bitmap, rough: rough)
        return bitmap
    }

    /// Returns a random size; small pictures are more frequent than large ones.
    private static func size(
        _ dice: inout Dice, _ smallest: Double, _ largest: Double
    ) -> (width: Int, height: Int) {
        let aspect = dice.pick([1.5, 1.5, 4.0 / 3, 1, 16.0 / 9, 2.0 / 3, 0.75, 0.8])
        // The square of a uniform share prefers small sizes without the C library's logarithm.
        let share = dice.between(0, 1)
        let area = (smallest + (largest - smallest) * share * share) * 1_000_000
        let height = (area / aspect).squareRoot()
        return (max(16, Int((height * aspect).rounded())), max(16, Int(height.rounded())))
    }

    private static func form(_ dice: inout Dice) -> JPEGFile {
        var form = JPEGFile()
        form.quality = dice.whole(75...95)
        let lot = dice.below(100)
        switch lot {
        case ..<28: form.isProgressive = true
        case ..<31: form.model = .grey
        case ..<33: form.model = .cmyk
        case ..<35: form.model = .ycck
        case ..<36: form.restartRows = 4
        default: break
        }
        form.sampling = dice.pick([(2, 2), (2, 2), (2, 2), (2, 1), (1, 1)])
        if dice.chance(34) { form.orientation = dice.pick([1, 1, 2, 3, 4, 5, 6, 6, 7, 8]) }
        if form.model == .color, dice.chance(24) {
            form.profile = dice.chance(60) ? ColorProfile.sRGB : ColorProfile.wide
        }
        return form
    }
}
