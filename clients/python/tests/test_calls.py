"""The client with a scripted transport, for faults that a real service cannot produce on demand."""

import asyncio
import json
import os
import pickle
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

import trifold
from trifold import AsyncTrifold, Trifold, TrifoldError

KEY = "tf_live_" + "Ab1" * 14 + "Z"
Reply = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


class Script:
    """Responds with the replies in order and repeats the last one."""

    def __init__(self, *replies: Reply) -> None:
        self.replies: Sequence[Reply] = replies
        self.received: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        reply = self.replies[min(len(self.received), len(self.replies) - 1)]
        self.received.append(request)
        if isinstance(reply, Exception):
            raise reply
        return reply(request) if callable(reply) else reply

    def client(self, **options: Any) -> Trifold:
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Trifold("http://service.test/docs/", KEY, http_client=http, **options)


def error_reply(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"statusCode": status, "message": f"It is {code}.", "code": code, "request_id": "req-1"}
    return httpx.Response(status, json=body, headers=headers)


def raised_by(script: Script, **options: Any) -> TrifoldError:
    with pytest.raises(TrifoldError) as caught:
        script.client(**options).documents.get("gen-1")
    return caught.value


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between attempts. They take no time, but a wait's clock shows their sum."""
    taken: list[float] = []
    monkeypatch.setattr("trifold._sync.transport.sleep", taken.append)
    monkeypatch.setattr("trifold._sync.resource.sleep", taken.append)
    monkeypatch.setattr("trifold._sync.resource.monotonic", lambda: sum(taken))
    return taken


COMPLETED = {"id": "gen-1", "status": "completed"}
REQUEST: trifold.types.GenerateRequest = {"template_id": "tpl-1", "data": {"name": "Łódź", "id": 2**60}}


def test_a_call_sends_the_key_the_query_and_compact_json() -> None:
    script = Script(httpx.Response(200, json=COMPLETED))
    client = script.client()
    client.documents.generate(REQUEST)
    client.templates.page({"status": "draft", "email": True, "limit": 5})
    client.documents.page({"metadata": {"order": "A 17"}})
    create, templates, documents = script.received
    assert create.headers["authorization"] == f"Bearer {KEY}"
    assert create.headers["user-agent"] == f"trifold-python/{trifold.__version__}"
    assert json.loads(create.content) == REQUEST
    assert "Łódź".encode() in create.content
    assert str(templates.url) == "http://service.test/docs/v1/templates?status=draft&email=true&limit=5"
    assert documents.url.params["metadata[order]"] == "A 17"


@pytest.mark.parametrize(
    ("status", "error_class", "retryable"),
    [
        (400, trifold.ValidationError, False),
        (401, trifold.AuthenticationError, False),
        (403, trifold.ForbiddenError, False),
        (404, trifold.NotFoundError, False),
        (409, trifold.ConflictError, False),
        (410, trifold.ExpiredError, False),
        (412, trifold.ConflictError, False),
        (413, trifold.ValidationError, False),
        (422, trifold.ValidationError, False),
        (429, trifold.RateLimitError, True),
        (500, TrifoldError, False),
        (503, trifold.ServiceUnavailableError, True),
    ],
)
def test_each_status_has_its_error_class(
    status: int, error_class: type[TrifoldError], retryable: bool
) -> None:
    error = raised_by(Script(error_reply(status, "some_code")), retries=0)
    assert type(error) is error_class
    assert (error.status, error.code, error.request_id) == (status, "some_code", "req-1")
    assert error.retryable is retryable


def test_a_scope_error_and_a_failed_generation_have_their_details() -> None:
    scopes = {"message": "No.", "missingScopes": ["a"], "yourScopes": ["b"], "hint": "Create another key."}
    missing = raised_by(Script(httpx.Response(401, json=scopes)))
    assert isinstance(missing, trifold.MissingScopesError)
    assert (missing.missing_scopes, missing.your_scopes, missing.hint) == (
        ["a"],
        ["b"],
        "Create another key.",
    )
    failed = raised_by(Script(httpx.Response(422, json={"code": "generation_failed", "document": COMPLETED})))
    assert isinstance(failed, trifold.GenerationFailedError)
    assert failed.document is not None and failed.document["id"] == "gen-1"


