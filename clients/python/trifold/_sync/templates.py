# Generated from _async/templates.py. Do not edit.
"""Templates and their versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import types as t
from .._calls import Call, Page, session_headers
from .resource import ListedResource, Resource
from .transport import Transport

_PATH = "/v1/templates"


class TemplateVersions(Resource):
    """The stored versions of a template."""

    _path = _PATH

    def page(
        self, template_id: str, query: t.ListTemplateVersionsQuery | None = None
    ) -> Page[t.TemplateVersion]:
        """Returns one page of the list, newest first."""
        return self._get(self._path_of(template_id, "/versions"), query)

    def list(
        self, template_id: str, query: t.ListTemplateVersionsQuery | None = None
    ) -> Iterator[t.TemplateVersion]:
        """Iterates over all stored versions, newest first, and loads pages on demand."""
        return self._entries(self._path_of(template_id, "/versions"), query)

    def get(self, template_id: str, version: int) -> t.Template:
        """Returns the whole template as it was in that version."""
        return self._get(self._version(template_id, version))

    def preview(
        self, template_id: str, version: int, request: t.VersionPreviewRequest, *, session: str | None = None
    ) -> t.Preview:
        """Renders a version as `templates.preview` does, but with the `templates:read` scope. Never retried."""
        path = f"{self._version(template_id, version)}/preview"
        return self._transport.json(_preview(path, request, session))

    def restore(self, template_id: str, version: int) -> t.Template:
        """Restores the whole content of a version as a new version of the template. Never retried."""
        return self._post(f"{self._version(template_id, version)}/restore")

    def _version(self, template_id: str, version: int) -> str:
        return self._path_of(template_id, f"/versions/{version:d}")


class Templates(ListedResource[t.ListTemplatesQuery, t.TemplateEntry]):
    """The account's templates."""

    _path = _PATH

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.versions = TemplateVersions(transport)

    def create(self, template: t.TemplateRequest) -> t.Template:
        """Creates a template. Never retried: after a lost response, check whether it exists before you try again."""
        return self._post(self._path, template)

    def get(self, template_id: str) -> t.Template:
        """Returns one template in full."""
        return self._get(self._path_of(template_id))

    def update(
        self, template_id: str, change: t.TemplateChange, *, if_version: int | None = None
    ) -> t.Template:
        """Replaces the given fields and increases the version by one; None removes an optional field. Never retried.

        Raises ConflictError `version_conflict` if the template's version is not `if_version`.
        """
        headers = {} if if_version is None else {"if-match": f'"{if_version:d}"'}
        call = Call("PATCH", self._path_of(template_id), body=change, headers=headers)
        return self._transport.json(call)

    def publish(self, template_id: str, version: int | None) -> t.Template:
        """Publishes a version for document requests that do not name one; with None, they use the saved version."""
        return self._post(self._path_of(template_id, "/publish"), {"version": version})

    def samples(self, template_id: str) -> Sequence[t.Sample]:
        """Returns the sample data of a template."""
        return (self._get(self._path_of(template_id, "/samples")))["samples"]

    def save_samples(self, template_id: str, samples: Sequence[t.Sample]) -> None:
        """Replaces the sample data of a template. The version does not change."""
        path = self._path_of(template_id, "/samples")
        self._transport.json(Call("PUT", path, body={"samples": samples}))

    def preview(self, request: t.PreviewRequest, *, session: str | None = None) -> t.Preview:
        """Renders a template, saved or not, with the watermark PREVIEW. Nothing is stored or counted. Never retried.

        A newer preview with the same `session` cancels this one, which then raises ConflictError
        `preview_superseded`.
        """
        return self._transport.json(_preview(f"{self._path}/preview", request, session))

    def delete(self, template_id: str) -> t.Deleted:
        """Deletes a template permanently; documents generated from it are kept."""
        return self._delete(self._path_of(template_id))


def _preview(path: str, request: object, session: str | None) -> Call:
    return Call("POST", path, body=request, headers=session_headers(session))
