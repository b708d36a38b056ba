import Digest
import Engine
import Notation
import Transport

/// A 16-byte key of everything that affects an item's outputs, except the bytes of its source.
///
/// Two runs can share the outputs of an item if its keys and the bytes of its source are equal.
/// Columns that are only copied to the manifest (hint, value, other columns, the index) are not
/// part of the key, and neither are the options for loading sources.
package struct ItemKey: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// - Parameter look: The digest of the options that affect all items, from
    ///   `RunIdentity.lookDigest`.
    package init(_ item: BatchItem, _ reference: SourceReference?, look: Digest256) {
        self.init(
            item, reference?.kind, name: item.name, label: item.label, within: look.bytes)
    }

    /// - Parameters:
    ///   - kind: The kind of the item's source.
    ///   - name: The name of its files.
    ///   - label: Its label, if it can affect an output.
    ///   - context: The bytes that affect the outputs of all items.
    init(
        _ item: BatchItem, _ kind: SourceReference.Kind?, name: String, label: String?,
        within context: [UInt8] = []
    ) {
        var text = context
        func add(_ part: some Collection<UInt8>) {
            text.append(word: UInt32(clamping: part.count))
            text.append(contentsOf: part)
        }
        switch kind {
        case .file(let path):
            text.append(UInt8(ascii: "f"))
            add(path.normalised.bytes)
        case .remote, .data, .icon, .standardInput, .given:
            text.append(UInt8(ascii: "u"))
            add(item.source.utf8)
        case nil:
            text.append(UInt8(ascii: "-"))
            add(item.source.utf8)
        }
        for part in [name, label] + item.look.all {
            text.append(part == nil ? 0 : 1)
            add((part ?? "").utf8)
        }
        for (kind, name) in item.otherNames.sorted(by: { $0.key < $1.key }) {
            add("\(kind)=\(name)".utf8)
        }
        for part in item.alternatives { add(part.utf8) }
        if item.dark != nil {
            text.append(0xFE)
            for twin in item.dark ?? [] {
                add(twin.plainSource.utf8)
                for part in twin.alternatives { add(part.utf8) }
            }
        }
        // Relative paths in a row are resolved against the folder of its list.
        if !item.alternatives.isEmpty || item.placeholder != nil || item.dark != nil {
            add(item.folder.bytes)
        }
        if item.problem != nil { text.append(0xFF) }
        (high, low) = SHA256.hash(text.span).prefixWords
    }

    init?(hex: some Collection<UInt8>) {
        let hex = Array(hex)
        guard hex.count == 32 else { return nil }
        var words: [UInt64] = [0, 0]
        for (index, byte) in hex.enumerated() {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | UInt64(digit)
        }
        high = words[0]
        low = words[1]
    }

    var hex: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}

extension [UInt8] {
    /// Appends a word in little-endian order.
    mutating func append(word: UInt32) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }

    mutating func append(word: UInt64) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
