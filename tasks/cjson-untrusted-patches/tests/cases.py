"""JSON patches of untrusted clients: documents and patches in, what became of document, items and memory out."""

import base64
import json
import secrets
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from harness import Result, Runner, case, equal

# One request a line, one answer each. The heap is its own: it counts, it can say no, and what was freed stays poisoned,
# so that a second free or a look at freed memory shows.
DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cJSON.h"
#include "cJSON_Utils.h"

#define LIVE 0x51a7e0c5u
#define GONE 0x0dead0c5u

typedef struct { size_t size; unsigned mark, pad; } head;
typedef struct { const cJSON *item, *next, *prev, *child; int type; char *text, *name; double number; } held;

static long live, bad, made, denied, bytes, peak, deny_at = -1;
static int deny_once;

static void *take(size_t size)
{
    head *block;
    if (deny_at >= 0 && (deny_once ? made == deny_at : made >= deny_at)) { made++; denied++; return NULL; }
    made++;
    block = malloc(sizeof(head) + size);
    block->size = size; block->mark = LIVE;
    memset(block + 1, 0xa5, size);
    live++; bytes += (long)size;
    if (bytes > peak) peak = bytes;
    return block + 1;
}

static void give(void *what)
{
    head *block = (head *)what - 1;
    if (what == NULL) return;
    if (block->mark != LIVE) { bad++; return; }
    block->mark = GONE;
    memset(what, 0xdd, block->size);
    live--; bytes -= (long)block->size;
}

static void quote(const char *text)
{
    putchar('"');
    for (; text && *text; text++)
    {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text < 32) printf("\\u%04x", *text); else putchar(*text);
    }
    putchar('"');
}

static void show(const cJSON *item)
{
    const cJSON *child;
    if (item == NULL) { printf("null"); return; }
    switch (item->type & 0xff)
    {
        case cJSON_False: printf("false"); return;
        case cJSON_True: printf("true"); return;
        case cJSON_NULL: printf("null"); return;
        case cJSON_Number: printf("%.17g", item->valuedouble); return;
        case cJSON_String: quote(item->valuestring); return;
        case cJSON_Array: case cJSON_Object: break;
        default: printf("\"invalid\""); return;
    }
    putchar(cJSON_IsArray(item) ? '[' : '{');
    for (child = item->child; child; child = child->next)
    {
        if (cJSON_IsObject(item)) { quote(child->string); putchar(':'); }
        show(child);
        if (child->next) putchar(',');
    }
    putchar(cJSON_IsArray(item) ? ']' : '}');
}

static char *copied(const char *text) { return text ? strdup(text) : NULL; }

static void hold(const cJSON *item, held **list, size_t *count)
{
    const cJSON *child;
    held *one;
    if ((*count & (*count + 1)) == 0) *list = realloc(*list, (2 * *count + 2) * sizeof(held));
    one = &(*list)[(*count)++];
    one->item = item; one->next = item->next; one->prev = item->prev; one->child = item->child;
    one->type = item->type & 0xff; one->number = item->valuedouble;
    one->text = copied(item->valuestring); one->name = copied(item->string);
    for (child = item->child; child; child = child->next) hold(child, list, count);
}

static int differ(const char *a, const char *b) { return (a == NULL || b == NULL) ? a != b : strcmp(a, b) != 0; }

static int same(const held *a, size_t m, const held *b, size_t n)
{
    size_t i;
    if (m != n) return 0;
    for (i = 0; i < m; i++)
        if (a[i].item != b[i].item || a[i].next != b[i].next || a[i].prev != b[i].prev || a[i].child != b[i].child
            || a[i].type != b[i].type || differ(a[i].text, b[i].text) || differ(a[i].name, b[i].name)
            || (a[i].type == cJSON_Number && a[i].number != b[i].number)) return 0;
    return 1;
}

static void drop(held *list, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) { free(list[i].text); free(list[i].name); }
    free(list);
}

static int order(const void *a, const void *b)
{
    const cJSON *x = ((const held *)a)->item, *y = ((const held *)b)->item;
    return x < y ? -1 : x > y;
}

/* how many items of the one list are in the other */
static size_t common(held *a, size_t m, const held *b, size_t n)
{
    size_t i, found = 0;
    qsort(a, m, sizeof(held), order);
    for (i = 0; i < n; i++) found += bsearch(&b[i], a, m, sizeof(held), order) != NULL;
    return found;
}

static cJSON *part(const cJSON *request, const char *name) { return cJSON_GetObjectItemCaseSensitive(request, name); }

