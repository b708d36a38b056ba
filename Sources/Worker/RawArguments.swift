import CSandbox
import Glibc

/// The arguments of the program, read in place: no copy stays in memory that a worker would
/// inherit.
package enum RawArguments {
    package static var count: Int { Int(emb_argument_count()) }

    /// Copies of all arguments, the program's name first.
    package static var all: [String] {
        (0..<count).map { index in
            unsafe emb_argument(Int32(clamping: index)).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// The bytes of all arguments, which need not be UTF-8.
    package static var bytes: [[UInt8]] {
        (0..<count).map { index in
            guard let word = unsafe emb_argument(Int32(clamping: index)) else { return [] }
            return unsafe [UInt8](UnsafeRawBufferPointer(start: word, count: strlen(word)))
        }
    }

    package static func has(_ word: String, at index: Int) -> Bool {
        unsafe emb_argument_is(Int32(clamping: index), word) != 0
    }

    /// Returns the last value of an option as a whole number above 0; nil if there is none.
    ///
    /// - Parameter option: The spellings of the option, such as `--jobs`.
    package static func number(of option: [String]) -> Int? {
        guard let value = unsafe lastValue(of: option) else { return nil }
        let number = unsafe strtol(value, nil, 10)
        return number > 0 ? number : nil
    }

    /// Returns whether the word is the last value of an option.
    package static func has(_ word: String, as option: [String]) -> Bool {
        guard let value = unsafe lastValue(of: option) else { return false }
        return unsafe strcmp(value, word) == 0
    }

    /// Returns whether the folder that is the last value of an option contains this path.
    package static func folder(of option: [String], has path: String) -> Bool {
        guard let value = unsafe lastValue(of: option) else { return false }
        let folder = unsafe open(value, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        return unsafe faccessat(folder, path, F_OK, 0) == 0
    }

    /// Returns the last value of an option, as in `--jobs 4` or `--jobs=4`; nil without the option
    /// or without a value.
    @unsafe
    private static func lastValue(of option: [String]) -> UnsafePointer<CChar>? {
        var last: UnsafePointer<CChar>?
        for index in 1..<max(1, count) {
            guard let word = unsafe emb_argument(Int32(clamping: index)) else { continue }
            for spelling in option {
                let length = spelling.utf8.count
                guard unsafe strncmp(word, spelling, length) == 0 else { continue }
                switch unsafe UInt8(bitPattern: word[length]) {
                case 0: unsafe last = emb_argument(Int32(clamping: index + 1))
                case UInt8(ascii: "="): unsafe last = word + length + 1
                default: continue
                }
            }
        }
        return unsafe last
    }
}
