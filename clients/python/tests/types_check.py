"""Never runs: mypy checks it. Each ignored error is one that it must report."""

from typing_extensions import assert_type

from trifold import AsyncTrifold, Trifold, verify_webhook


def right(client: Trifold) -> None:
    document = client.documents.generate({"template_id": "a", "data": {"lines": [{"total": 1}]}})
    if document["status"] == "completed":
        assert_type(document["file_size"], int)
    if document["status"] == "failed":
        assert_type(document["error"]["message"], str)
    for template in client.templates.list({"status": "draft"}):
        assert_type(template["name"], str)
    event = verify_webhook(b"", {}, "s")
    if event["type"] == "batch.progress":
        assert_type(event["data"]["completed"], int)


async def right_async(client: AsyncTrifold) -> None:
    async for batch in client.batches.progress("a"):
        assert_type(batch["completed"], int)
    assert_type(await (await client.documents.download("a")).read(), bytes)


def wrong(client: Trifold) -> None:
    client.templates.page({"status": "gone"})  # type: ignore[arg-type]
    client.documents.generate({"template_id": "a"})  # type: ignore[typeddict-item]
    client.documents.generate({"template_id": "a", "data": {}, "async": True})  # type: ignore[typeddict-unknown-key]
    client.documents.pdf({"template_id": "a", "data": {}, "format": "png"})  # type: ignore[typeddict-unknown-key]
    client.documents.get("a")["file_url"]  # type: ignore[typeddict-item]
    client.batches.create({"template_id": "a", "format": "xlsx", "items": []})  # type: ignore[typeddict-item]
