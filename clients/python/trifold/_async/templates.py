"""Templates and their versions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from .. import types as t
from .._calls import Call, Page, session_headers
from .resource import AsyncListedResource, AsyncResource
from .transport import AsyncTransport

_PATH = "/v1/templates"


class AsyncTemplateVersions(AsyncResource):
    """The stored versions of a template."""

    _path = _PATH

    async def page(
        self, template_id: str, query: t.ListTemplateVersionsQuery | None = None
    ) -> Page[t.TemplateVersion]:
        """Returns one page of the list, newest first."""
        return await self._get(self._path_of(template_id, "/versions"), query)

    def list(
        self, template_id: str, query: t.ListTemplateVersionsQuery | None = None
    ) -> AsyncIterator[t.TemplateVersion]:
        """Iterates over all stored versions, newest first, and loads pages on demand."""
        return self._entries(self._path_of(template_id, "/versions"), query)

    async def get(self, template_id: str, version: int) -> t.Template:
        """Returns the whole template as it was in that version."""
        return await self._get(self._version(template_id, version))

    async def preview(
        self, template_id: str, version: int, request: t.VersionPreviewRequest, *, session: str | None = None
    ) -> t.Preview:
        """Renders a version as `templates.preview` does, but with the `templates:read` scope. Never retried."""
        path = f"{self._version(template_id, version)}/preview"
        return await self._transport.json(_preview(path, request, session))

    async def restore(self, template_id: str, version: int) -> t.Template:
        """Restores the whole content of a version as a new version of the template. Never retried."""
        return await self._post(f"{self._version(template_id, version)}/restore")

    def _version(self, template_id: str, version: int) -> str:
        return self._path_of(template_id, f"/versions/{version:d}")


class AsyncTemplates(AsyncListedResource[t.ListTemplatesQuery, t.TemplateEntry]):
    """The account's templates."""

    _path = _PATH

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.versions = AsyncTemplateVersions(transport)

    async def create(self, template: t.TemplateRequest) -> t.Template:
        """Creates a template. Never retried: after a lost response, check whether it exists before you try again."""
        return await self._post(self._path, template)

    async def get(self, template_id: str) -> t.Template:
        """Returns one template in full."""
        return await self._get(self._path_of(template_id))

    async def update(
        self, template_id: str, change: t.TemplateChange, *, if_version: int | None = None
    ) -> t.Template:
        """Replaces the given fields and increases the version by one; None removes an optional field. Never retried.

        Raises ConflictError `version_conflict` if the template's version is not `if_version`.
        """
        headers = {} if if_version is None else {"if-match": f'"{if_version:d}"'}
        call = Call("PATCH", self._path_of(template_id), body=change, headers=headers)
        return await self._transport.json(call)

    async def publish(self, template_id: str, version: int | None) -> t.Template:
        """Publishes a version for document requests that do not name one; with None, they use the saved version."""
        return await self._post(self._path_of(template_id, "/publish"), {"version": version})

    async def samples(self, template_id: str) -> Sequence[t.Sample]:
        """Returns the sample data of a template."""
        return (await self._get(self._path_of(template_id, "/samples")))["samples"]

    async def save_samples(self, template_id: str, samples: Sequence[t.Sample]) -> None:
        """Replaces the sample data of a template. The version does not change."""
        path = self._path_of(template_id, "/samples")
        await self._transport.json(Call("PUT", path, body={"samples": samples}))

    async def preview(self, request: t.PreviewRequest, *, session: str | None = None) -> t.Preview:
        """Renders a template, saved or not, with the watermark PREVIEW. Nothing is stored or counted. Never retried.

        A newer preview with the same `session` cancels this one, which then raises ConflictError
        `preview_superseded`.
        """
        return await self._transport.json(_preview(f"{self._path}/preview", request, session))

    async def delete(self, template_id: str) -> t.Deleted:
        """Deletes a template permanently; documents generated from it are kept."""
        return await self._delete(self._path_of(template_id))


def _preview(path: str, request: object, session: str | None) -> Call:
    return Call("POST", path, body=request, headers=session_headers(session))
