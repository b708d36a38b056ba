import CSandbox
import Glibc

/// The words that the program was started with, read where they lie: nothing of them is copied into
/// memory that a cell would inherit.
package enum RawArguments {
    package static var count: Int { Int(emb_argument_count()) }

    /// Copies of all of them, the program's name first.
    package static var all: [String] {
        (0..<count).map { index in
            unsafe emb_argument(Int32(clamping: index)).map { unsafe String(cString: $0) } ?? ""
        }
    }

    package static func has(_ word: String, at index: Int) -> Bool {
        unsafe emb_argument_is(Int32(clamping: index), word) != 0
    }

    /// The whole number above 0 that an option is last given, as `--jobs 4` or `--jobs=4`; nil where
    /// it is not given, or something else.
    package static func number(of option: String) -> Int? {
        let length = option.utf8.count
        var number: Int?
        for index in 1..<max(1, count) {
            guard let word = unsafe emb_argument(Int32(clamping: index)),
                unsafe strncmp(word, option, length) == 0
            else { continue }
            let given: UnsafePointer<CChar>?
            switch unsafe UInt8(bitPattern: word[length]) {
            case 0: unsafe given = emb_argument(Int32(clamping: index + 1))
            case UInt8(ascii: "="): unsafe given = word + length + 1
            default: continue
            }
            let last = unsafe given.map { unsafe strtol($0, nil, 10) } ?? 0
            number = last > 0 ? last : nil
        }
        return number
    }
}
