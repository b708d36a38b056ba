import Codecs
import Notation
import Raster
import Support

/// The runner of programs, and not the declaration of a tool in the module Flags.
typealias Tool = Support.Tool

enum Pictures {
    /// Returns a disc of one colour on a transparent ground.
    static func disc(_ color: Color, width: Int, height: Int, as format: OutputFormat = .png)
        throws -> [UInt8]
    {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        var disc = PixelBuffer(size: buffer.size)
        disc.fill(color)
        disc.mask(
            by: CornerMask(
                size: disc.size, radius: Double(min(width, height)) / 2, style: .circular))
        buffer.draw(disc, x: 0, y: 0)
        return try ImageEncoder.encode(buffer, EncodeSettings(format: format))
    }

    static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" width="120" height="60" viewBox="0 0 120 60">\
        <rect width="120" height="60" rx="12" fill="#0a5fff"/></svg>
        """

    /// Creates a folder with five valid images and two invalid ones.
    static func mixedFolder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let blue = Color(red: 10, green: 95, blue: 255)
        try folder.write(disc(blue, width: 200, height: 200), to: "in/acme.png")
        try folder.write(disc(.black, width: 300, height: 75), to: "in/wide.png")
        try folder.write(disc(blue, width: 90, height: 160, as: .jpeg), to: "in/sub/photo.jpg")
        try folder.write(disc(blue, width: 64, height: 64, as: .webp), to: "in/sub/small.webp")
        try folder.write(svg, to: "in/vector.svg")
        try folder.write("this is no picture", to: "in/text.png")
        try folder.write(disc(blue, width: 200, height: 200).prefix(400), to: "in/zz-cut.png")
        try folder.write("notes", to: "in/README.txt")
        try folder.write("hidden", to: "in/.hidden.png")
        return folder
    }
}

extension ScratchFolder {
    func json(_ name: String) throws -> JSON {
        let bytes = try read(name)
        return try JSONParser.parse(bytes.span)
    }
}
