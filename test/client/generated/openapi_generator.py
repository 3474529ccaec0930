"""Calls the service with the Python client of openapi-generator. Prints what it read as JSON."""

import json
import os
import time
from pathlib import Path

import trifold

template = os.environ["TRIFOLD_TEMPLATE"]
configuration = trifold.Configuration(
    host=os.environ["TRIFOLD_URL"], access_token=os.environ["TRIFOLD_KEY"]
)
client = trifold.ApiClient(configuration)
documents = trifold.DocumentsApi(client)
batches = trifold.BatchesApi(client)


def request(name, **more):
    return trifold.GenerateRequest(template_id=template, data={"name": name}, **more)


document = documents.create_document(request("sync")).actual_instance
assert isinstance(document, trifold.CompletedDocument)

polled = documents.create_document(request("async", var_async=True)).actual_instance
assert isinstance(polled, trifold.UnfinishedDocument)
for _ in range(600):
    polled = documents.read_document(polled.id).actual_instance
    if isinstance(polled, trifold.CompletedDocument):
        break
    time.sleep(0.1)

Path(os.environ["TRIFOLD_FILE"]).write_bytes(documents.download_document(polled.id))

items = [trifold.BatchRequestItem(data={"name": name}) for name in ("one", "two")]
batch = batches.create_batch(trifold.BatchRequest(template_id=template, format="pdf", items=items))
for _ in range(600):
    batch = batches.read_batch(batch.id)
    if batch.status == "completed":
        break
    time.sleep(0.1)

try:
    documents.create_document(request(7))
except trifold.ApiException as error:
    failed = error

print(
    json.dumps(
        {
            "sync": document.status,
            "polled": polled.id,
            "done": batch.completed,
            "items": len(batch.items),
            "status": failed.status,
            "code": failed.data.code,
            "problem": failed.data.details[0].path,
        }
    )
)
