"""The parts of bench/truth: what is explained, how it is asked, how the answers are shown."""
