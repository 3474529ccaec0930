"""Calls the service with the client of openapi-python-client. Prints what it read as JSON."""

import json
import os
import time
from pathlib import Path

from trifold import AuthenticatedClient
from trifold.api.batches import create_batch, read_batch
from trifold.api.documents import create_document, download_document, read_document
from trifold.models import (
    BatchRequest,
    CompletedDocument,
    GenerateRequest,
    GenerationError,
    UnfinishedDocument,
)

template = os.environ["TRIFOLD_TEMPLATE"]
client = AuthenticatedClient(base_url=os.environ["TRIFOLD_URL"], token=os.environ["TRIFOLD_KEY"])
client = client.with_timeout(60)


def request(name, **more):
    body = {"template_id": template, "data": {"name": name}, **more}
    return GenerateRequest.from_dict(body)


document = create_document.sync(client=client, body=request("sync"))
assert isinstance(document, CompletedDocument)

polled = create_document.sync(client=client, body=request("async", **{"async": True}))
assert isinstance(polled, UnfinishedDocument)
for _ in range(600):
    polled = read_document.sync(polled.id, client=client)
    if isinstance(polled, CompletedDocument):
        break
    time.sleep(0.1)

file = download_document.sync(polled.id, client=client)
Path(os.environ["TRIFOLD_FILE"]).write_bytes(file.payload.read())

items = [{"data": {"name": name}} for name in ("one", "two")]
wanted = BatchRequest.from_dict({"template_id": template, "format": "pdf", "items": items})
batch = create_batch.sync(client=client, body=wanted)
for _ in range(600):
    batch = read_batch.sync(batch.id, client=client)
    if batch.status == "completed":
        break
    time.sleep(0.1)

failed = create_document.sync_detailed(client=client, body=request(7))
assert isinstance(failed.parsed, GenerationError)

print(
    json.dumps(
        {
            "sync": document.status,
            "polled": polled.id,
            "done": batch.completed,
            "items": len(batch.items),
            "status": failed.status_code,
            "code": failed.parsed.code,
            "problem": failed.parsed.details[0].path,
        }
    )
)
