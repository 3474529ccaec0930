# Generated from _async/download.py. Do not edit.
"""Files that the service sends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, Union

import httpx
from typing_extensions import Self

from .._files import replacement
from .._responses import connection_error, filename_of, size_of

Target = Union[str, "os.PathLike[str]", IO[bytes]]
"""Path of a file to write, or a binary file that is open for writing."""


class Download:
    """A file that is being downloaded. It occupies a connection: read it to the end, or close it."""

    def __init__(self, response: httpx.Response, call: str) -> None:
        self._response = response
        self._call = call
        self.filename = filename_of(response)
        """File name from the service; never a path."""
        self.content_type: str = response.headers.get("content-type", "application/octet-stream")
        self.size = size_of(response)
        """Size in bytes; None if unknown before the end."""

    def iter_bytes(self) -> Iterator[bytes]:
        """Iterates over the content, once. Raises TrifoldConnectionError if the file is incomplete."""
        try:
            for piece in self._response.iter_bytes():
                yield piece
        except httpx.RequestError as error:
            raise connection_error(error, self._call) from error
        finally:
            self.close()

    def read(self) -> bytes:
        """Returns the whole content. Use `write_to` for files that may be large."""
        return b"".join([piece for piece in self.iter_bytes()])

    def write_to(self, target: Target) -> None:
        """Writes the content to a path or to an open binary file.

        A file appears at the path, or replaces an older one, only when it is complete. After an error, an open file is
        incomplete.
        """
        with self:
            if isinstance(target, (str, os.PathLike)):
                # Writing blocks the event loop only for the time that a copy in memory takes.
                with replacement(target) as file:
                    self.write_to(file)
                return
            for piece in self.iter_bytes():
                target.write(piece)

    def close(self) -> None:
        """Closes the connection if the content has not been read to the end."""
        self._response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
