"""Runs as one HTML file that opens from the disk: no network, nothing loaded, texts of models and documents as text only."""
