"""Runs as one HTML file that opens from the disk: no network, nothing loaded, texts of models and documents as text only."""

from pathlib import Path

STORY_SCRIPT, STORY_STYLE = (Path(__file__).resolve().parent / name for name in ("story.js", "story.css"))
"""What draws one step of a story: in the file, and in the app."""
