"""Language models behind one method: `async LM.complete(request) -> Reply`."""
