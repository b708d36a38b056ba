/// A cache of the colours of one picture that were converted already.
///
/// A logo has few colours, and converting one takes twenty times as long as finding it here. A
/// picture in which most are new soon goes without: a photograph loses a tenth at most.
@safe
struct ConvertedColors: ~Copyable {
    /// A colour has one slot, which the last one met there holds.
    private static let slotBits = 12
    /// So many pixels are looked up before those that are new are converted together.
    private static let block = 2048
    /// After a block that was mostly new so many are converted without a look.
    private static let pause = 8
    /// What a colour is found to be, until the block's new ones are converted: the number of one.
    private static let pending: UInt32 = 1 << 31
    private static let color: UInt32 = 0xFF_FFFF

    /// Pairs of a colour and what it is converted to.
    private let slots: UnsafeMutablePointer<(key: UInt32, value: UInt32)>
    /// What each pixel of a block is.
    private let found: UnsafeMutablePointer<UInt32>
    /// New colours, to be converted in place, and as they were.
    private let fresh: UnsafeMutablePointer<UInt32>
    private let keys: UnsafeMutablePointer<UInt32>

    /// Fewer pixels are converted sooner than this is made.
    static let leastCount = 4096

    init() {
        let count = 1 << Self.slotBits
        unsafe slots = .allocate(capacity: count)
        // No colour of 24 bits is this one.
        unsafe slots.initialize(repeating: (.max, 0), count: count)
        unsafe found = .allocate(capacity: Self.block)
        unsafe fresh = .allocate(capacity: Self.block)
        unsafe keys = .allocate(capacity: Self.block)
        unsafe found.initialize(repeating: 0, count: Self.block)
        unsafe fresh.initialize(repeating: 0, count: Self.block)
        unsafe keys.initialize(repeating: 0, count: Self.block)
    }

    deinit {
        unsafe slots.deallocate()
        unsafe found.deallocate()
        unsafe fresh.deallocate()
        unsafe keys.deallocate()
    }

    /// Converts the three colours of each pixel in place, and leaves its fourth byte.
    @unsafe
    func convert(
        _ pixels: UnsafeMutableRawPointer, pixelCount: Int,
        by convert: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        var (done, plainly) = (0, 0)
        while done < pixelCount {
            let count = min(Self.block, pixelCount - done)
            let start = unsafe pixels + done * 4
            if plainly > 0 {
                unsafe convert(start, count)
                plainly -= 1
            } else {
                let new = unsafe lookUp(start, count)
                unsafe convert(UnsafeMutableRawPointer(fresh), new)
                unsafe store(start, count)
                keep(new)
                if new * 2 > count { plainly = Self.pause }
            }
            done += count
        }
    }

    /// Finds the pixels of a block, and says how many colours are new.
    private func lookUp(_ pixels: UnsafeMutableRawPointer, _ count: Int) -> Int {
        var new = 0
        var (last, value) = (UInt32.max, UInt32(0))
        for index in 0..<count {
            let pixel = unsafe pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            let key = pixel & Self.color
            if key != last {
                last = key
                let slot = unsafe slots + Self.slotIndex(of: key)
                if unsafe slot.pointee.key != key {
                    unsafe fresh[new] = key
                    unsafe keys[new] = key
                    unsafe slot.pointee = (key, Self.pending | UInt32(truncatingIfNeeded: new))
                    new &+= 1
                }
                value = unsafe slot.pointee.value
            }
            unsafe found[index] = value
        }
        return new
    }

    /// Writes the pixels of a block, all of whose colours are known by now.
    private func store(_ pixels: UnsafeMutableRawPointer, _ count: Int) {
        for index in 0..<count {
            var value = unsafe found[index]
            if value & Self.pending != 0 { value = unsafe fresh[Int(value & ~Self.pending)] }
            let pixel = unsafe pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            let result = value & Self.color | pixel & ~Self.color
            unsafe pixels.storeBytes(of: result, toByteOffset: index &* 4, as: UInt32.self)
        }
    }

    /// Puts what new colours are converted to where they are found again.
    private func keep(_ new: Int) {
        for index in 0..<new {
            let key = unsafe keys[index]
            let slot = unsafe slots + Self.slotIndex(of: key)
            if unsafe slot.pointee.key == key {
                unsafe slot.pointee.value = fresh[index] & Self.color
            }
        }
    }

    @inline(__always)
    private static func slotIndex(of key: UInt32) -> Int {
        Int((key &* 0x9E37_79B1) &>> (32 &- UInt32(slotBits)))
    }
}
