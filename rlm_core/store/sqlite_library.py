"""sqlite-utils, without the pandas and numpy that it loads where they are installed.

It would take their values as well; none are ever handed to it here, and loading them costs every process 80 MB and a third
of a second of processor time. For the moment of its own import they are not to be found, which it takes for "not installed".
Beside Streamlit, which needs both and may be loading them in another thread, they are left alone.
"""

from __future__ import annotations

import sys

_HIDDEN = [name for name in ("numpy", "pandas") if name not in sys.modules and "streamlit" not in sys.modules]
sys.modules.update(dict.fromkeys(_HIDDEN))  # type: ignore[arg-type]  # `None` there makes an import raise ImportError
try:
    from sqlite_utils import Database, Migrations
finally:
    for _name in _HIDDEN:
        del sys.modules[_name]

__all__ = ["Database", "Migrations"]
