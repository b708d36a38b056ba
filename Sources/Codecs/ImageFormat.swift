/// A picture format that can be read.
package enum ImageFormat: String, CaseIterable, Hashable, Sendable {
    case jpeg, png, webp, gif, svg, ico, bmp, avif, heic
}

extension ImageFormat {
    /// The extensions, without the dot and in lower case, under which files of this format go.
    package var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png", "apng"]
        case .webp: ["webp"]
        case .gif: ["gif"]
        case .svg: ["svg", "svgz"]
        case .ico: ["ico", "cur"]
        case .bmp: ["bmp", "dib"]
        case .avif: ["avif"]
        case .heic: ["heic", "heif"]
        }
    }
}
