"""The parts that pages are put together from. Each takes plain values; what it shows of models and documents is text."""
