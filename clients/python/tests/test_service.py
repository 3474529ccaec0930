"""Both clients with a real service, at TRIFOLD_URL, if this is set."""

import asyncio
import io
import os
import uuid
from pathlib import Path

import pytest

from trifold import AsyncTrifold, NotFoundError, Trifold, ValidationError

if "TRIFOLD_URL" not in os.environ or "TRIFOLD_KEY" not in os.environ:
    pytest.skip("TRIFOLD_URL and TRIFOLD_KEY are not set", allow_module_level=True)
URL = os.environ["TRIFOLD_URL"]
KEY = os.environ["TRIFOLD_KEY"]


def test_a_template_has_versions_samples_previews_and_documents(tmp_path: Path) -> None:
    with Trifold(URL, KEY) as client:
        schema = {"fields": [{"name": "name", "type": "string", "required": True}]}
        template = client.templates.create({"name": "Note", "html": "<p>{{name}}</p>", "schema": schema})  # type: ignore[typeddict-item]
        updated = client.templates.update(template["id"], {"description": "A note"}, if_version=1)
        assert (updated["version"], updated["description"]) == (2, "A note")
        assert [each["version"] for each in client.templates.versions.list(template["id"])] == [2, 1]
        client.templates.versions.restore(template["id"], 1)
        assert client.templates.publish(template["id"], 1)["published_version"] == 1
        client.templates.save_samples(template["id"], [{"name": "Ada", "data": {"name": "Ada"}}])
        assert client.templates.samples(template["id"])[0]["data"] == {"name": "Ada"}
        preview = client.templates.versions.preview(template["id"], 1, {"data": {"name": "Ada"}})
        assert preview["file"] is not None and preview["errors"] == []

        document = client.documents.generate({"template_id": template["id"], "data": {"name": "Ada"}})
        assert document["status"] == "completed"
        download = client.documents.download_to(document["id"], tmp_path / "note.pdf")
        assert (tmp_path / "note.pdf").stat().st_size == download.size == document["file_size"]
        memory = io.BytesIO()
        client.documents.download_to(document["id"], memory)
        assert memory.getvalue() == (tmp_path / "note.pdf").read_bytes()

        with pytest.raises(ValidationError) as caught:
            client.documents.pdf({"template_id": template["id"], "data": {}})
        assert (caught.value.code, caught.value.details[0]["path"]) == ("data_invalid", "/data/name")
        assert client.templates.delete(template["id"])["deleted"]
        with pytest.raises(NotFoundError):
            client.templates.get(template["id"])
        assert client.documents.delete(document["id"])["deleted"]


def test_lists_span_pages() -> None:
    with Trifold(URL, KEY) as client:
        mark = f"list-{uuid.uuid4()}"
        ids = {client.templates.create({"name": mark, "html": "a"})["id"] for _ in range(3)}
        page = client.templates.page({"q": mark, "limit": 2})
        assert (len(page["data"]), page["pagination"]["total_count"]) == (2, 3)
        assert {entry["id"] for entry in client.templates.list({"q": mark, "limit": 2})} == ids


def test_a_repeated_idempotency_key_creates_one_document() -> None:
    with Trifold(URL, KEY) as client:
        key = f"once-{uuid.uuid4()}"
        first, again = (
            client.documents.start({"template": {"html": "<p>1</p>"}, "data": {}}, idempotency_key=key)
            for _ in range(2)
        )
        assert first["id"] == again["id"]
        assert client.documents.wait(first["id"], timeout=60)["status"] == "completed"


def test_keys_usage_emails_hooks_and_the_request_log() -> None:
    with Trifold(URL, KEY) as client:
        key = client.api_keys.create({"name": "Python", "scopes": ["templates:read"]})
        with Trifold(URL, key["key"]) as other:
            assert other.templates.page({"limit": 1})["pagination"]["total_count"] >= 0
        assert client.api_keys.get(key["id"])["last_four"] == key["key"][-4:]
        assert client.api_keys.revoke(key["id"])["deleted"]
        usage = client.usage.get({"granularity": "month"})
        assert usage["from"] <= usage["to"]
        assert client.billing.get()["units"]
        email = client.emails.compile(
            {
                "template": {
                    "engine": "handlebars-html",
                    "subject": "Hi {{name}}",
                    "html": "<p>{{name}}</p>",
                },
                "data": {"name": "Ada"},
            }
        )
        assert email["subject"] == "Hi Ada"
        hook = client.webhooks.hooks.create({"source": "make", "url": "https://hooks.example.com/a"})
        assert hook["id"] in [each["id"] for each in client.webhooks.hooks.list()]
        assert client.webhooks.hooks.delete(hook["id"])["deleted"]
        assert client.webhooks.settings.find() is None
        assert list(client.webhooks.deliveries.list()) == []
        assert client.webhooks.deliveries.retry_all() == 0
        assert client.requests.page({"outcome": "failed", "limit": 1})["pagination"]["total_count"] >= 0


def test_the_asynchronous_client_does_the_same(tmp_path: Path) -> None:
    async def journey() -> None:
        async with AsyncTrifold(URL, KEY) as client:
            template = await client.templates.create({"name": "Badge", "html": "<h1>{{name}}</h1>"})
            items = [{"data": {"name": name}} for name in ("Ada", "Grace")]
            batch = await client.batches.create(
                {"template_id": template["id"], "format": "pdf", "items": items}  # type: ignore[typeddict-item]
            )
            counts = [seen["completed"] async for seen in client.batches.progress(batch["id"], timeout=60)]
            assert counts == sorted(counts) and counts[-1] == 2
            assert (await client.batches.wait(batch["id"]))["status"] == "completed"
            assert (await (await client.batches.download_item(batch["id"], 1)).read()).startswith(b"%PDF-")
            async with await client.batches.download_zip(batch["id"]) as download:
                await download.write_to(tmp_path / "badges.zip")
            assert (tmp_path / "badges.zip").read_bytes().startswith(b"PK")
            assert batch["id"] in [each["id"] async for each in client.batches.list()]
            documents = await asyncio.gather(
                *(
                    client.documents.generate({"template_id": template["id"], "data": {"name": n}})
                    for n in "abc"
                )
            )
            assert {document["status"] for document in documents} == {"completed"}

    asyncio.run(journey())
