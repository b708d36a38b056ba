/// Which code reads and writes what: `emblem formats` and the records tell it.
extension ImageFormat {
    /// The code that turns files of this format into pixels.
    package func reader(_ codecs: CodecChoice) -> String {
        switch (self, codecs) {
        case (.jpeg, .fast): "libjpeg-turbo; emblem at a quarter and an eighth"
        case (.jpeg, .system): "libjpeg-turbo"
        case (.png, .fast): "emblem with libdeflate; libpng beyond the memory at hand"
        case (.png, .system): "libpng"
        case (.webp, _): "libwebp"
        case (.gif, _), (.ico, _), (.bmp, _): "emblem"
        case (.svg, _): "librsvg"
        case (.avif, _), (.heic, _): "libheif"
        }
    }
}

extension OutputFormat {
    /// The code that turns pixels into files of this format.
    package func writer(_ codecs: CodecChoice) -> String {
        switch (self, codecs) {
        case (.png, .fast): "emblem with libdeflate"
        case (.png, .system): "libpng"
        case (.webp, .fast): "emblem where lossy and up to 2048 px; libwebp"
        case (.webp, .system): "libwebp"
        case (.jpeg, _): "libjpeg-turbo"
        case (.avif, _): "libheif"
        }
    }
}
