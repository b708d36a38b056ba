// All fontconfig functions that are called. No include guard: the file is included several times.
EMB_CALL(FcConfig *, NULL, FcConfigCreate, (void), ())
EMB_CALL_NOTHING(FcConfigDestroy, (FcConfig * config), (config))
EMB_CALL(
    FcBool, 0, FcConfigParseAndLoadFromMemory,
    (FcConfig * config, const FcChar8 *rules, FcBool complains), (config, rules, complains))
EMB_CALL(
    FcBool, 0, FcConfigAppFontAddFile, (FcConfig * config, const FcChar8 *file), (config, file))
EMB_CALL(FcBool, 0, FcConfigSetCurrent, (FcConfig * config), (config))
