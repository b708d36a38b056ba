import Flags
import Notation
import Theming

extension FuzzTarget {
    static let notations: [FuzzTarget] = [
        FuzzTarget("json") { bytes, digest in
            let limits = JSONLimits(bytes: 1 << 16, depth: 40, values: 10_000)
            do throws(JSONError) {
                let document = try JSONParser.document(bytes.span, limits: limits)
                let text = written(document.root)
                digest.add(text.span)
                digest.add(document.line(of: ["a", "0"]) ?? 0)
                // Written JSON must be read back to the same value and be written identically.
                let again = try JSONParser.parse(text.span, limits: limits)
                law(written(again) == text, "JSON changes when it is read again.")
            } catch {
                digest.add("\(error)")
            }
        },
        FuzzTarget("theme") { bytes, digest in
            do throws(ThemeError) {
                let (theme, warnings) = try Theme.builtIn.layering(bytes, name: "theme.json")
                digest.add("\(warnings)")
                for scheme in ColorScheme.allCases {
                    digest.add("\(String(describing: theme.value(tokenPath, scheme)))")
                }
            } catch {
                digest.add("\(error)")
            }
        },
        FuzzTarget("configuration") { bytes, digest in
            do throws(UsageError) {
                _ = try ConfigurationFile(name: "emblem.json", bytes.span)
                digest.add(1)
            } catch {
                digest.add("\(error)")
            }
        },
        FuzzTarget("text") { bytes, digest in
            let text = String(decoding: bytes, as: UTF8.self)
            let shown = PrintableText.escaped(bytes.span)
            law(
                shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F },
                "A control character is shown.")
            digest.add(shown)
            digest.add(PrintableText.escaped(text, limit: 20))
            digest.add(PercentCoding.decoded(bytes.span).span)
            for manner in [Base64.Manner.strict, .lenient] {
                do throws(Base64Error) {
                    let found = try Base64.decode(bytes.span, manner: manner, limit: 1 << 12)
                    digest.add(found.span)
                    let text = Array(Base64.encode(found.span).utf8)
                    let again = try Base64.decode(text.span)
                    law(again == found, "Base64 changes when it is read again.")
                } catch {
                    digest.add("\(error)")
                }
            }
        },
    ]

    private static let tokenPath = "theme.color.background.surface"

    private static func written(_ value: JSON) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(value)
        return writer.bytes
    }
}
