"""Cases of h11-body-limits: bytes go into a connection, the events and errors that come of them come out."""

from typing import Any

from harness import Runner, case, equal

# Plays scenes. A scene is [role, options of Connection, steps]; its log has one entry for each event and each error.
DRIVER = """
import h11

def pull(conn, log):
    # One event; False where there is nothing more for now.
    try:
        event = conn.next_event()
    except Exception as error:
        name = getattr(error, 'limit', 'no attribute')
        log.append(['error', type(error).__name__, getattr(error, 'error_status_hint', None), name])
        return False
    if event is h11.NEED_DATA or event is h11.PAUSED:
        log.append([str(event)])
        return False
    entry = [type(event).__name__]
    if isinstance(event, h11.Data):
        entry += [bytes(event.data).decode('latin-1'), event.chunk_start, event.chunk_end]
    elif isinstance(event, h11.EndOfMessage):
        entry += [[[k.decode(), v.decode()] for k, v in event.headers]]
    log.append(entry)
    return not isinstance(event, h11.ConnectionClosed)

def send(conn, log, what, *more):
    head = [('Host', 'a'), *[tuple(field) for field in more[1:]]]
    try:
        if what == 'request':
            out = conn.send(h11.Request(method=more[0], target='/', headers=head))
        elif what == 'response':
            out = conn.send(h11.Response(status_code=more[0], headers=head[1:]))
        elif what == 'continue':
            out = conn.send(h11.InformationalResponse(status_code=100, headers=[]))
        elif what == 'data':
            out = conn.send(h11.Data(data=more[0].encode()))
        else:
            out = conn.send(h11.EndOfMessage())
        log.append(['sent', bytes(out).decode('latin-1')])
    except Exception as error:
        log.append(['refused', type(error).__name__])

def play(role, options, steps):
    conn = h11.Connection(getattr(h11, role), **options)
    log = []
    for step, *more in steps:
        if step == 'get':
            conn.receive_data(more[0].encode('latin-1'))
            while pull(conn, log):
                pass
        elif step == 'slowly':
            for byte in more[0].encode('latin-1'):
                conn.receive_data(bytes([byte]))
                while pull(conn, log):
                    pass
        elif step == 'buffer':
            conn.receive_data(more[0].encode('latin-1'))
        elif step == 'end':
            conn.receive_data(b'')
            while pull(conn, log):
                pass
        elif step == 'next':
            pull(conn, log)
        elif step == 'rest':
            while pull(conn, log):
                pass
        elif step == 'set':
            conn.max_body_size = more[0]
        elif step == 'cycle':
            conn.start_next_cycle()
        elif step == 'waiting':
            log.append(['waiting', conn.they_are_waiting_for_100_continue])
        elif step == 'state':
            log.append(['state', str(conn.their_state)])
        else:
            send(conn, log, *more)
    return log

emit([play(*scene) for scene in data])
"""

POST = "POST / HTTP/1.1\r\nHost: a\r\n"
OK = "HTTP/1.1 200 OK\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n\r\n"
ANSWER: list[Any] = [["send", "response", 204], ["send", "end"]]
ASK: list[Any] = [["send", "request", "GET"], ["send", "end"]]

Scene = list[Any]
Log = list[list[Any]]


def length(size: int, data: str = "", head: str = POST) -> str:
    """A message with a Content-Length, and what has come of its body."""
    return f"{head}Content-Length: {size}\r\n\r\n{data}"


def chunks(*data: str, head: str = POST, last: str = "0\r\n\r\n") -> str:
    """A message whose body comes in these chunks, with these last bytes."""
    return head + CHUNKED + "".join(f"{len(piece):x}\r\n{piece}\r\n" for piece in data) + last


def server(limit: int | None, *steps: Any, **options: Any) -> Scene:
    return ["SERVER", {"max_body_size": limit, **options}, list(steps)]


def client(limit: int | None, *steps: Any, method: str = "GET", **options: Any) -> Scene:
    asked = [["send", "request", method], ["send", "end"]]
    return ["CLIENT", {"max_body_size": limit, **options}, [*asked, *steps]]


def talk(run: Runner, *scenes: Scene) -> list[Log]:
    logs: list[Log] = run.python(DRIVER, data=list(scenes))
    return logs


