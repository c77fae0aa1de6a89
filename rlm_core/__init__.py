"""RLM Studio core."""
