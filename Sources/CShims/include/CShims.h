#pragma once

#include <stddef.h>
#include <stdint.h>

#include "emb_heif.h"
#include "emb_jpeg.h"
#include "emb_library.h"
#include "emb_png.h"
#include "emb_program.h"
#include "emb_sha256.h"
#include "emb_system.h"
#include "emb_tree.h"