def taken(log: Log) -> list[Any]:
    """What was handed out of bodies, how many messages were whole, and the status of the error that ended it."""
    data = "".join(entry[1] for entry in log if entry[0] == "Data")
    whole = sum(entry[0] == "EndOfMessage" for entry in log)
    errors = [entry[1:3] for entry in log if entry[0] == "error"]
    return [data, whole, errors[0] if errors else None]


def accepted(run: Runner, *asked: tuple[Scene, str, int]) -> None:
    """Each scene goes through: this data in so many messages."""
    for (scene, data, whole), log in zip(asked, talk(run, *(one[0] for one in asked)), strict=True):
        equal(taken(log), [data, whole, None], str(scene)[:600])


def refused(run: Runner, *asked: tuple[Scene, str]) -> None:
    """Each scene ends with 413 before its (last) message is whole, and no more than this data was handed out."""
    for (scene, most), log in zip(asked, talk(run, *(one[0] for one in asked)), strict=True):
        data, whole, error = taken(log)
        cycles = sum(step[0] == "cycle" for step in scene[2])
        equal([whole, error], [cycles, ["RemoteProtocolError", 413]], str(scene)[:600])
        assert most.startswith(data), f"{str(scene)[:600]}: handed out {data!r}, at most {most!r} was allowed"


# --- the instruction: bodies have a limit --------------------------------------------------------


@case(turn=0)
def bodies_with_a_length(run: Runner) -> None:
    refused(
        run,
        (server(5, ["get", length(6, "abcdef")]), "abcde"),
        (server(5, ["slowly", length(6, "abcdef")]), "abcde"),
        (server(5, ["get", length(600, "abc")], *[["get", "def" * 20]] * 10), "abcde"),
        (client(5, ["get", length(6, "abcdef", OK)]), "abcde"),
    )
    accepted(
        run,
        (server(5, ["get", length(5, "abcde")]), "abcde", 1),
        (server(6, ["slowly", length(5, "abcde")]), "abcde", 1),
        (client(5, ["slowly", length(5, "abcde", OK)]), "abcde", 1),
    )


@case(turn=0)
def bodies_in_chunks(run: Runner) -> None:
    refused(
        run,
        (server(5, ["get", chunks("abcdef")]), "abcde"),
        (server(5, ["get", chunks("abc", "de", "f")]), "abcde"),
        (server(5, ["slowly", chunks("abc", "def")]), "abcde"),
        (client(5, ["slowly", chunks("a", "b", "c", "d", "e", "f", head=OK)]), "abcde"),
    )
    accepted(
        run,
        (server(5, ["get", chunks("abcde")]), "abcde", 1),
        (server(5, ["slowly", chunks("a", "bc", "de")]), "abcde", 1),
        (server(16, ["get", chunks("0123456789abcdef")]), "0123456789abcdef", 1),
        (client(5, ["get", chunks("abc", "de", head=OK)]), "abcde", 1),
    )


@case(turn=0)
def bodies_until_the_end(run: Runner) -> None:
    old = "HTTP/1.0 200 OK\r\n\r\n"
    refused(
        run,
        (client(5, ["get", old + "abcdef"]), "abcde"),
        (client(5, ["slowly", old + "abcdefgh"]), "abcde"),
        (client(5, ["get", OK + "\r\nabc"], ["get", "def"]), "abcde"),
    )
    accepted(
        run,
        (client(5, ["get", old + "abcde"], ["end"]), "abcde", 1),
        (client(5, ["slowly", OK + "\r\nabc"], ["end"]), "abc", 1),
    )


@case(turn=0)
def every_message_anew(run: Runner) -> None:
    both = [length(5, "abcde"), chunks("abc", "de")]
    answered = [*ANSWER, ["cycle"]]
    accepted(
        run,
        (server(5, ["get", both[0]], *answered, ["get", both[1]], *answered, ["get", both[0]]), "abcde" * 3, 3),
        (server(5, ["buffer", "".join(both)], ["rest"], *answered, ["rest"]), "abcde" * 2, 2),
        (
            client(5, ["get", length(5, "abcde", OK)], ["cycle"], *ASK, ["get", chunks("abcde", head=OK)]),
            "abcde" * 2,
            2,
        ),
    )
    refused(run, (server(5, ["get", both[0]], *answered, ["get", chunks("abc", "def")]), "abcdeabcde"))


