import Console
import Testing