@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(502, html="<h1>Bad gateway</h1>"),
        httpx.Response(200, text="hello"),
        httpx.Response(302, headers={"location": "http://elsewhere.test/"}),
    ],
)
def test_a_response_from_another_server_is_an_unexpected_answer(reply: httpx.Response) -> None:
    error = raised_by(Script(reply), retries=0)
    assert error.code == "unexpected_answer"
    assert "Check base_url" in error.message


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(raised_by(Script(error_reply(404, "document_not_found")))))
    assert (type(error), error.code) == (trifold.NotFoundError, "document_not_found")


def test_an_idempotent_call_is_retried_with_the_same_key(pauses: list[float]) -> None:
    broken = httpx.ConnectError("refused")
    script = Script(broken, error_reply(503, "unavailable"), httpx.Response(200, json=COMPLETED))
    assert script.client().documents.generate(REQUEST)["id"] == "gen-1"
    assert len({request.headers["idempotency-key"] for request in script.received}) == 1
    first, second = pauses
    assert 0.125 <= first <= 0.25 <= second <= 0.5


def test_a_call_waits_as_long_as_the_service_says(pauses: list[float]) -> None:
    script = Script(
        error_reply(429, "rate_limited", **{"retry-after": "7"}), httpx.Response(200, json=COMPLETED)
    )
    script.client().documents.get("gen-1")
    assert pauses == [7.0]
    late = Script(error_reply(429, "rate_limited", **{"retry-after": "61"}))
    assert raised_by(late).retry_after == 61.0
    assert len(late.received) == 1


def test_retries_have_a_maximum_and_can_be_disabled() -> None:
    for retries, attempts in ((2, 3), (0, 1)):
        script = Script(error_reply(503, "unavailable"))
        raised_by(script, retries=retries)
        assert len(script.received) == attempts
    script = Script(error_reply(503, "unavailable"))
    with pytest.raises(TrifoldError):
        script.client().with_options(retries=0).documents.generate(REQUEST)
    assert "idempotency-key" not in script.received[0].headers


def test_other_calls_are_sent_only_once() -> None:
    script = Script(error_reply(503, "unavailable"))
    client = script.client()
    for call in (
        lambda: client.templates.create({"name": "a", "html": "b"}),
        lambda: client.templates.update("a", {"name": "b"}, if_version=3),
        lambda: client.documents.delete("a"),
        lambda: client.webhooks.deliveries.retry_all(),
    ):
        with pytest.raises(trifold.ServiceUnavailableError):
            call()
    assert [request.method for request in script.received] == ["POST", "PATCH", "DELETE", "POST"]
    assert script.received[1].headers["if-match"] == '"3"'


def test_a_silent_service_is_a_timeout_and_is_not_retried() -> None:
    script = Script(httpx.ReadTimeout("silence"))
    error = raised_by(script)
    assert isinstance(error, trifold.TrifoldTimeoutError)
    assert len(script.received) == 1
    assert script.received[0].extensions["timeout"]["read"] == pytest.approx(60, abs=1)


def test_wait_polls_until_the_end_or_its_timeout(pauses: list[float]) -> None:
    pending = httpx.Response(200, json={"id": "gen-1", "status": "pending"})
    script = Script(pending, pending, httpx.Response(200, json=COMPLETED))
    assert script.client().documents.wait("gen-1")["status"] == "completed"
    assert pauses == pytest.approx([0.1, 0.15])
    pauses.clear()
    last = Script(pending, pending, httpx.Response(200, json=COMPLETED))
    assert last.client().documents.wait("gen-1", timeout=3, poll_interval=2)["status"] == "completed"
    assert pauses == [2, 1]
    pauses.clear()
    with pytest.raises(trifold.TrifoldTimeoutError, match="not finished after 3 s"):
        Script(pending).client().documents.wait("gen-1", timeout=3, poll_interval=2)
    assert pauses == [2, 1]


