struct WebPPicture: Sendable {
    let path: String
    let label: String
    private let seed: UInt64
    private let number: Int

    init(seed: UInt64, number: Int, folder: String) {
        self.seed = seed
        self.number = number
        var dice = Dice(seed: seed, stream: "webp", number: number)
        let name = MerchantName(&dice)
        label = name.label
        path = "\(folder)/\(name.slug)-\(LogoPicture.padded(number)).webp"
    }

    /// Returns the file. Its kind depends on the number, so that a few files cover all kinds.
    func bytes() -> [UInt8] {
        var dice = Dice(seed: seed, stream: "webp-pixels", number: number)
        let side = dice.pick([160, 256, 320, 400, 512, 640])
        switch number % 6 {
        case 0: return WebPFile.lossless(logo(&dice, side))
        case 1: return WebPFile.lossy(logo(&dice, side), quality: 86)
        case 2:
            let page = logo(&dice, side).over(red: 255, green: 255, blue: 255)
            return WebPFile.lossy(page, quality: 78)
        case 3:
            let photo = PhotoPicture.picture(&dice, width: side * 3, height: side * 2)
            return WebPFile.lossy(photo, quality: Float(dice.whole(70...92)))
        case 4: return animation(&dice, side: min(side, 320))
        default: return WebPFile.lossless(logo(&dice, side, wide: true))
        }
    }

    private func logo(_ dice: inout Dice, _ side: Int, wide: Bool = false) -> Bitmap {
        let design = LogoDesign(&dice, wide: wide)
        let width = wide ? Int((Double(side) * design.width / 100).rounded()) : side
        return VectorCanvas.draw(design.svg(), width: min(width, 1600), height: side)
    }

    /// Returns three frames of one logo; only the first is the complete logo.
    private func animation(_ dice: inout Dice, side: Int) -> [UInt8] {
        let first = dice
        var frames: [[UInt8]] = []
        for index in 0..<3 {
            var own = first
            for _ in 0..<index { _ = own.next() }
            frames.append(WebPFile.lossy(logo(&own, side), quality: 80))
        }
        return WebPFile.animation(frames, width: side, height: side)
    }
}