static int patched(const cJSON *request, cJSON *target, int *failed)
{
    const char *how = part(request, "how")->valuestring;
    *failed = -77;
    if (!strcmp(how, "any")) return cJSONUtils_ApplyPatches(target, part(request, "patch"));
    if (!strcmp(how, "case")) return cJSONUtils_ApplyPatchesCaseSensitive(target, part(request, "patch"));
#ifdef GUARDED
    return cJSONUtils_ApplyPatchesGuarded(target, part(request, "patch"), part(request, "guarded"), failed);
#else
    exit(90);
#endif
}

static void start(void) { made = denied = 0; peak = bytes; }

static void one(const cJSON *request)
{
    cJSON *document, *target;
    held *before = NULL, *after = NULL;
    size_t m = 0, n = 0;
    int status, failed, unchanged;
    long blocks = live, level, allocated, high;

    bad = 0;
    document = cJSON_Parse(part(request, "doc")->valuestring);
    target = document;
    if (part(request, "at")) target = cJSONUtils_GetPointerCaseSensitive(document, part(request, "at")->valuestring);
    hold(document, &before, &m);
    level = bytes;
    start();
    status = patched(request, target, &failed);
    allocated = made; high = peak - level;
    hold(document, &after, &n);
    unchanged = same(before, m, after, n);
    printf("{\"status\":%d,\"failed\":%d,\"same\":%s,\"kept\":%lu,\"made\":%ld,\"peak\":%ld,\"after\":", status, failed,
        unchanged ? "true" : "false", (unsigned long)common(before, m, after, n), allocated, high);
    show(document);
    cJSON_Delete(document);
    printf(",\"leaks\":%ld,\"bad\":%ld}", live - blocks, bad);
    drop(before, m); drop(after, n);
}

/* The same patch again and again, each time another allocation fails: that one only, or all from there on. */
static void sweep(const cJSON *request)
{
    long n, blocks = live, refused = 0, most = 0;
    int status, failed, comma = 0;

    bad = 0;
    printf("{\"outcomes\":[");
    for (deny_once = 0; deny_once < 2; deny_once++)
        for (n = 0, denied = 1; denied > 0 && n < 3000; n++)
        {
            cJSON *document = cJSON_Parse(part(request, "doc")->valuestring);
            start();
            deny_at = n;
            status = patched(request, document, &failed);
            deny_at = -1;
            if (denied > 0 && status != 0) refused++;
            if (n > most) most = n;
            printf("%s[%s,", comma++ ? "," : "", status ? "true" : "false");
            show(document);
            putchar(']');
            cJSON_Delete(document);
        }
    printf("],\"refused\":%ld,\"most\":%ld,\"leaks\":%ld,\"bad\":%ld}", refused, most, live - blocks, bad);
}

static void other(const cJSON *request, const char *what)
{
    cJSON *a = cJSON_Parse(part(request, "doc")->valuestring), *b = cJSON_Duplicate(part(request, "patch"), 1);
    if (!strcmp(what, "merge")) { a = cJSONUtils_MergePatch(a, b); show(a); }
    else if (!strcmp(what, "generate"))
    {
        cJSON *made_up = cJSONUtils_GeneratePatchesCaseSensitive(a, b);
        show(made_up);
        cJSON_Delete(made_up);
    }
    else
    {
        char *found = cJSONUtils_FindPointerFromObjectTo(a, cJSONUtils_GetPointer(a, b->valuestring));
        quote(found);
        cJSON_free(found);
    }
    cJSON_Delete(a); cJSON_Delete(b);
}

