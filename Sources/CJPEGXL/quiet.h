#pragma once

// Starts (1) or ends (0) the suppression of messages. Must surround every library call that may
// print.
void emb_jxl_quiet(int begins);
