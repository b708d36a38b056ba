import Batch
import Transport

extension FuzzTarget {
    /// Texts of a list that become paths.
    static let names: [FuzzTarget] = [
        FuzzTarget("source") { bytes, digest in
            let text = String(decoding: bytes, as: UTF8.self)
            for remoteOnly in [false, true] {
                do throws(ItemFailure) {
                    let source = try SourceReference.listed(
                        text, in: FilePath("folder"), remoteOnly: remoteOnly)
                    digest.add("\(source.kind)")
                    noteName(ItemName.wanted(id: nil, source: text, kind: source.kind), &digest)
                } catch {
                    digest.add("\(error)")
                    noteName(ItemName.wanted(id: nil, source: text, kind: nil), &digest)
                }
            }
            do throws(ItemFailure) {
                digest.add("\(try SourceReference.argument(text).kind)")
                let found = try DataURI.decode(text, bytesLimit: 1_000)
                law(found.count <= 1_000, "More was decoded than is allowed.")
                digest.add(found.span)
            } catch {
                digest.add("\(error)")
            }
        },
        FuzzTarget("name") { bytes, digest in
            let text = String(decoding: bytes, as: UTF8.self)
            let name = ItemName.clean(text)
            noteName(name, &digest)
            noteName(ItemName.suffixed(name, "-0123abcd-17"), &digest)
            do throws(PlanError) {
                let template = try NameTemplate(text)
                let path = template.path(
                    name: name, layout: "xLarge", scale: 1.5, height: 72, fileExtension: "png",
                    scheme: "dark", source: text)
                guard let path else {
                    law(false, "A template that was taken leads nowhere.")
                    return
                }
                law(
                    path.components.first != ".emblem", "A template leads to our own files.")
                digest.add(path.text)
            } catch {
                digest.add("\(error)")
            }
        },
    ]

    /// Checks that a name is one visible path component, is not an option, and is not too long.
    private static func noteName(_ name: String, _ digest: inout OutcomeDigest) {
        digest.add(name)
        law(
            RelativePath(name) != nil && !name.contains("/") && name.utf8.count <= 120,
            "A name cannot be a file's.")
        law(
            name.utf8.first != UInt8(ascii: ".") && name.utf8.first != UInt8(ascii: "-"),
            "A name begins with a dot or a dash.")
    }
}
