"""Requests for a class, each with its functional tests. No request names a rule."""

from swe_together.memorycode._request import ANY_ANSWER, request
from swe_together.memorycode._rules_model import ObjectKind as K
from swe_together.memorycode._rules_model import Query

_PROFILE = ANY_ANSWER | {K.CLASS, K.METHOD, K.ATTRIBUTE, K.RECORD}


def _class(
    id: str, name: str, path: str, text: str, *cases: tuple[list[object], list[dict[str, object]] | str],
    more: frozenset[K] = frozenset(),
) -> Query:  # fmt: skip
    # Steps as text stand for: making the instance fails, with this in the message.
    listed = [{"new": new, ("raises" if isinstance(then, str) else "steps"): then} for new, then in cases]
    return Query(id, request(text, path), _PROFILE | more, path, {"class": name, "cases": listed})


def _do(call: str, *args: object) -> dict[str, object]:
    return {"call": call, "args": list(args)}


def _get(want: object, call: str, *args: object) -> dict[str, object]:
    return {"call": call, "args": list(args), "want": want}


def _bad(part: str, call: str, *args: object) -> dict[str, object]:
    return {"call": call, "args": list(args), "raises": part}


_IMPORTS = frozenset({K.IMPORT})
_RECORD = "Keep {} in a small class `{}` of its own that only holds values, and {} in attributes of the instance."

