import Codecs

extension NameTemplate {
    /// Refuses a template that ends with the extension of another format than the pictures have.
    ///
    /// - Parameter written: the extensions of the pictures; nil where each has that of its source.
    package func checkExtension(_ written: [String]?) throws(PlanError) {
        guard let literal = pictureExtension else { return }
        guard let written else {
            throw .name(
                "it ends with .\(literal), but --format same keeps the format of each source; end "
                    + "it with .{ext}")
        }
        let format = OutputFormat.named(literal.lowercased())
        guard let other = written.first(where: { $0 != format?.fileExtension }) else { return }
        let choice = format.map { ", or use --format \($0.name)" } ?? ""
        throw .name(
            "it ends with .\(literal), but the outputs are \(other); end it with "
                + ".{ext}\(choice)")
    }

    /// The extension of a picture that stands at the end as it is.
    private var pictureExtension: String? {
        guard let text = parts.last?.text, let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            PictureName.hasPictureExtension("x\(text)")
        else { return nil }
        return String(text[text.utf8.index(after: dot)...])
    }
}