@pytest.mark.parametrize("poll_interval", [0, -1, float("inf"), float("nan")])
def test_an_invalid_poll_interval_is_rejected(poll_interval: float) -> None:
    script = Script(httpx.Response(200, json=COMPLETED))
    with pytest.raises(ValueError, match="poll_interval"):
        script.client().documents.wait("gen-1", poll_interval=poll_interval)
    assert script.received == []


@pytest.mark.parametrize("value", ["", " a", "a ", "a\nb", "a\n", "Ł", "a" * 256])
def test_a_key_or_session_that_the_service_rejects_is_not_sent(value: str) -> None:
    script = Script(httpx.Response(200, json=COMPLETED))
    client = script.client()
    with pytest.raises(ValueError, match="idempotency_key"):
        client.documents.generate(REQUEST, idempotency_key=value)
    with pytest.raises(ValueError, match="session"):
        client.templates.preview({"html": "a", "data": {}}, session=value)
    assert script.received == []


def test_a_key_or_session_is_sent_unchanged() -> None:
    script = Script(httpx.Response(200, json=COMPLETED))
    client = script.client()
    client.documents.generate(REQUEST, idempotency_key="order 17")
    client.templates.preview({"html": "a", "data": {}}, session="editor-1")
    generate, preview = script.received
    assert generate.headers["idempotency-key"] == "order 17"
    assert preview.headers["preview-session"] == "editor-1"


def test_a_pdf_that_takes_longer_than_the_service_waits_is_polled_and_downloaded() -> None:
    script = Script(
        httpx.Response(202, json={"id": "gen-1", "status": "processing"}),
        httpx.Response(200, json=COMPLETED),
        httpx.Response(200, content=b"%PDF-", headers={"content-type": "application/pdf"}),
    )
    assert script.client().documents.pdf(REQUEST).read() == b"%PDF-"
    failed = {"id": "gen-1", "status": "failed", "error": {"code": "x", "message": "No."}}
    script = Script(httpx.Response(202, json=failed), httpx.Response(200, json=failed))
    with pytest.raises(trifold.GenerationFailedError, match="No"):
        script.client().documents.pdf(REQUEST)


@pytest.mark.parametrize("before", [[], ["file.pdf"]])
def test_a_truncated_download_is_a_connection_error_and_changes_no_file(
    tmp_path: Path, before: list[str]
) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"%PDF-"
        raise httpx.RemoteProtocolError("peer closed connection")

    for name in before:
        (tmp_path / name).write_text("older")
    download = Script(lambda _: httpx.Response(200, content=pieces())).client().documents.download("gen-1")
    with pytest.raises(trifold.TrifoldConnectionError):
        download.write_to(tmp_path / "file.pdf")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [
        (name, "older") for name in before
    ]


@pytest.mark.skipif(os.name != "posix", reason="Windows restricts symbolic links and has no named pipes")
def test_a_download_replaces_the_target_of_a_link_and_is_written_into_a_pipe(tmp_path: Path) -> None:
    script = Script(lambda _: httpx.Response(200, content=iter([b"%PDF-"])))
    (tmp_path / "file.pdf").write_text("older")
    (tmp_path / "latest.pdf").symlink_to("file.pdf")
    script.client().documents.download_to("gen-1", tmp_path / "latest.pdf")
    assert (tmp_path / "latest.pdf").is_symlink()
    assert (tmp_path / "file.pdf").read_bytes() == b"%PDF-"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    script.client().documents.download_to("gen-1", tmp_path / "pipe")
    assert os.read(reader, 10) == b"%PDF-"
    os.close(reader)


def test_a_pdf_with_a_webhook_url_is_not_requested() -> None:
    script = Script(httpx.Response(200, json=COMPLETED))
    with pytest.raises(ValueError):
        script.client().documents.pdf({**REQUEST, "webhook_url": "https://hooks.example.com/a"})  # type: ignore[typeddict-unknown-key]
    assert script.received == []


