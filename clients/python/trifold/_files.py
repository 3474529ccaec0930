"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacement(target: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Opens a file that appears at the path only if the block succeeds. Writes to a device or pipe directly."""
    path = Path(os.path.realpath(target))
    if path.exists() and not path.is_file():
        with open(path, "wb") as file:
            yield file
        return
    part = path.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with open(part, "xb") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
