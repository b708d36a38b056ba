struct BrandColors: Sendable {
    let main: String
    let second: String
    let deep: String

    /// Returns a random scheme from the table with small variations, so that no two merchants are
    /// equal.
    static func choose(_ dice: inout Dice) -> BrandColors {
        let row = dice.pick(table)
        return BrandColors(
            main: shift(row.0, &dice), second: shift(row.1, &dice), deep: shift(row.2, &dice))
    }

    static func hex(_ red: Int, _ green: Int, _ blue: Int) -> String {
        var text = "#"
        for channel in [red, green, blue] {
            let value = max(0, min(255, channel))
            if value < 16 { text += "0" }
            text += String(value, radix: 16, uppercase: true)
        }
        return text
    }

    private static func shift(_ color: UInt32, _ dice: inout Dice) -> String {
        let move = dice.whole(-9...9)
        return hex(
            Int(color >> 16 & 255) + move + dice.whole(-5...5),
            Int(color >> 8 & 255) + move + dice.whole(-5...5),
            Int(color & 255) + move + dice.whole(-5...5))
    }

    private static let table: [(UInt32, UInt32, UInt32)] = [
        (0x0B5FFF, 0x00B8D9, 0x0A2540), (0xE4002B, 0xFF7A59, 0x3A0A12),
        (0x00875A, 0x9BD770, 0x06352B), (0x5B2EFF, 0xFF5CA8, 0x1C1147),
        (0xFF6B00, 0xFFC247, 0x3B1F0B), (0x111827, 0x6B7280, 0x0B0F19),
        (0x007A87, 0x4FD1C5, 0x08323A), (0xC2185B, 0xF8BBD0, 0x3D0820),
        (0x1E3A8A, 0xF59E0B, 0x0F1D45), (0x7C3AED, 0x22D3EE, 0x241046),
        (0x15803D, 0xFACC15, 0x0B2E1A), (0xB45309, 0xFDE68A, 0x43260A),
        (0x0EA5E9, 0x1D4ED8, 0x0B2A4A), (0xDB2777, 0x7C3AED, 0x33103F),
        (0x374151, 0xEF4444, 0x111827), (0x0F766E, 0xF97316, 0x0A2F2C),
        (0x9F1239, 0x1F2937, 0x2B0713), (0x2563EB, 0x93C5FD, 0x102A6B),
        (0xF43F5E, 0xFB923C, 0x4A0D1E), (0x4D7C0F, 0x1A2E05, 0x22340A),
        (0x8B5CF6, 0xC4B5FD, 0x2E1065), (0x006D77, 0xE29578, 0x12343B),
        (0xEAB308, 0x18181B, 0x27220A), (0x3F51B5, 0x00BFA5, 0x151C44),
    ]
}