def test_a_path_that_cannot_be_opened_closes_the_connection(tmp_path: Path) -> None:
    script = Script(lambda _: httpx.Response(200, content=iter([b"%PDF-"])))
    download = script.client().documents.download("gen-1")
    with pytest.raises(FileNotFoundError):
        download.write_to(tmp_path / "missing" / "file.pdf")
    with pytest.raises(httpx.StreamClosed):
        download.read()


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (None, "download"),
        ('attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'),
        ("attachment; filename=\"x.pdf\"; filename*=UTF-8''%C5%81.pdf", "Ł.pdf"),
        ("attachment; filename=../../x.pdf", ".._.._x.pdf"),
        ("attachment; filename*=UTF-8''..%2Fx.pdf", ".._x.pdf"),
        ("attachment; filename=..", "download"),
        ('attachment; filename="."', "download"),
        ('attachment; filename=""', "download"),
        ("attachment; filename=C:x.pdf", "C_x.pdf"),
        ('attachment; filename="at 12:30.pdf"', "at 12:30.pdf"),
    ],
)
def test_the_file_name_is_never_a_path(header: str | None, name: str) -> None:
    headers = {} if header is None else {"content-disposition": header}
    script = Script(httpx.Response(200, content=b"", headers=headers))
    assert script.client().documents.download("gen-1").filename == name


@pytest.mark.parametrize(
    ("options", "error_class"),
    [
        ({"base_url": "service.test"}, ValueError),
        ({"base_url": "http://user:secret@service.test"}, ValueError),
        ({"api_key": "tf_live_short"}, ValueError),
        ({"api_key": KEY + "\n"}, ValueError),
        ({"timeout": 0}, ValueError),
        ({"timeout": float("inf")}, ValueError),
        ({"retries": -1}, ValueError),
    ],
)
def test_invalid_options_are_rejected_without_showing_secrets(
    options: dict[str, Any], error_class: type[Exception]
) -> None:
    with pytest.raises(error_class) as caught:
        Trifold(**{"base_url": "http://service.test", "api_key": KEY, **options})
    assert "secret" not in str(caught.value) and "tf_live_short" not in str(caught.value)


def test_a_line_break_after_the_url_is_removed() -> None:
    with Trifold("http://service.test/docs/\n", KEY) as client:
        assert repr(client) == "Trifold('http://service.test/docs')"


@pytest.mark.parametrize("identifier", ["", ".", ".."])
def test_an_id_cannot_change_the_path(identifier: str) -> None:
    client = Script(httpx.Response(200, json={})).client()
    with pytest.raises(ValueError):
        client.templates.get(identifier)


def test_data_that_is_not_json_is_not_sent() -> None:
    script = Script(httpx.Response(200, json=COMPLETED))
    for data, error_class in ({"a": {1}}, TypeError), ({"a": float("nan")}, ValueError):
        with pytest.raises(error_class):
            script.client().documents.generate({"template_id": "tpl-1", "data": data})
    assert script.received == []


def test_neither_reprs_nor_tracebacks_with_local_variables_contain_the_key() -> None:
    client = Script(httpx.ConnectError("refused")).client(retries=0)
    with pytest.raises(TrifoldError) as caught:
        client.documents.generate(REQUEST)
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    # The variables of this test and its module are not the client's.
    text = "".join(line for line in shown.format() if "test_calls" not in line)
    assert KEY not in text + repr(client) + repr(vars(client)) + repr(caught.value)
    assert repr(client) == "Trifold('http://service.test/docs')"


def test_the_asynchronous_client_retries_and_can_be_cancelled() -> None:
    async def journey() -> None:
        script = Script(
            error_reply(503, "unavailable", **{"retry-after": "0"}), httpx.Response(200, json=COMPLETED)
        )
        http = httpx.AsyncClient(transport=httpx.MockTransport(script))
        async with AsyncTrifold("http://service.test", KEY, http_client=http) as client:
            assert (await client.documents.generate(REQUEST))["id"] == "gen-1"
            script.replies = [httpx.Response(200, json={"id": "gen-1", "status": "pending"})]
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.documents.wait("gen-1"), 0.01)

    asyncio.run(journey())