int main(void)
{
    static char line[1 << 21], nonce[64];
    cJSON_Hooks hooks = { take, give };
    int comma = 0;

    cJSON_InitHooks(&hooks);
    if (!fgets(nonce, sizeof(nonce), stdin)) return 1;
    nonce[strcspn(nonce, "\n")] = 0;
    printf("\n%s[", nonce);
    while (fgets(line, sizeof(line), stdin))
    {
        cJSON *request = cJSON_Parse(line), *what = part(request, "do");
        if (comma++) putchar(',');
#ifdef LIMITED
        if (part(request, "limit")) cJSONUtils_LimitPatches((size_t)part(request, "limit")->valuedouble);
#else
        if (part(request, "limit")) exit(91);
#endif
        if (!strcmp(what->valuestring, "one")) one(request);
        else if (!strcmp(what->valuestring, "sweep")) sweep(request);
        else other(request, what->valuestring);
        cJSON_Delete(request);
    }
    printf("]\n");
    return 0;
}
"""
BUILD = """
for name in GUARDED:ApplyPatchesGuarded LIMITED:LimitPatches; do
  if grep -qw "cJSONUtils_${name#*:}" "$0"/*.h; then set -- "$@" "-D${name%%:*}"; fi
done
cc -O1 -w -iquote "$0" "$@" -o driver driver.c $(grep -LE '\\bmain *\\(' "$0"/*.c) -lm >&2 && base64 driver
"""

DOC = {
    "title": "plan",
    "meta": {"owner": "kim", "tags": ["x", "y"], "count": 2},
    "list": [{"n": 1}, {"n": 2}, {"n": 3}],
    "empty": {},
    "none": None,
}
FAILS = {"op": "test", "path": "/title", "value": "another"}


@cache
def driver(run: Runner) -> str | Result:
    """The path of the driver, built with the candidate's library; the compiler's result where it can't be built."""
    built = run.command(["/bin/sh", "-c", BUILD, run.tree], files={"driver.c": DRIVER}, timeout=120)
    if built.code != 0:
        return built
    folder = Path(tempfile.mkdtemp(prefix="driver-", dir="/tmp"))
    folder.chmod(0o755)
    program = folder / "driver"
    program.write_bytes(base64.b64decode(built.stdout))
    program.chmod(0o755)
    return str(program)


def ask(run: Runner, *requests: dict[str, Any]) -> list[Any]:
    """The answers of the driver, one for each request."""
    program = driver(run)
    assert isinstance(program, str), f"the driver does not compile: {program.stderr[-1500:]}"
    nonce = secrets.token_hex(8)
    lines = [
        json.dumps({"do": "one", "how": "any", **request, "doc": json.dumps(request["doc"])}) for request in requests
    ]
    done = run.command([program], stdin="\n".join([nonce, *lines, ""]))
    answers: list[Any] = replace(done, nonce=nonce).json()
    equal(len(answers), len(requests), "number of answers")
    return answers


def clean(answer: dict[str, Any]) -> None:
    """Nothing was lost, nothing freed twice."""
    equal([answer["leaks"], answer["bad"]], [0, 0], "blocks left over, frees of what is no block")


def refused(run: Runner, *requests: dict[str, Any], status: int | None = None, failed: int | None = None) -> list[Any]:
    """Each patch fails, and the document reads as before, members in their old order."""
    answers = ask(run, *requests)
    for request, answer in zip(requests, answers, strict=True):
        said = json.dumps(request.get("patch"))[:300]
        assert answer["status"] != 0, f"{said} went well"
        if status is not None:
            equal(answer["status"], status, f"status of {said}")
        if failed is not None:
            equal(answer["failed"], failed, f"failed of {said}")
        equal(json.dumps(answer["after"]), json.dumps(request["doc"]), f"document after {said}")
        clean(answer)
    return answers


def done(run: Runner, wanted: object, **request: Any) -> dict[str, Any]:
    """The patch goes well and the document is this."""
    (answer,) = ask(run, request)
    said = json.dumps(request.get("patch"))[:300]
    equal(answer["status"], 0, f"status of {said}")
    equal(answer["after"], wanted, f"document after {said}")
    clean(answer)
    return answer


def op(kind: str, path: str, value: object = ..., origin: object = ...) -> dict[str, Any]:
    """One operation of a patch."""
    made: dict[str, Any] = {"op": kind, "path": path}
    if value is not ...:
        made["value"] = value
    if origin is not ...:
        made["from"] = origin
    return made


# --- the first message: all or nothing -----------------------------------------------------------------------------


@case(turn=0)
def earlier_operations_are_taken_back(run: Runner) -> None:
    patches = [
        [op("add", "/new", {"a": [1]}), op("add", "/title", 5), FAILS],
        [op("remove", "/meta"), op("remove", "/list/1"), op("remove", "/nowhere")],
        [op("replace", "/meta/tags/0", "z"), op("replace", "/list", "gone"), op("replace", "/list/0", 1)],
        [op("copy", "/empty/m", origin="/meta"), op("copy", "/list/0", origin="/title"), op("copy", "/z", origin="/y")],
        [op("move", "/list/-", origin="/meta"), op("move", "/t", origin="/title"), op("add", "/none/x", 1)],
        [op("add", "/list/3", 4), op("add", "/list/0", 0), op("add", "/list/99", 9)],
        [
            op("add", "/new", {}),
            op("add", "/new/deep", []),
            op("move", "/new/deep/0", origin="/list"),
            op("bad", "/new"),
        ],
    ]
    refused(run, *({"doc": DOC, "patch": patch, "how": how} for patch in patches for how in ("any", "case")))


@case(turn=0)
def the_failing_operation_itself_does_nothing(run: Runner) -> None:
    patches = [
        [op("move", "/meta/tags/inside", origin="/meta")],
        [op("move", "/nowhere/title", origin="/title")],
        [op("move", "/list/7", origin="/title")],
        [op("move", "/list/last", origin="/meta/tags/0")],
        [op("move", "/title/x", origin="/list/0")],
        [op("replace", "/title")],
        [op("replace", "/list/1")],
        [op("remove", "/meta/tags/1"), op("move", "/list/0/n/x", origin="/list/0")],
    ]
    refused(run, *({"doc": DOC, "patch": patch, "how": how} for patch in patches for how in ("any", "case")))


@case(turn=0)
def another_root_is_taken_back(run: Runner) -> None:
    patches = [
        [op("replace", "", {"title": "new"}), op("add", "/x", 1), FAILS],
        [op("remove", ""), op("add", "/x", 1)],
        [op("add", "/x", 1), op("add", "", [1, 2]), op("remove", "/0"), op("replace", "", "text"), op("remove", "/9")],
        [op("move", "/list/0", origin="/meta"), op("replace", "", None), op("test", "", 1)],
    ]
    refused(run, *({"doc": DOC, "patch": patch} for patch in patches))
    patches = [
        [op("replace", "", 5), op("test", "", 6)],
        [op("add", "/q", 1), op("remove", ""), op("remove", "/owner")],
    ]
    refused(run, *({"doc": DOC, "patch": patch, "at": "/meta"} for patch in patches))
    refused(run, {"doc": "text", "patch": [op("replace", "", {"a": 1}), op("add", "/b", 1), op("remove", "/c")]})


@case(turn=0)
def malformed_operations(run: Runner) -> None:
    first = op("remove", "/title")
    broken = [
        {"op": "add", "value": 1},
        {"path": "/title"},
        {"op": 5, "path": "/title"},
        {"op": "add", "path": 5, "value": 1},
        {"op": "move", "path": "/x", "from": 5},
        {"op": "copy", "path": "/x", "from": None},
        {"op": "move", "path": "/x"},
        "no operation",
        [],
    ]
    refused(run, *({"doc": DOC, "patch": [first, one]} for one in broken))


@case(turn=0)
def the_very_same_items(run: Runner) -> None:
    patches = [
        [op("remove", "/title"), op("remove", "/meta/tags"), op("remove", "/list/2"), op("remove", "/none"), FAILS],
        [op("replace", "/meta", 1), op("add", "/empty", 2), op("replace", "/list/1/n", 3), FAILS],
        [op("add", "/list/0", 0), op("add", "/meta/tags/1", "m"), op("add", "/a", 1), op("test", "/a", 2)],
        [op("replace", "", []), op("add", "/-", 1), FAILS],
    ]
    answers = refused(run, *({"doc": DOC, "patch": patch, "how": how} for patch in patches for how in ("any", "case")))
    equal([answer["same"] for answer in answers], [True] * len(answers), "every item is the same, in its place")


@case(turn=0)
def moved_items_are_back(run: Runner) -> None:
    patches = [
        [op("move", "/heading", origin="/title"), op("move", "/meta/list", origin="/list"), FAILS],
        [op("move", "/list/0", origin="/list/2"), op("move", "/empty/first", origin="/list/0"), op("remove", "/0")],
        [op("add", "/box", {"b": 1}), op("move", "/box/b", origin="/meta"), op("move", "/b", origin="/box"), FAILS],
        [op("move", "/none", origin="/meta"), op("remove", "/none/tags/0"), op("add", "/none/owner", 1), FAILS],
        [op("move", "/meta/x/y", origin="/meta")],
    ]
    answers = refused(run, *({"doc": DOC, "patch": patch} for patch in patches))
    answers += refused(run, {"doc": DOC, "at": "/list/1", "patch": [op("replace", "", 5), op("remove", "/n")]})
    equal([answer["same"] for answer in answers], [True] * len(answers), "every item is the same, in its place")


@case(turn=0)
def large_documents_are_not_copied(run: Runner) -> None:
    doc = {"rows": [{"id": number, "name": f"row {number}"} for number in range(6000)], "state": "old"}
    patch = [
        op("replace", "/state", "new"),
        op("remove", "/rows/10"),
        op("move", "/rows/0", origin="/rows/5000"),
        FAILS,
    ]
    (answer,) = refused(run, {"doc": doc, "patch": patch})
    assert answer["same"], "the items are not the same"
    assert answer["made"] < 3000 and answer["peak"] < 500_000, f"{answer['made']} allocations, {answer['peak']} bytes"


@case(turn=0)
def a_test_leaves_the_order(run: Runner) -> None:
    doc = {"z": 1, "b": {"y": 1, "x": [{"d": 1, "c": 2}]}, "a": 3}
    patches = [
        [op("test", "", {"a": 3, "b": {"x": [{"c": 2, "d": 1}], "y": 1}, "z": 1}), op("remove", "/q")],
        [op("test", "/b", {"x": [], "y": 1})],
        [op("test", "/b/x", [{"c": 2, "d": 1}]), op("add", "/b/w", 1), op("remove", "/b/v")],
    ]
    refused(run, *({"doc": doc, "patch": patch, "how": how} for patch in patches for how in ("any", "case")))


@case(turn=0)
def nothing_is_lost_after_a_test(run: Runner) -> None:
    doc = {"c": 1, "b": {"n": 2, "m": 1}, "a": 3}
    patch = [op("test", "", {"a": 3, "b": {"m": 1, "n": 2}, "c": 1}), op("add", "/d", 4), op("add", "/b/l", 5)]
    for how in ("any", "case"):
        done(run, {"c": 1, "b": {"n": 2, "m": 1, "l": 5}, "a": 3, "d": 4}, doc=doc, patch=patch, how=how)


# --- turn 2: the pool is empty -------------------------------------------------------------------------------------


def survives(run: Runner, wanted: object, **request: Any) -> None:
    """Whichever allocation fails, the patch is done or nothing happened."""
    (answer,) = ask(run, {"do": "sweep", **request})
    before = json.dumps(request["doc"])
    for unwell, after in answer["outcomes"]:
        if unwell:
            equal(json.dumps(after), before, "document after a patch that failed")
        else:
            equal(after, wanted, "document after a patch that went well")
    assert answer["refused"] > 1 and answer["most"] < 2999, f"{answer['refused']} of {answer['most']} refused"
    clean(answer)


@case(turn=2)
def no_memory_for_members(run: Runner) -> None:
    patch = [op("add", "/title", [1, {"x": "y"}]), op("add", "/more", "text"), op("replace", "/meta/owner", "lee")]
    wanted = {**DOC, "title": [1, {"x": "y"}], "more": "text", "meta": {**DOC["meta"], "owner": "lee"}}
    for how in ("any", "case"):
        survives(run, wanted, doc=DOC, patch=patch, how=how)


@case(turn=2)
def no_memory_for_moves_and_copies(run: Runner) -> None:
    patch = [
        op("move", "/list/0", origin="/meta"),
        op("copy", "/empty/l", origin="/list"),
        op("remove", "/list/1"),
        op("move", "/none", origin="/title"),
        op("test", "/none", "plan"),
    ]
    n = DOC["list"]
    wanted = {"list": [DOC["meta"], n[1], n[2]], "empty": {"l": [DOC["meta"], *n]}, "none": "plan"}
    survives(run, wanted, doc=DOC, patch=patch)


@case(turn=2)
def no_memory_for_another_root(run: Runner) -> None:
    patch = [
        op("add", "/x", 1),
        op("replace", "", {"k": [1]}),
        op("add", "/k/0", {"m": 0}),
        op("copy", "/j", origin="/k/0"),
    ]
    survives(run, {"k": [{"m": 0}, 1], "j": {"m": 0}}, doc=DOC, patch=patch, how="case")


# --- turn 3: guarded places ----------------------------------------------------------------------------------------

GUARDS = ["/title", "/meta/owner", "/list/0", "/empty"]


def guarded(*patches: list[Any], doc: object = DOC, guards: list[str] = GUARDS) -> list[dict[str, Any]]:
    """Requests for the function that knows guarded places."""
    return [{"how": "guard", "doc": doc, "guarded": guards, "patch": patch} for patch in patches]


@case(turn=3)
def guarded_places_do_not_change(run: Runner) -> None:
    patches = [
        [op("add", "/ok", 1), op("replace", "/title", "other")],
        [op("remove", "/title")],
        [op("move", "/elsewhere", origin="/title")],
        [op("remove", "/meta/tags"), op("add", "/meta/owner", ["kim"])],
        [op("remove", "/meta")],
        [op("replace", "/meta", {"tags": []})],
        [op("replace", "/list/0/n", 7)],
        [op("add", "/empty/x", None)],
        [op("replace", "", {"title": "plan"})],
        [op("remove", "")],
        [op("copy", "/title", origin="/meta/owner")],
    ]
    refused(run, *guarded(*patches), status=20)


@case(turn=3)
def other_places_may_change(run: Runner) -> None:
    patch = [
        op("test", "/title", "plan"),
        op("copy", "/list/-", origin="/meta/owner"),
        op("copy", "/double", origin="/list/0"),
        op("replace", "/meta/count", 3),
        op("add", "/title2", "t"),
        op("move", "/meta/kinds", origin="/meta/tags"),
        op("remove", "/list/1"),
    ]
    wanted = {
        **DOC,
        "meta": {"owner": "kim", "kinds": ["x", "y"], "count": 3},
        "list": [{"n": 1}, {"n": 3}, "kim"],
        "double": {"n": 1},
        "title2": "t",
    }
    (request,) = guarded(patch)
    equal(done(run, wanted, **request)["failed"], -1, "failed")
    equal(
        done(run, {**DOC, "x": 1}, **{**request, "patch": [op("add", "/x", 1)], "guarded": []})["failed"], -1, "failed"
    )


@case(turn=3)
def which_operation_failed(run: Runner) -> None:
    good = op("add", "/x", 1)
    for number, patch in enumerate(
        [
            [op("remove", "/nowhere"), good],
            [good, op("test", "/x", 2), good],
            [good, good, op("add", "/nowhere/x", 1)],
            [good, good, good, op("replace", "/meta/tags")],
        ]
    ):
        (answer,) = refused(run, *guarded(patch), failed=number)
        assert answer["status"] != 20, "no guarded place was touched"
        (answer,) = refused(run, *guarded(patch, guards=[]), failed=number)
    refused(run, *guarded([op("remove", "/TITLE")], [op("add", "/Meta/x", 1)]), failed=0)


@case(turn=3)
def names_of_guarded_places(run: Runner) -> None:
    doc = {"id": 1, "ID": 2, "a/b": 3, "m~n": {"x": 4}, "": 5}
    guards = ["/id", "/a~1b", "/m~0n/x", "/"]
    change = op("replace", "/ID", 7)
    (request,) = guarded([change], doc=doc, guards=guards)
    done(run, {**doc, "ID": 7}, **request)
    patches = [[change, op("replace", "", {**doc, name: 9})] for name in ("id", "a/b", "m~n", "")]
    refused(run, *guarded(*patches, doc=doc, guards=guards), status=20)


@case(turn=3)
def no_memory_for_a_guarded_patch(run: Runner) -> None:
    patch = [
        op("add", "/note", {"a": [1]}),
        op("move", "/list/-", origin="/meta/tags"),
        op("copy", "/t", origin="/title"),
    ]
    (request,) = guarded(patch)
    meta = {"owner": "kim", "count": 2}
    survives(run, {**DOC, "meta": meta, "note": {"a": [1]}, "list": [*DOC["list"], ["x", "y"]], "t": "plan"}, **request)


# --- turn 4: only the end counts -----------------------------------------------------------------------------------


@case(turn=4)
def the_same_in_the_end(run: Runner) -> None:
    meta = {"count": 3, "owner": "kim"}
    (first, *others) = guarded(
        [op("replace", "/meta", meta)],
        [op("remove", "/title"), op("add", "/title", "plan")],
        [op("move", "/away", origin="/list"), op("add", "/away/-", 4), op("move", "/list", origin="/away")],
        [op("replace", "", {**DOC, "meta": meta, "list": [{"n": 1}]})],
        [op("add", "/list/0/m", 1), op("remove", "/list/0/m"), op("replace", "/title", "plan")],
    )
    wanted = [
        {**DOC},
        {**DOC, "list": [*DOC["list"], 4]},
        {**DOC, "meta": meta, "list": [{"n": 1}]},
        {**DOC},
    ]
    equal(done(run, {**DOC, "meta": meta}, **first)["failed"], -1, "failed")
    for request, document in zip(others, wanted, strict=True):
        done(run, document, **request)
    (request,) = guarded([op("replace", "/o", {"b": [2], "a": 1.0})], doc={"o": {"a": 1, "b": [2]}}, guards=["/o"])
    done(run, {"o": {"a": 1, "b": [2]}}, **request)


@case(turn=4)
def places_in_lists_move(run: Runner) -> None:
    doc = {"list": ["a", "b", "b", "c"], "x": "b"}
    patches = [
        [op("add", "/list/0", "z")],
        [op("remove", "/list/0"), op("remove", "/list/0")],
        [op("move", "/list/1", origin="/list/3")],
        [op("move", "/list/3", origin="/list/1"), op("remove", "/list/1")],
    ]
    refused(run, *guarded(*patches, doc=doc, guards=["/list/1"]), status=20, failed=-1)
    (request,) = guarded([op("remove", "/list/0")], doc=doc, guards=["/list/1"])
    done(run, {"list": ["b", "b", "c"], "x": "b"}, **request)
    (request,) = guarded(
        [op("copy", "/list/1", origin="/x"), op("add", "/list/-", 1)], doc=doc, guards=["/list/1", "/list/0"]
    )
    done(run, {"list": ["a", "b", "b", "b", "c", 1], "x": "b"}, **request)


@case(turn=4)
def where_nothing_was(run: Runner) -> None:
    guards = ["/secret", "/list/3", "/title/x"]
    patches = [
        [op("add", "/secret", None)],
        [op("add", "/list/1", 1)],
        [op("move", "/secret", origin="/none")],
        [op("replace", "/title", {"x": 1})],
        [op("replace", "", {**DOC, "secret": {}})],
    ]
    refused(run, *guarded(*patches, guards=guards), status=20, failed=-1)
    (request,) = guarded([op("add", "/secret", 1), op("move", "/public", origin="/secret")], guards=guards)
    done(run, {**DOC, "public": 1}, **request)


@case(turn=4)
def no_operation_is_to_blame(run: Runner) -> None:
    patches = [
        [op("replace", "/title", "other")],
        [op("add", "/a", 1), op("remove", "/meta/owner"), op("add", "/b", 1)],
        [op("add", "/a", 1), op("remove", "/meta")],
    ]
    refused(run, *guarded(*patches), status=20, failed=-1)
    (answer,) = refused(run, *guarded([op("replace", "/title", "other"), op("remove", "/nowhere")]), failed=1)
    assert answer["status"] != 20, "an operation failed before the end"


# --- turn 5: new items are limited ---------------------------------------------------------------------------------


@case(turn=5)
def items_of_a_whole_patch(run: Runner) -> None:
    doc = {"items": [1, 2]}
    patch = [
        op("add", "/a", {"b": 1}),
        op("replace", "/a/b", "x"),
        op("copy", "/c", origin="/items"),
        op("add", "/d", 0),
    ]
    (request,) = guarded(patch, doc=doc, guards=[])
    wanted = {"items": [1, 2], "a": {"b": "x"}, "c": [1, 2], "d": 0}
    done(run, wanted, limit=7, **request)
    for limit, number in ((6, 3), (5, 2), (3, 2), (2, 1), (1, 0)):
        refused(run, {**request, "limit": limit}, status=21, failed=number)


@case(turn=5)
def nested_and_removed_items_count(run: Runner) -> None:
    patch = [op("add", "/a", {"b": [1, {"c": []}]}), op("remove", "/a"), op("add", "/a", [[2], 3])]
    for how in ("any", "case"):
        request = {"doc": DOC, "how": how, "patch": patch}
        done(run, {**DOC, "a": [[2], 3]}, limit=9, **request)
        refused(run, {**request, "limit": 8}, status=21)
    patch = [op("replace", "", [1, 2]), op("replace", "", {"k": 1})]
    done(run, {"k": 1}, doc=DOC, patch=patch, limit=5)
    refused(run, {"doc": DOC, "patch": patch, "limit": 4}, status=21)


@case(turn=5)
def moves_make_nothing(run: Runner) -> None:
    moves = [
        op("move", "/m", origin="/meta"),
        op("move", "/l", origin="/list"),
        op("test", "/m/count", 2),
        op("remove", "/m"),
    ]
    wanted = {"title": "plan", "empty": {}, "none": None, "l": DOC["list"], "x": 1, "y": 2}
    patch = [*moves, op("add", "/x", 1), op("add", "/y", 2)]
    request = {"doc": DOC, "patch": patch}
    answers = ask(
        run, {**request, "limit": 1}, request, {**request, "limit": 2}, request, {**request, "limit": 0}, request
    )
    equal([answer["status"] for answer in answers], [21, 21, 0, 0, 0, 0], "status with limits 1, 1, 2, 2, none, none")
    equal([answer["after"] for answer in answers], [DOC, DOC, *[wanted] * 4], "documents")


@case(turn=5)
def copies_of_copies(run: Runner) -> None:
    doc = {"items": [1, 2, 3]}
    patch = [op("copy", "/items/-", origin="/items")] * 40
    (request,) = guarded(patch, doc=doc, guards=[])
    # Before the last copy there are 65536 items; making it first would double that.
    (answer,) = refused(run, {**request, "limit": 100_000}, status=21, failed=14)
    assert answer["made"] < 100_000 and answer["peak"] < 10_000_000, (
        f"{answer['made']} allocations, {answer['peak']} bytes"
    )


# --- what must stay as it was --------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def patches_of_the_standard(run: Runner) -> None:
    for how in ("any", "case"):
        for doc, patch, wanted in [
            ({"foo": "bar"}, [op("add", "/baz", "qux")], {"baz": "qux", "foo": "bar"}),
            ({"foo": ["bar", "baz"]}, [op("add", "/foo/1", "qux")], {"foo": ["bar", "qux", "baz"]}),
            ({"foo": ["bar", "qux", "baz"]}, [op("remove", "/foo/1")], {"foo": ["bar", "baz"]}),
            ({"baz": "qux", "foo": "bar"}, [op("replace", "/baz", "boo")], {"baz": "boo", "foo": "bar"}),
            (
                {"a": {"w": 1, "b": 2}, "q": {"g": 3}},
                [op("move", "/q/t", origin="/a/w")],
                {"a": {"b": 2}, "q": {"g": 3, "t": 1}},
            ),
            (
                {"foo": ["all", "grass", "cows", "eat"]},
                [op("move", "/foo/3", origin="/foo/1")],
                {"foo": ["all", "cows", "eat", "grass"]},
            ),
            ({"foo": ["a"]}, [op("add", "/foo/-", [1]), op("add", "/foo/2", 2)], {"foo": ["a", [1], 2]}),
            ({"a": 1}, [op("add", "/a", {"b": 2}), op("copy", "/c", origin="/a")], {"a": {"b": 2}, "c": {"b": 2}}),
            ({"a": [1]}, [op("test", "/a/0", 1), op("test", "/a", [1])], {"a": [1]}),
            ([1, [2, 3]], [op("replace", "/1/0", None), op("remove", "/0")], [[None, 3]]),
            ({"a": 1}, [], {"a": 1}),
        ]:
            done(run, wanted, doc=doc, patch=patch, how=how)


@case(turn=0, kind="p2p")
def roots_of_every_kind(run: Runner) -> None:
    for doc, patch, wanted in [
        ({"a": [1]}, [op("replace", "", {"b": {"c": "d"}})], {"b": {"c": "d"}}),
        ({"a": [1]}, [op("add", "", [1, 2]), op("add", "/0", 0)], [0, 1, 2]),
        ("text", [op("test", "", "text"), op("replace", "", "more")], "more"),
        ([1], [op("replace", "", "x")], "x"),
    ]:
        done(run, wanted, doc=doc, patch=patch)


@case(turn=0, kind="p2p")
def bad_patches_have_a_status(run: Runner) -> None:
    patches = [
        5,
        {"op": "add", "path": "/x", "value": 1},
        [op("remove", "/nowhere")],
        [op("test", "/title", "x")],
        [op("test", "/title")],
        [op("add", "/list/01", 1)],
        [op("add", "/nowhere/x", 1)],
        [op("copy", "/x", origin="/nowhere")],
    ]
    refused(run, *({"doc": DOC, "patch": patch} for patch in patches))


@case(turn=0, kind="p2p")
def upper_and_lower_case(run: Runner) -> None:
    doc = {"Name": 1, "list": {"KEY": [1]}}
    patch = [
        op("test", "/name", 1),
        op("add", "/LIST/key/0", 0),
        op("replace", "/NAME", 2),
        op("move", "/LIST/n", origin="/name"),
    ]
    (answer,) = ask(run, {"doc": doc, "patch": patch})
    equal([answer["status"], answer["after"]], [0, {"list": {"KEY": [0, 1], "n": 2}}], "without regard to case")
    refused(run, *({"doc": doc, "patch": [one], "how": "case"} for one in patch[:2]))


@case(turn=0, kind="p2p")
def items_that_were_not_touched(run: Runner) -> None:
    for patch, kept in [
        ([op("add", "/x", 1)], 17),
        ([op("remove", "/meta/owner"), op("add", "/list/0", [])], 16),
        ([op("move", "/m", origin="/meta"), op("move", "/list/0", origin="/list/2")], 17),
        ([op("replace", "/title", "new"), op("copy", "/empty/m", origin="/meta")], 16),
    ]:
        (answer,) = ask(run, {"doc": DOC, "patch": patch})
        equal([answer["status"], answer["kept"]], [0, kept], "status, items that are still in the document")
        clean(answer)


@case(turn=0, kind="p2p")
def other_utilities(run: Runner) -> None:
    merged, generated, pointer = ask(
        run,
        {"do": "merge", "doc": {"b": {"c": 1, "d": 2}, "a": 3}, "patch": {"b": {"d": None, "e": [1]}, "z": "x"}},
        {"do": "generate", "doc": {"b": 1, "a": [1, 2]}, "patch": {"a": [1, 3], "c": {"d": 1}}},
        {"do": "pointer", "doc": {"x": {"a/b": [1, {"m~n": 5}]}}, "patch": "/x/a~1b/1/m~0n"},
    )
    equal(merged, {"b": {"c": 1, "e": [1]}, "a": 3, "z": "x"}, "merge patch")
    wanted = [op("replace", "/a/1", 3), op("remove", "/b"), op("add", "/c", {"d": 1})]
    equal(generated, wanted, "generated patches")
    equal(pointer, "/x/a~1b/1/m~0n", "pointer")
