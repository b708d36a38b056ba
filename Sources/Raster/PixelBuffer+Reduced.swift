extension PixelBuffer {
    /// The picture shrunk so that neither side exceeds `edge`; never enlarged.
    package func reduced(to edge: Int) -> PixelBuffer {
        let placement = Placement(
            source: (Double(width), Double(height)),
            canvas: PixelSize(width: edge, height: edge), mode: .fit, upscale: false)
        return Resampler(linear: false).resample(self, to: placement.scaled)
    }
}
