struct DatasetPlan: Sendable {
    var name = "custom"
    var seed: UInt64 = 1
    var logos = 0
    var photos = 0
    var webps = 0
    var svgs = 0
    var small = 0
    var broken = false
    var brokenTypical = false
    /// Whether logos use all kinds of PNG, not only those with alpha.
    var variedLogos = true
    var photoMegapixels = 0.1...7.0
    var lists = false

    static func preset(_ name: String) -> DatasetPlan? {
        var plan = DatasetPlan()
        plan.name = name
        switch name {
        case "sample":
            plan.logos = 120
            plan.photos = 40
            plan.webps = 30
            plan.svgs = 30
            plan.broken = true
            plan.brokenTypical = true
            plan.photoMegapixels = 0.1...1.6
            plan.lists = true
        case "bench":
            plan.logos = 1_000
            plan.photos = 240
            plan.webps = 50
            plan.svgs = 10
            plan.variedLogos = false
        case "many":
            plan.small = 10_000
        case "committed":
            break
        default:
            return nil
        }
        return plan
    }

    func files() -> [DatasetFile] {
        if name == "committed" { return CommittedSamples.files(seed: seed) }
        var files: [DatasetFile] = []
        for number in 0..<logos {
            let logo = self.logo(number)
            files.append(DatasetFile(path: logo.path) { logo.bytes() })
        }
        for number in 0..<photos {
            let photo = self.photo(number)
            files.append(DatasetFile(path: photo.path) { photo.bytes() })
        }
        for number in 0..<webps {
            let picture = WebPPicture(seed: seed, number: number, folder: "webp")
            files.append(DatasetFile(path: picture.path) { picture.bytes() })
        }
        for number in 0..<svgs {
            let picture = SVGPicture(seed: seed, number: number, folder: "svg")
            files.append(DatasetFile(path: picture.path) { picture.bytes() })
        }
        files += smallFiles()
        if broken { files += brokenFiles() }
        if lists { files += SampleList(plan: self).files() }
        return files
    }

    func logo(_ number: Int) -> LogoPicture {
        LogoPicture(seed: seed, number: number, folder: "logos", transparent: !variedLogos)
    }

    func photo(_ number: Int) -> PhotoPicture {
        PhotoPicture(seed: seed, number: number, folder: "photos", megapixels: photoMegapixels)
    }

    func brokenCases() -> [BrokenFile] {
        BrokenFile.all(seed: seed).filter { $0.isTypical || !brokenTypical }
    }

    /// Small logos in folders of a thousand. Every 200th logo has four megapixels, which shows
    /// whether memory depends on the largest picture.
    private func smallFiles() -> [DatasetFile] {
        (0..<small).map { number in
            let folder = "many/\(LogoPicture.padded(number / 1_000))"
            let sides = number % 200 == 199 ? [2_000] : [64, 80, 96, 120, 128, 160]
            let logo = LogoPicture(
                seed: seed &+ 7, number: number, folder: folder, transparent: true, sides: sides)
            return DatasetFile(path: logo.path) { logo.bytes() }
        }
    }

    private func brokenFiles() -> [DatasetFile] {
        let cases = brokenCases()
        var files = cases.map { broken in
            DatasetFile(path: "broken/\(broken.name)", hole: broken.hole, make: broken.make)
        }
        // Entries that only a list can contain: a folder and a missing file.
        var expected = cases.map { ($0.name, $0.expected) }
        expected.append(("folder.png", "unreadable"))
        expected.append(("missing.png", "not_found"))
        expected.sort { $0.0 < $1.0 }
        files.append(DatasetFile(text: "broken/folder.png/.keep", ""))
        let table = expected.map { "  \"\($0.0)\": \"\($0.1)\"" }.joined(separator: ",\n")
        files.append(DatasetFile(text: "broken/expected.json", "{\n\(table)\n}\n"))
        let list = expected.map { "\($0.0)\n" }.joined()
        files.append(DatasetFile(text: "broken/broken.txt", list))
        return files
    }
}
