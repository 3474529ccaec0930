"""Files that the service sends."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import IO, Union

import httpx
from typing_extensions import Self

from .._files import replacement
from .._responses import connection_error, filename_of, size_of

Target = Union[str, "os.PathLike[str]", IO[bytes]]
"""Path of a file to write, or a binary file that is open for writing."""


class AsyncDownload:
    """A file that is being downloaded. It occupies a connection: read it to the end, or close it."""

    def __init__(self, response: httpx.Response, call: str) -> None:
        self._response = response
        self._call = call
        self.filename = filename_of(response)
        """File name from the service; never a path."""
        self.content_type: str = response.headers.get("content-type", "application/octet-stream")
        self.size = size_of(response)
        """Size in bytes; None if unknown before the end."""

    async def iter_bytes(self) -> AsyncIterator[bytes]:
        """Iterates over the content, once. Raises TrifoldConnectionError if the file is incomplete."""
        try:
            async for piece in self._response.aiter_bytes():
                yield piece
        except httpx.RequestError as error:
            raise connection_error(error, self._call) from error
        finally:
            await self.aclose()

    async def read(self) -> bytes:
        """Returns the whole content. Use `write_to` for files that may be large."""
        return b"".join([piece async for piece in self.iter_bytes()])

    async def write_to(self, target: Target) -> None:
        """Writes the content to a path or to an open binary file.

        A file appears at the path, or replaces an older one, only when it is complete. After an error, an open file is
        incomplete.
        """
        async with self:
            if isinstance(target, (str, os.PathLike)):
                # Writing blocks the event loop only for the time that a copy in memory takes.
                with replacement(target) as file:
                    await self.write_to(file)
                return
            async for piece in self.iter_bytes():
                target.write(piece)

    async def aclose(self) -> None:
        """Closes the connection if the content has not been read to the end."""
        await self._response.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
