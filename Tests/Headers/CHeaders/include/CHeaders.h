#pragma once

// Intentionally empty: all checks happen at compile time.
