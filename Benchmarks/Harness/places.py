"""Where things stand."""

import os

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EMBLEM = os.path.join(HOME, ".build/release/emblem")
GENERATOR = os.path.join(HOME, ".build/release/emblem-dataset")
GENERATED = os.path.join(HOME, "Datasets/generated")
PEERS = os.path.join(HOME, ".build/peers")
