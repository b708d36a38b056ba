#pragma once

// Nothing: what is held against each other here is held when it is built.
