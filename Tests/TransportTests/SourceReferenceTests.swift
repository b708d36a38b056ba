import Testing
import Transport
