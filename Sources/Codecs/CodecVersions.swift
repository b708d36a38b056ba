import CLibDeflate
import CLibHeif
import CLibLCMS
import CLibRsvg
import CLibWebP
import CShims
import CZlib

/// The libraries behind the codecs, as they are on this machine.
package enum CodecVersions {
    /// Names and versions, in a fixed order. libjpeg-turbo and libdeflate only tell the version
    /// they were built against, and libheif is not opened to be asked.
    package static var all: [(name: String, version: String)] {
        [
            ("libjpeg-turbo", unsafe String(cString: emb_jpeg_version())),
            ("libpng", unsafe String(cString: emb_png_version())),
            ("libdeflate", LIBDEFLATE_VERSION_STRING),
            ("zlib", unsafe String(cString: zlibVersion())),
            ("libwebp", triple(WebPGetDecoderVersion())),
            ("librsvg", "\(rsvg_major_version).\(rsvg_minor_version).\(rsvg_micro_version)"),
            ("cairo", unsafe String(cString: cairo_version_string())),
            ("lcms2", lcms),
            ("libheif", LIBHEIF_VERSION),
        ]
    }

    /// The formats that can be read; AVIF and HEIC need libheif.
    package static var readable: [ImageFormat] {
        ImageFormat.allCases.filter { $0 != .avif && $0 != .heic || HEIFLibrary.isFound }
    }

    /// The formats that can be written here; AVIF needs an encoder that libheif finds.
    package static var writable: [OutputFormat] {
        OutputFormat.allCases.filter { $0 != .avif || AVIFEncoder.isAvailable }
    }

    /// A version packed as one byte a part.
    private static func triple(_ version: Int32) -> String {
        "\(version >> 16 & 255).\(version >> 8 & 255).\(version & 255)"
    }

    /// lcms2 counts in tens: 2140 is 2.14.
    private static var lcms: String {
        let version = cmsGetEncodedCMMversion()
        return "\(version / 1000).\(version % 1000 / 10)"
    }
}