CLASS_QUERIES = (
    _class(
        "inventory", "Inventory", "inventory.py",
        "Write a class `Inventory(shop_name)` with the methods `add_stock(item_name, amount)`, "
        "`remove_stock(item_name, amount)` and `count_stock(item_name)`; an unknown item counts 0. An amount "
        "outside 1 … `MAX_AMOUNT` (1000, a module-level constant), or more than there is to remove, is an error "
        "whose message holds the amount. "
        + _RECORD.format("each change (item and amount)", "StockChange", "the shop's name and the changes"),
        (["north"], [_do("add_stock", "pen", 5), _do("add_stock", "pen", 2), _do("remove_stock", "pen", 3),
                     _get(4, "count_stock", "pen"), _get(0, "count_stock", "cup")]),
        (["south"], [_bad("0", "add_stock", "pen", 0), _bad("1001", "add_stock", "pen", 1001)]),
        (["east"], [_do("add_stock", "cup", 2), _bad("3", "remove_stock", "cup", 3), _get(2, "count_stock", "cup")]),
    ),
    _class(
        "recent-cache", "RecentCache", "recent_cache.py",
        "Write a class `RecentCache(max_size)` with the methods `put_value(key_text, new_value)` and "
        "`get_value(key_text)`; the latter returns None for an unknown key. When there are more than `max_size` "
        "keys, the one that was put or got longest ago is forgotten. A size outside 1 … `MAX_KEYS` (1000, a "
        "module-level constant) is an error whose message holds the size. "
        + _RECORD.format("each value with the time of its last use (a counter)", "CacheSlot", "the size and the slots"),
        ([2], [_do("put_value", "a", 1), _do("put_value", "b", 2), _get(1, "get_value", "a"), _do("put_value", "c", 3),
               _get(None, "get_value", "b"), _get(1, "get_value", "a"), _get(3, "get_value", "c")]),
        ([1], [_do("put_value", "a", 1), _do("put_value", "a", 5), _get(5, "get_value", "a")]),
        ([3], [_get(None, "get_value", "x")]),
        ([0], "0"), ([1001], "1001"),
    ),
    _class(
        "task-queue", "TaskQueue", "task_queue.py",
        "Write a class `TaskQueue(queue_name)` with the methods `push_task(task_name, urgency)`, `next_task()` and "
        "`count_tasks()`. `next_task` takes the most urgent task out and returns its name, of equals the one pushed "
        "first, and None if there is none. An urgency outside 0 … `MAX_URGENCY` (9, a module-level constant) is an "
        "error whose "
        "message holds it. " + _RECORD.format("each task", "WaitingTask", "the queue's name and the tasks"),
        (["ops"], [_do("push_task", "a", 1), _do("push_task", "b", 5), _do("push_task", "c", 5), _get(3, "count_tasks"),
                   _get("b", "next_task"), _get("c", "next_task"), _get("a", "next_task"), _get(None, "next_task")]),
        (["web"], [_bad("10", "push_task", "a", 10), _bad("-1", "push_task", "a", -1), _get(0, "count_tasks")]),
    ),
    _class(
        "grade-book", "GradeBook", "grade_book.py",
        "Write a class `GradeBook(course_name)` with the methods `add_grade(student_name, points)`, "
        "`mean_grade(student_name)`, which returns the mean computed with the standard library's `statistics` "
        "module or None without grades, and `best_student()`, which returns the name with the best mean, of equals "
        "the first in the alphabet, or None. Points outside 0 … `MAX_POINTS` (100, a module-level constant) are an "
        "error whose message holds them. " + _RECORD.format("each grade (student and points)", "GradeEntry",
                                                "the course's name and the grades"),
        (["maths"], [_do("add_grade", "ann", 80), _do("add_grade", "ann", 90), _do("add_grade", "bob", 85),
                     _get(85, "mean_grade", "ann"), _get(None, "mean_grade", "eve"), _get("ann", "best_student")]),
        (["art"], [_get(None, "best_student"), _do("add_grade", "bob", 10), _get("bob", "best_student")]),
        (["law"], [_bad("101", "add_grade", "ann", 101), _bad("-1", "add_grade", "ann", -1)]),
        more=_IMPORTS,
    ),
    _class(
        "playlist", "SongList", "song_list.py",
        "Write a class `SongList(owner_name)` with the methods `add_song(song_title, seconds)`, "
        "`remove_song(song_title)`, which returns whether there was such a song, and `total_time()`, which returns "
        "the length of all songs as text `minutes:seconds` with two digits of seconds. A length outside 1 … "
        "`MAX_SECONDS` (3600, a module-level constant) "
        "is an error whose message holds it. "
        + _RECORD.format("each song", "SongEntry", "the owner's name and the songs"),
        (["ann"], [_do("add_song", "Sun", 61), _do("add_song", "Moon", 59), _get("2:00", "total_time"),
                   _get(True, "remove_song", "Moon"), _get(False, "remove_song", "Moon"), _get("1:01", "total_time")]),
        (["bob"], [_get("0:00", "total_time"), _bad("3601", "add_song", "Sea", 3601), _bad("0", "add_song", "Sea", 0)]),
    ),
    _class(
        "road-map", "RoadMap", "road_map.py",
        "Write a class `RoadMap(region_name)` with the methods `add_road(from_town, to_town, miles)`, which adds a "
        "road for both directions, and `shortest_way(from_town, to_town)`, which returns the least number of miles "
        "between two towns, or None if there is no way. Miles outside 1 … `MAX_MILES` (5000, a module-level "
        "constant) are an error "
        "whose message holds them. " + _RECORD.format("each road", "RoadEntry", "the region's name and the roads"),
        (["north"], [_do("add_road", "a", "b", 4), _do("add_road", "b", "c", 3), _do("add_road", "a", "c", 9),
                     _get(7, "shortest_way", "a", "c"), _get(7, "shortest_way", "c", "a"),
                     _get(0, "shortest_way", "a", "a"), _get(None, "shortest_way", "a", "z")]),
        (["south"], [_bad("0", "add_road", "a", "b", 0), _bad("5001", "add_road", "a", "b", 5001)]),
    ),
    _class(
        "event-log", "EventLog", "event_log.py",
        "Write a class `EventLog(log_name)` with the methods `add_event(event_name, event_day)`, the day as a "
        "number, `count_events(event_name)` and `export_events()`, which returns the events, ordered by day and "
        "then by name, as JSON text made with the standard library's `json` module: a list of pairs of name and "
        "day. A day outside 1 … `MAX_DAY` (366, a module-level constant) is an error whose message holds it. "
        + _RECORD.format("each event", "EventEntry", "the log's name and the events"),
        (["ops"], [_do("add_event", "stop", 9), _do("add_event", "start", 2), _do("add_event", "stop", 2),
                   _get(2, "count_events", "stop"), _get(0, "count_events", "crash"),
                   _get("json:[[\"start\", 2], [\"stop\", 2], [\"stop\", 9]]", "export_events")]),
        (["web"], [_get("json:[]", "export_events"), _bad("367", "add_event", "x", 367),
                   _bad("0", "add_event", "x", 0)]),
        more=_IMPORTS,
    ),
)  # fmt: skip
