import Flags
import Testing
