extension Color {
    /// The colour multiplied by its own alpha, as the pixels of a buffer are.
    package var premultiplied: Color {
        Color(
            red: product255(red, alpha), green: product255(green, alpha),
            blue: product255(blue, alpha), alpha: alpha)
    }

    /// The colour that shows when this one lies over `backdrop`.
    package func over(_ backdrop: Color) -> Color {
        let (front, back) = (Int(alpha), Int(backdrop.alpha))
        // Weights in 1/65025, so that only the last division rounds.
        let weight = front * 255
        let rest = back * (255 - front)
        let total = weight + rest
        guard total > 0 else { return .clear }
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            UInt8((Int(top) * weight + Int(bottom) * rest + total / 2) / total)
        }
        return Color(
            red: mix(red, backdrop.red), green: mix(green, backdrop.green),
            blue: mix(blue, backdrop.blue), alpha: UInt8((total + 127) / 255))
    }

    /// The four bytes as one word, in the order of a buffer's pixel.
    var word: UInt32 {
        UInt32(
            littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16
                | UInt32(alpha) << 24)
    }
}

/// `value` scaled by `factor`/255 and rounded to the nearest.
@inline(__always)
func product255(_ value: UInt8, _ factor: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(value) * UInt32(factor) + 127) / 255)
}

/// All four channels of a pixel's word scaled by `factor`/255, each rounded to the nearest.
///
/// Two channels share a 32-bit product. For every sum t below 65,535 the shifts give exactly
/// t / 255, rounded down.
@inline(__always)
func scaled(_ word: UInt32, by factor: UInt32) -> UInt32 {
    let even = (word & 0x00FF_00FF) &* factor &+ 0x007F_007F
    let odd = (word >> 8 & 0x00FF_00FF) &* factor &+ 0x007F_007F
    let low = (even &+ 0x0001_0001 &+ (even >> 8 & 0x00FF_00FF)) >> 8
    let high = odd &+ 0x0001_0001 &+ (odd >> 8 & 0x00FF_00FF)
    return low & 0x00FF_00FF | high & 0xFF00_FF00
}

/// The sum of two words, channel by channel, ending at 255.
@inline(__always)
func saturatingSum(_ first: UInt32, _ second: UInt32) -> UInt32 {
    let even = saturated((first & 0x00FF_00FF) &+ (second & 0x00FF_00FF))
    let odd = saturated((first >> 8 & 0x00FF_00FF) &+ (second >> 8 & 0x00FF_00FF))
    return even | odd << 8
}

@inline(__always)
private func saturated(_ pair: UInt32) -> UInt32 {
    let over = pair & 0x0100_0100
    return (pair | (over &- (over >> 8))) & 0x00FF_00FF
}
