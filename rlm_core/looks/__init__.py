"""A run as somebody looks at it, at whatever door: its sheet, its folded tree with names, its notebook, the boxes of its graph.

Pure values made of a `RunView`, in words and numbers. They know no store, no screen and no format of a file.
"""
