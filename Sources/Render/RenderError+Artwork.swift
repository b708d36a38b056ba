import Artwork

extension RenderError {
    init(_ error: ArtworkError) {
        switch error {
        case .drawing(let cause): self = .decode(cause)
        case .fonts, .noText, .tooLarge, .encoding: self = .encode("\(error)")
        }
    }
}
