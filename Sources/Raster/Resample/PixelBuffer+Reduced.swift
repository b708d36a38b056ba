extension PixelBuffer {
    /// The picture shrunk so that neither side exceeds `edge`; never enlarged.
    package func reduced(to edge: Int) -> PixelBuffer {
        let upright = turn.upright(size)
        let placement = Placement(
            source: (Double(upright.width), Double(upright.height)),
            canvas: PixelSize(width: edge, height: edge), mode: .fit, largestFactor: 1)
        return Resampler(linear: false).resample(self, to: placement.scaled)
    }
}
