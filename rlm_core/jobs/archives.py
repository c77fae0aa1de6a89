"""Archives as they lie on the disk: how much they take, and their end. Rows of the store and folders of corpora together."""

from __future__ import annotations

from rlm_core.corpus.corpus import remove
from rlm_core.errors import StoreError
from rlm_core.store.store import Store


def bytes_of_archive(store: Store, id: str) -> int:
    """Bytes of all that is kept of it: text, tables, report, search index."""
    folder = store.home / "corpora" / id
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def delete_archive(store: Store, id: str) -> int:
    """Delete an archive for good; runs that were asked of it stay. Returns the bytes that this frees.

    Raises `StoreError` if it is not listed, while a run needs it, or if its files cannot be removed.
    """
    folder, freed = store.home / "corpora" / id, bytes_of_archive(store, id) if store.corpus(id) else 0
    store.delete_corpus(id)
    try:
        remove(folder)
    except FileNotFoundError:
        return 0  # it was gone without its row
    except OSError as error:
        raise StoreError(
            f"The archive {id} is off the list, but its files cannot be removed ({error}). Remove {folder} yourself."
        ) from error
    return freed
