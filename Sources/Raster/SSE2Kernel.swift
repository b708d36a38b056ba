#if arch(x86_64)
    typealias SSE2Kernel = PlainKernel
#endif
