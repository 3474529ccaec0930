# Generated from _async/documents.py. Do not edit.
"""Documents and batches of documents."""

from __future__ import annotations

from collections.abc import Iterator

from .. import types as t
from .._calls import Call
from .._responses import json_of
from ..errors import GenerationFailedError
from .download import Download, Target
from .resource import ListedResource


class Documents(ListedResource[t.ListDocumentsQuery, t.Document]):
    """Documents. Lists show those from the last 24 hours."""

    _path = "/v1/generate"

    def generate(self, request: t.GenerateRequest, *, idempotency_key: str | None = None) -> t.Document:
        """Generates a document and waits for it. Check `status`.

        If it is `failed`, `error` contains the reason. If it is `processing`, the service stopped waiting after 30 s:
        continue with `wait`.
        """
        return self._transport.json(self._creation(request, idempotency_key))

    def start(self, request: t.GenerateRequest, *, idempotency_key: str | None = None) -> t.Document:
        """Starts generating a document and returns immediately. After a retry, the document may be finished."""
        return self._transport.json(self._creation({**request, "async": True}, idempotency_key))

    def pdf(self, request: t.PdfRequest, *, idempotency_key: str | None = None) -> Download:
        """Generates a PDF and returns the file itself.

        If the service stops waiting first, polls until completion and downloads the file. Raises
        GenerationFailedError if the generation fails.
        """
        if "webhook_url" in request:
            raise ValueError("pdf() does not accept webhook_url: the service then returns JSON, not the file")
        call = self._creation(request, idempotency_key, accept="application/pdf")
        response = self._transport.send(call)
        if response.status_code == 200:
            return Download(response, call.name)
        end = self.wait(json_of(response, call.name)["id"])
        if end["status"] == "failed":
            failure = GenerationFailedError(end["error"]["message"], code="generation_failed")
            failure.document = end
            raise failure
        return self.download(end["id"])

    def get(self, document_id: str) -> t.Document:
        """Returns the current document."""
        return self._get(self._path_of(document_id))

    def wait(
        self, document_id: str, *, timeout: float | None = None, poll_interval: float | None = None
    ) -> t.CompletedDocument | t.FailedDocument:
        """Waits until the document completes or fails. Without `timeout`, waits as long as necessary.

        Raises TrifoldTimeoutError if the document is not finished after `timeout` seconds; the generation continues.
        Polls every `poll_interval` seconds, or by default after 0.1 s at first, then 1.5 times as long each time, up
        to 2 s, and once more when the timeout expires.
        """
        for document in self._polls(self._path_of(document_id), timeout, poll_interval):
            end = document
        return end

    def data(self, document_id: str) -> t.DocumentData:
        """Returns the data of an unfinished or failed document. Requires the key that created the document."""
        return self._get(self._path_of(document_id, "/data"))

    def download(self, document_id: str) -> Download:
        """Downloads the file. Requires the key that created the document."""
        return self._download(self._path_of(document_id, "/download"))

    def download_to(self, document_id: str, target: Target) -> Download:
        """Downloads the file to a path or to an open binary file, as `write_to` does, and returns its properties."""
        with self.download(document_id) as download:
            download.write_to(target)
        return download

    def delete(self, document_id: str) -> t.Deleted:
        """Deletes a document; an unfinished one fails with the code `cancelled`. Requires the key that created it."""
        return self._delete(self._path_of(document_id))

    def _creation(self, body: object, key: str | None, accept: str = "application/json") -> Call:
        return Call("POST", self._path, body=body, accept=accept, idempotent=True, idempotency_key=key)


class Batches(ListedResource[t.ListBatchesQuery, t.Batch]):
    """Batches of documents. Lists show those from the last 24 hours, without their items."""

    _path = "/v1/generate/batch"

    def create(self, request: t.BatchRequest, *, idempotency_key: str | None = None) -> t.Batch:
        """Creates a batch.

        Raises ValidationError for the whole batch if one item is invalid, with paths such as `/items/17/data`.
        """
        call = Call("POST", self._path, body=request, idempotent=True, idempotency_key=idempotency_key)
        return self._transport.json(call)

    def get(self, batch_id: str) -> t.BatchInFull:
        """Returns the current batch."""
        return self._get(self._path_of(batch_id))

    def progress(
        self, batch_id: str, *, timeout: float | None = None, poll_interval: float | None = None
    ) -> Iterator[t.BatchInFull]:
        """Yields the batch now, then whenever its status or the number of finished items changes.

        The last one is the finished batch. Takes the same options as `documents.wait`.
        """
        previous = None
        for batch in self._polls(self._path_of(batch_id), timeout, poll_interval):
            current = (batch["status"], batch["completed"], batch["failed"])
            if current != previous:
                yield batch
            previous = current

    def wait(
        self, batch_id: str, *, timeout: float | None = None, poll_interval: float | None = None
    ) -> t.BatchInFull:
        """Waits until every item is finished. Takes the same options as `documents.wait`."""
        for batch in self._polls(self._path_of(batch_id), timeout, poll_interval):
            end = batch
        return end

    def download_item(self, batch_id: str, index: int) -> Download:
        """Downloads the file of one item. Requires the key that created the batch."""
        return self._download(self._path_of(batch_id, f"/items/{index:d}/download"))

    def download_zip(self, batch_id: str) -> Download:
        """Downloads the files of a finished batch as one ZIP file. Requires the key that created the batch."""
        return self._download(self._path_of(batch_id, "/download"))
