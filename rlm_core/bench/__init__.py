"""RLM Studio under measurement: its slot in a benchmark beside other products."""