@case(turn=0)
def no_body_at_all(run: Runner) -> None:
    accepted(
        run,
        (server(0, ["get", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"]), "", 1),
        (server(0, ["get", length(0)]), "", 1),
        (server(0, ["get", chunks()]), "", 1),
        (client(0, ["get", length(0, head=OK)]), "", 1),
    )
    refused(run, (server(0, ["get", length(1, "a")]), ""), (server(0, ["slowly", chunks("a")]), ""))


@case(turn=0)
def what_we_send_is_our_affair(run: Runner) -> None:
    sent = [["send", "response", 200, ["Content-Length", "8"]], ["send", "data", "abcdefgh"], ["send", "end"]]
    asked = [["send", "request", "POST", ["Content-Length", "8"]], *sent[1:]]
    logs = talk(
        run,
        server(5, ["get", length(5, "abcde")], *sent),
        ["CLIENT", {"max_body_size": 5}, [*asked, ["get", length(5, "abcde", OK)]]],
    )
    for log in logs:
        equal(
            [taken(log), [e for e in log if e[0] == "sent"][1:]],
            [["abcde", 1, None], [["sent", "abcdefgh"], ["sent", ""]]],
        )


@case(turn=0)
def the_server_can_still_answer(run: Runner) -> None:
    said = [["state"], ["send", "response", 413], ["send", "end"]]
    for body in (chunks("abc", "def", "ghi"), length(9, "abcdefghi")):
        [log] = talk(run, server(5, ["get", body], *said))
        equal(taken(log)[1:], [0, ["RemoteProtocolError", 413]])
        state, response, _ = log[-3:]
        equal([state, response[0], response[1][:12]], [["state", "ERROR"], "sent", "HTTP/1.1 413"])


# --- announced sizes -----------------------------------------------------------------------------


@case(turn=1)
def announced_by_length(run: Runner) -> None:
    refused(
        run,
        (server(5, ["get", length(6)]), ""),
        (server(0, ["get", length(1)]), ""),
        (server(5, ["get", length(999999999999)]), ""),
        (client(5, ["get", length(6, head=OK)]), ""),
        (server(5, ["get", length(5, "abcde")], *ANSWER, ["cycle"], ["get", length(6)]), "abcde"),
    )


@case(turn=1)
def announced_by_a_chunk(run: Runner) -> None:
    refused(
        run,
        (server(5, ["get", POST + CHUNKED + "6\r\n"]), ""),
        (server(5, ["slowly", POST + CHUNKED + "FFFFFFFFFF;a=b\r\n"]), ""),
        (client(15, ["get", OK + CHUNKED + "10\r\n"]), ""),
    )


@case(turn=1)
def announced_by_chunks_together(run: Runner) -> None:
    refused(
        run,
        (server(5, ["get", chunks("abc", last="3\r\n")]), "abc"),
        (server(5, ["slowly", chunks("abc", "de", last="1\r\n")]), "abcde"),
        (client(5, ["get", chunks("a", head=OK, last="5\r\n")]), "a"),
    )


@case(turn=1)
def lengths_of_what_is_not_sent(run: Runner) -> None:
    accepted(
        run,
        (client(5, ["get", length(600, head=OK)], method="HEAD"), "", 1),
        (client(5, ["get", length(600, head="HTTP/1.1 304 Not Modified\r\n")]), "", 1),
        (
            client(5, ["get", length(600, head=OK)], ["cycle"], *ASK, ["get", length(3, "abc", OK)], method="HEAD"),
            "abc",
            2,
        ),
    )


@case(turn=1)
def lengths_that_do_not_count(run: Runner) -> None:
    both = "Content-Length: 600\r\n"
    accepted(
        run,
        (server(5, ["get", chunks("abcde", head=POST + both)]), "abcde", 1),
        (client(5, ["slowly", chunks("abc", "de", head=OK + both)]), "abcde", 1),
    )
    [log] = talk(run, client(5, ["get", length(600, head=OK)], method="CONNECT"))
    equal(log[-2:], [["Response"], ["PAUSED"]])


# --- what isn't data in a chunked body -----------------------------------------------------------


def overheads(run: Runner, *asked: tuple[str, int, str], step: str = "get") -> None:
    """Each body goes through with exactly its overhead as the limit, and is refused with one less."""
    head = POST + CHUNKED
    accepted(run, *((server(None, [step, head + body], max_chunk_overhead=n), data, 1) for body, n, data in asked))
    refused(run, *((server(None, [step, head + body], max_chunk_overhead=n - 1), data) for body, n, data in asked))


@case(turn=2)
def sizes_and_line_ends(run: Runner) -> None:
    overheads(
        run,
        ("3\r\nabc\r\n0\r\n\r\n", 10, "abc"),
        ("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n", 20, "abc"),
        ("0003\r\nabc\r\n000\r\n\r\n", 15, "abc"),
        ("0\r\n\r\n", 5, ""),
    )


@case(turn=2)
def extensions(run: Runner) -> None:
    overheads(
        run,
        ("3;name=value\r\nabc\r\n0\r\n\r\n", 21, "abc"),
        ("3\r\nabc\r\n0;x\r\n\r\n", 12, "abc"),
        ("3  \r\nabc\r\n0\r\n\r\n", 12, "abc"),
        (f"1;{'x' * 5000}\r\na\r\n1;{'y' * 5000}\r\nb\r\n0\r\n\r\n", 10017, "ab"),
    )


@case(turn=2)
def byte_after_byte(run: Runner) -> None:
    overheads(
        run,
        ("3\r\nabc\r\n0\r\n\r\n", 10, "abc"),
        ("1;ab\r\na\r\n2;c\r\nbc\r\n00;d\r\n\r\n", 23, "abc"),
        step="slowly",
    )


@case(turn=2)
def overhead_of_each_body(run: Runner) -> None:
    body = POST + CHUNKED + "3;x\r\nabc\r\n0\r\n\r\n"
    answered = [*ANSWER, ["cycle"]]
    ours = OK + CHUNKED + "3;x\r\nabc\r\n0\r\n\r\n"
    accepted(
        run,
        (
            server(None, ["get", body], *answered, ["slowly", body], *answered, ["get", body], max_chunk_overhead=12),
            "abc" * 3,
            3,
        ),
        (client(None, ["get", ours], ["cycle"], *ASK, ["get", ours], max_chunk_overhead=12), "abcabc", 2),
        (server(None, ["get", length(5, "abcde")], max_chunk_overhead=0), "abcde", 1),
        (client(None, ["get", "HTTP/1.0 200 OK\r\n\r\nabc"], ["end"], max_chunk_overhead=0), "abc", 1),
    )
    refused(
        run,
        (server(None, ["get", body], *answered, ["get", chunks("a", "b", "c")], max_chunk_overhead=12), "abcabc"),
        (client(None, ["get", ours], max_chunk_overhead=11), "abc"),
    )


@case(turn=2)
def both_limits_at_once(run: Runner) -> None:
    accepted(run, (server(3, ["get", chunks("abc")], max_chunk_overhead=10), "abc", 1))
    refused(
        run,
        (server(2, ["get", chunks("abc")], max_chunk_overhead=10), "ab"),
        (server(3, ["get", chunks("abc")], max_chunk_overhead=9), "abc"),
    )


@case(turn=2)
def an_extension_without_an_end(run: Runner) -> None:
    long = POST + CHUNKED + "1;" + "x" * 200
    accepted(run, (server(None, ["get", long], max_chunk_overhead=202), "", 0))
    refused(
        run,
        (server(None, ["get", long], max_chunk_overhead=201), ""),
        (
            client(
                None, *[["get", piece] for piece in (OK + CHUNKED, "5;", *["y" * 4000] * 5)], max_chunk_overhead=9000
            ),
            "",
        ),
    )


@case(turn=2)
def an_extension_after_some_chunks(run: Runner) -> None:
    accepted(run, (server(None, ["slowly", chunks("ab", "c", last="0;x")], max_chunk_overhead=13), "abc", 0))
    refused(
        run,
        (server(None, ["slowly", chunks("ab", "c", last="0;x")], max_chunk_overhead=12), "abc"),
        (server(9, ["get", chunks("ab", last="1;" + "x" * 90)], max_chunk_overhead=50), "ab"),
    )


@case(turn=2)
def trailers(run: Runner) -> None:
    overheads(
        run,
        ("3\r\nabc\r\n0\r\nA: b\r\n\r\n", 16, "abc"),
        ("3\r\nabc\r\n0\r\nSum: 12345678\r\nMore: x\r\n\r\n", 34, "abc"),
    )
    overheads(run, ("3\r\nabc\r\n0\r\nA: b\r\nC: d\r\n\r\n", 22, "abc"), step="slowly")


@case(turn=2)
def trailers_with_other_line_ends(run: Runner) -> None:
    overheads(run, ("0\r\nA: b\n\n", 9, ""), ("3\r\nabc\r\n0\r\nA: b\n  c\r\n\r\n", 20, "abc"))


# --- a limit of one's own ------------------------------------------------------------------------


@case(turn=4)
def more_for_a_request(run: Runner) -> None:
    accepted(
        run,
        (server(5, ["buffer", length(8)], ["next"], ["set", 8], ["rest"], ["get", "abcdefgh"]), "abcdefgh", 1),
        (server(5, ["buffer", length(8, "abcdefgh")], ["next"], ["set", 100], ["rest"]), "abcdefgh", 1),
        (server(0, ["buffer", length(8, "abcdefgh")], ["next"], ["set", None], ["rest"]), "abcdefgh", 1),
    )
    refused(run, (server(5, ["buffer", length(9, "abcdefghi")], ["next"], ["set", 8], ["rest"]), "abcdefgh"))


@case(turn=4)
def the_request_comes_first(run: Runner) -> None:
    scene = server(5, ["buffer", length(8, "abcdefgh")], ["next"], ["rest"])
    body, lower = chunks("abcd"), ["set", 3]
    logs = talk(run, scene, server(5, ["buffer", body], ["next"], lower, ["rest"]))
    equal([log[0] for log in logs], [["Request"], ["Request"]])
    refused(run, (scene, "abcde"), (server(5, ["buffer", body], ["next"], lower, ["rest"]), "abc"))


@case(turn=4)
def a_client_that_waits(run: Runner) -> None:
    head = length(8, head=POST + "Expect: 100-continue\r\n")
    raised = [["buffer", head], ["next"], ["set", 8], ["next"], ["waiting"], ["send", "continue"], ["get", "abcdefgh"]]
    [log] = talk(run, server(5, *raised))
    equal([log[0], log[1], log[2]], [["Request"], ["NEED_DATA"], ["waiting", True]])
    equal(taken(log), ["abcdefgh", 1, None])


@case(turn=4)
def responses_too(run: Runner) -> None:
    response = length(8, "abcdefgh", OK)
    accepted(run, (client(5, ["buffer", response], ["next"], ["set", 8], ["rest"]), "abcdefgh", 1))
    refused(run, (client(5, ["buffer", response], ["next"], ["set", 7], ["rest"]), "abcdefg"))


@case(turn=4)
def the_next_request_has_the_old_limit(run: Runner) -> None:
    raised = [["buffer", chunks("abc", "def")], ["next"], ["set", 6], ["rest"], *ANSWER, ["cycle"]]
    free = [["buffer", chunks("abc", "def")], ["next"], ["set", None], ["rest"], *ANSWER, ["cycle"]]
    refused(
        run,
        (server(5, *raised, ["get", chunks("abc", "def")]), "abcdefabcde"),
        (server(5, *raised, ["get", length(6, "abcdef")]), "abcdefabcde"),
        (server(5, *free, *raised, ["get", chunks("abc", "def")]), "abcdef" * 2 + "abcde"),
    )


@case(turn=4)
def one_limit_after_another(run: Runner) -> None:
    raised = [["buffer", chunks("abc", "def")], ["next"], ["set", 6], ["rest"], *ANSWER, ["cycle"]]
    lowered = [["buffer", chunks("ab")], ["next"], ["set", 2], ["rest"], *ANSWER, ["cycle"]]
    response = [["buffer", chunks("abcdef", head=OK)], ["next"], ["set", 6], ["rest"], ["cycle"], *ASK]
    accepted(
        run,
        (server(5, *raised, *lowered, ["get", chunks("abc", "de")]), "abcdefababcde", 3),
        (client(5, *response, ["get", chunks("abcde", head=OK)]), "abcdefabcde", 2),
    )
    refused(run, (client(5, *response, ["get", chunks("abc", "def", head=OK)]), "abcdefabcde"))


# --- the limit's name ----------------------------------------------------------------------------


def named(run: Runner, *asked: tuple[Scene, str | None]) -> None:
    """The first error of each scene names this limit."""
    for (scene, name), log in zip(asked, talk(run, *(one[0] for one in asked)), strict=True):
        errors = [entry for entry in log if entry[0] == "error"]
        equal([error[3] for error in errors[:1]], [name], str(scene)[:600])


@case(turn=6)
def name_of_the_body_limit(run: Runner) -> None:
    name = "max_body_size"
    named(
        run,
        (server(5, ["get", length(6, "abcdef")], max_chunk_overhead=99), name),
        (server(5, ["get", chunks("abc", "def")], max_chunk_overhead=99), name),
        (client(5, ["get", "HTTP/1.0 200 OK\r\n\r\nabcdef"]), name),
        (server(9, ["buffer", length(6, "abcdef")], ["next"], ["set", 5], ["rest"]), name),
    )


@case(turn=6)
def name_of_the_overhead_limit(run: Runner) -> None:
    name = "max_chunk_overhead"
    named(
        run,
        (server(5, ["get", chunks("abc")], max_chunk_overhead=9), name),
        (client(None, ["get", chunks("a", "b", "c", head=OK)], max_chunk_overhead=9), name),
    )


@case(turn=6)
def no_name_otherwise(run: Runner) -> None:
    named(
        run,
        (server(5, ["get", "GET / HTTP/1.1\r\n\r\n"]), None),
        (server(5, ["get", "\x16\x03 junk\r\n\r\n"]), None),
        (server(5, ["get", POST + CHUNKED + "x\r\n"], max_chunk_overhead=99), None),
        (server(5, ["get", length(5, "abc")], ["end"]), None),
        (server(5, ["get", chunks("abc", last="")], ["end"]), None),
        (server(5, ["get", POST], ["end"]), None),
    )


@case(turn=6)
def name_of_the_old_limit(run: Runner) -> None:
    name = "max_incomplete_event_size"
    small: dict[str, Any] = {"max_incomplete_event_size": 100}
    named(
        run,
        (server(None, ["get", POST + "X: " + "y" * 200], **small), name),
        (server(5, ["get", POST + CHUNKED + "3;" + "y" * 200], **small), name),
        (client(None, ["slowly", OK + "X: " + "y" * 200], **small), name),
        (server(None, ["get", POST + "X: " + "y" * 20000]), name),
    )


# --- as before -----------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def boundaries_of_chunks(run: Runner) -> None:
    [log] = talk(
        run,
        ["SERVER", {}, [["get", POST + CHUNKED + "5\r\nhel"], ["get", "lo\r"], ["get", "\n3;x=y\r\nabc\r\n0\r\n\r\n"]]],
    )
    parts = [["Data", "hel", True, False], ["Data", "lo", False, True], ["Data", "abc", True, True]]
    equal(
        [entry for entry in log if entry[0] not in ("NEED_DATA", "PAUSED")], [["Request"], *parts, ["EndOfMessage", []]]
    )


@case(turn=0, kind="p2p")
def data_as_it_comes(run: Runner) -> None:
    pieces = [["get", "ab"], ["get", "c"], ["get", "defg"]]
    logs = talk(
        run,
        ["CLIENT", {}, [*ASK, ["get", OK + CHUNKED + "64\r\n"], *pieces]],
        ["SERVER", {}, [["get", POST + CHUNKED + "8\r\n"], *pieces]],
    )
    equal([[entry[1] for entry in log if entry[0] == "Data"] for log in logs], [["ab", "c", "defg"]] * 2)


@case(turn=0, kind="p2p")
def other_bodies_as_they_come(run: Runner) -> None:
    logs = talk(
        run,
        ["SERVER", {}, [["get", length(6, "ab")], ["get", "cdef"]]],
        ["CLIENT", {}, [*ASK, ["get", "HTTP/1.0 200 OK\r\n\r\nab"], ["get", "cd"], ["end"]]],
    )
    plain = [False, False]
    first = [["Request"], ["Data", "ab", *plain], ["Data", "cdef", *plain], ["EndOfMessage", []]]
    second = [["Response"], ["Data", "ab", *plain], ["Data", "cd", *plain], ["EndOfMessage", []], ["ConnectionClosed"]]
    equal([[e for e in log if e[0] not in ("NEED_DATA", "PAUSED", "sent")] for log in logs], [first, second])


@case(turn=0, kind="p2p")
def without_limits(run: Runner) -> None:
    big = "x" * 200000
    padded = POST + CHUNKED + f"1;{'e' * 9000}\r\na\r\n" * 5 + "0\r\nSum: 1\r\nMore: y\r\n\r\n"
    accepted(
        run,
        (["SERVER", {}, [["get", length(200000, big)]]], big, 1),
        (["SERVER", {}, [["get", chunks(big)]]], big, 1),
        (["CLIENT", {}, [*ASK, ["get", "HTTP/1.0 200 OK\r\n\r\n" + big], ["end"]]], big, 1),
        (["SERVER", {}, [["get", padded]]], "aaaaa", 1),
    )
    [log] = talk(run, ["SERVER", {}, [["get", padded]]])
    equal([entry[1] for entry in log if entry[0] == "EndOfMessage"], [[["sum", "1"], ["more", "y"]]])


@case(turn=0, kind="p2p")
def errors_of_the_peer(run: Runner) -> None:
    small: dict[str, Any] = {"max_incomplete_event_size": 100}
    wanted = {
        POST + "X: " + "y" * 200: 431,
        POST + CHUNKED + "3;" + "y" * 200: 431,
        POST + CHUNKED + "3\r\nabcd\r\n": 400,
        POST + CHUNKED + "z\r\n": 400,
        length(10**22)[:-4] + "\r\n\r\n": 400,
        POST + "Transfer-Encoding: gzip\r\n\r\n": 501,
        POST + "Content-Length: 1, 2\r\n\r\n": 400,
    }
    logs = talk(run, *(["SERVER", small, [["get", text], ["state"], ["next"]]] for text in wanted))
    for (text, hint), log in zip(wanted.items(), logs, strict=True):
        found = [[entry[1:3] for entry in log if entry[0] == "error"], ["state", "ERROR"] in log]
        equal(found, [[["RemoteProtocolError", hint], ["RemoteProtocolError", 400]], True], text[:80])


@case(turn=0, kind="p2p")
def bodies_that_are_cut_off(run: Runner) -> None:
    cut = [length(5, "abc"), POST + CHUNKED + "3\r\nabc\r\n5", POST + CHUNKED + "3\r\nabc\r\n0\r\nA: b\r\n"]
    for log in talk(run, *(["SERVER", {}, [["get", text], ["end"]]] for text in cut)):
        equal(taken(log), ["abc", 0, ["RemoteProtocolError", 400]])


@case(turn=0, kind="p2p")
def one_request_after_another(run: Runner) -> None:
    two = [["buffer", length(3, "abc") + length(2, "de")], ["rest"]]
    logs = talk(
        run,
        ["SERVER", {}, [*two, *ANSWER, ["cycle"], ["rest"]]],
        [
            "SERVER",
            {},
            [["get", length(3, head=POST + "Expect: 100-continue\r\n")], ["waiting"], ["get", "abc"], ["waiting"]],
        ],
        ["CLIENT", {}, [*ASK, ["get", "HTTP/1.1 100 Continue\r\n\r\n" + length(2, "ab", OK)], ["cycle"], *ASK]],
    )
    equal([taken(log) for log in logs], [["abcde", 2, None], ["abc", 1, None], ["ab", 1, None]])
    equal([entry for entry in logs[0] if entry[0] == "PAUSED"], [["PAUSED"]])
    equal([entry[1] for entry in logs[1] if entry[0] == "waiting"], [True, False])
    equal(sum(entry[0] == "sent" for entry in logs[2]), 4)
