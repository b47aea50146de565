"""Reference code of the classes that queries ask for."""

from collections.abc import Mapping

from swe_together.memorycode._template import MainClass, Routine, Template, ValueClass


def _template(
    title: str, constant: tuple[str, str], record: ValueClass, main: MainClass, example: str, made: str
) -> Template:
    """``example`` starts with the method to call on a new instance; ``made`` are the constructor's arguments."""
    instance = f"C__{main.stem}({made})"
    return Template(title, constant, (), record, main, (f"{instance}.{example}", f"{instance} is not None"))


CLASS_SOLUTIONS: Mapping[str, Template] = {
    "inventory": _template(
        "an inventory",
        ("MAX_AMOUNT", "1000"),
        ValueClass("Stock_Change", (("item_name", "str"), ("amount", "int"))),
        MainClass(
            "Inventory", (("shop_name", "str"),), """\
self.t__shop_name = shop_name
self.t__stock_changes = []
""", (
                Routine("add_stock", (("item_name", "str"), ("amount", "int")), "int", "put items into stock", """\
if not 1 <= amount <= K__MAX_AMOUNT:
    !raise the stock cannot be changed by this amount, namely {} | amount
v__change = C__Stock_Change(t__item_name=item_name, t__amount=amount)
self.t__stock_changes.append(v__change)
return self.m__count_stock(item_name=item_name)
"""),
                Routine("remove_stock", (("item_name", "str"), ("amount", "int")), "int", "take items out", """\
v__count = self.m__count_stock(item_name=item_name)
if not 1 <= amount <= min(v__count, K__MAX_AMOUNT):
    !raise there is not so much in stock to take out, namely {} | amount
v__change = C__Stock_Change(t__item_name=item_name, t__amount=-amount)
self.t__stock_changes.append(v__change)
return v__count - amount
"""),
                Routine("count_stock", (("item_name", "str"),), "int", "count the items in stock", """\
v__count = 0
for v__change in self.t__stock_changes:
    if v__change.t__item_name == item_name:
        v__count += v__change.t__amount
return int(v__count)
"""),
            ),
        ),
        'm__count_stock(item_name="pen") == 0', '"north"',
    ),
    "recent-cache": _template(
        "a cache of recent values",
        ("MAX_KEYS", "1000"),
        ValueClass("Cache_Slot", (("kept_value", "object"), ("used_at", "int"))),
        MainClass(
            "Recent_Cache", (("max_size", "int"),), """\
if not 1 <= max_size <= K__MAX_KEYS:
    !raise a cache cannot keep this number of keys, namely {} | max_size
self.t__max_size = max_size
self.t__use_count = 0
self.t__kept_slots = {}
""", (
                Routine("put_value", (("key_text", "str"), ("new_value", "object")), "object", "keep a value", """\
self.t__use_count += 1
v__slot = C__Cache_Slot(t__kept_value=new_value, t__used_at=self.t__use_count)
self.t__kept_slots[key_text] = v__slot
if len(self.t__kept_slots) > self.t__max_size:
    self.m__drop_oldest()
return new_value
"""),
                Routine("get_value", (("key_text", "str"),), "object", "find a value", """\
v__slot = self.t__kept_slots.get(key_text)
if v__slot is None:
    return None
return self.m__put_value(key_text=key_text, new_value=v__slot.t__kept_value)
"""),
                Routine("drop_oldest", (), "str", "forget the value used longest ago", """\
v__oldest = ""
for v__key in self.t__kept_slots:
    v__slot = self.t__kept_slots[v__key]
    v__held = self.t__kept_slots.get(v__oldest)
    if v__held is None or v__slot.t__used_at < v__held.t__used_at:
        v__oldest = v__key
del self.t__kept_slots[v__oldest]
return str(v__oldest)
"""),
            ),
        ),
        'm__get_value(key_text="a") is None', "2",
    ),
    "task-queue": _template(
        "a queue of tasks",
        ("MAX_URGENCY", "9"),
        ValueClass("Waiting_Task", (("task_name", "str"), ("urgency", "int"))),
        MainClass(
            "Task_Queue", (("queue_name", "str"),), """\
self.t__queue_name = queue_name
self.t__waiting_tasks = []
""", (
                Routine("push_task", (("task_name", "str"), ("urgency", "int")), "int", "let a task wait", """\
if not 0 <= urgency <= K__MAX_URGENCY:
    !raise a task cannot have this urgency in the queue, namely {} | urgency
v__task = C__Waiting_Task(t__task_name=task_name, t__urgency=urgency)
self.t__waiting_tasks.append(v__task)
return len(self.t__waiting_tasks)
"""),
                Routine("next_task", (), "str | None", "take the most urgent task out", """\
v__first = None
for v__task in self.t__waiting_tasks:
    if v__first is None or v__task.t__urgency > v__first.t__urgency:
        v__first = v__task
if v__first is None:
    return None
self.t__waiting_tasks.remove(v__first)
return v__first.t__task_name
"""),
                Routine("count_tasks", (), "int", "count the tasks", """\
return len(self.t__waiting_tasks)
"""),
            ),
        ),
        "m__count_tasks() == 0", '"ops"',
    ),
    "grade-book": _template(
        "a book of grades",
        ("MAX_POINTS", "100"),
        ValueClass("Grade_Entry", (("student_name", "str"), ("points", "int"))),
        MainClass(
            "Grade_Book", (("course_name", "str"),), """\
self.t__course_name = course_name
?!import-ban:collections self.t__grade_entries = i__collections__deque()
?import-ban:collections self.t__grade_entries = []
""", (
                Routine("add_grade", (("student_name", "str"), ("points", "int")), "int", "note a grade", """\
if not 0 <= points <= K__MAX_POINTS:
    !raise nobody can get this number of points in a test, namely {} | points
v__entry = C__Grade_Entry(t__student_name=student_name, t__points=points)
self.t__grade_entries.append(v__entry)
return len(self.t__grade_entries)
"""),
                Routine("mean_grade", (("student_name", "str"),), "float | None", "compute a student's mean", """\
v__points = []
for v__entry in self.t__grade_entries:
    if v__entry.t__student_name == student_name:
        v__points.append(v__entry.t__points)
return i__statistics__fmean(v__points) if v__points else None
"""),
                Routine("best_student", (), "str | None", "find the student with the best mean", """\
?!import-ban:math v__best, v__mean = None, -i__math__inf
?import-ban:math v__best, v__mean = None, float("-inf")
v__names = {v__e.t__student_name for v__e in self.t__grade_entries}
for v__name in sorted(v__names):
    v__grade = self.m__mean_grade(student_name=v__name)
    if v__grade > v__mean:
        v__best, v__mean = v__name, v__grade
return v__best
"""),
            ),
        ),
        'm__mean_grade(student_name="ann") is None', '"maths"',
    ),
    "playlist": _template(
        "a list of songs",
        ("MAX_SECONDS", "3600"),
        ValueClass("Song_Entry", (("song_title", "str"), ("seconds", "int"))),
        MainClass(
            "Song_List", (("owner_name", "str"),), """\
self.t__owner_name = owner_name
self.t__song_entries = []
""", (
                Routine("add_song", (("song_title", "str"), ("seconds", "int")), "int", "add a song", """\
if not 1 <= seconds <= K__MAX_SECONDS:
    !raise a song cannot have this length in seconds, namely {} | seconds
v__song = C__Song_Entry(t__song_title=song_title, t__seconds=seconds)
self.t__song_entries.append(v__song)
return len(self.t__song_entries)
"""),
                Routine("remove_song", (("song_title", "str"),), "bool", "remove a song", """\
for v__song in self.t__song_entries:
    if v__song.t__song_title == song_title:
        self.t__song_entries.remove(v__song)
        return True
return False
"""),
                Routine("total_time", (), "str", "write the length of all songs", """\
v__seconds = sum(v__s.t__seconds for v__s in self.t__song_entries)
v__parts = [str(v__seconds // 60), str(v__seconds % 60).zfill(2)]
return ":".join(v__parts)
"""),
            ),
        ),
        'm__total_time() == "0:00"', '"ann"',
    ),
    "road-map": _template(
        "a map of roads",
        ("MAX_MILES", "5000"),
        ValueClass("Road_Entry", (("from_town", "str"), ("to_town", "str"), ("miles", "int"))),
        MainClass(
            "Road_Map", (("region_name", "str"),), """\
self.t__region_name = region_name
self.t__road_entries = []
""", (
                Routine(
                    "add_road", (("from_town", "str"), ("to_town", "str"), ("miles", "int")), "int", "add a road", """\
if not 1 <= miles <= K__MAX_MILES:
    !raise a road cannot have this length in miles, namely {} | miles
for v__a, v__b in ((from_town, to_town), (to_town, from_town)):
    v__road = C__Road_Entry(t__from_town=v__a, t__to_town=v__b, t__miles=miles)
    self.t__road_entries.append(v__road)
return len(self.t__road_entries)
"""),
                Routine(
                    "shortest_way", (("from_town", "str"), ("to_town", "str")), "int | None",
                    "find the shortest way", """\
v__known = {from_town: 0}
v__changed = True
while v__changed:
    v__changed = False
    for v__road in self.t__road_entries:
        if v__road.t__from_town not in v__known:
            continue
        v__miles = v__known[v__road.t__from_town] + v__road.t__miles
        if v__miles < v__known.get(v__road.t__to_town, v__miles + 1):
            v__known[v__road.t__to_town] = v__miles
            v__changed = True
return v__known.get(to_town)
"""),
            ),
        ),
        'm__shortest_way(from_town="a", to_town="b") is None', '"north"',
    ),
    "event-log": _template(
        "a log of events",
        ("MAX_DAY", "366"),
        ValueClass("Event_Entry", (("event_name", "str"), ("event_day", "int"))),
        MainClass(
            "Event_Log", (("log_name", "str"),), """\
self.t__log_name = log_name
?!import-ban:collections self.t__event_entries = i__collections__deque()
?import-ban:collections self.t__event_entries = []
""", (
                Routine("add_event", (("event_name", "str"), ("event_day", "int")), "int", "note an event", """\
?!import-ban:math v__day = i__math__floor(event_day)
?import-ban:math v__day = int(event_day)
if not 1 <= v__day <= K__MAX_DAY:
    !raise there is no such day in a year for an event, namely {} | event_day
v__event = C__Event_Entry(t__event_name=event_name, t__event_day=v__day)
self.t__event_entries.append(v__event)
return len(self.t__event_entries)
"""),
                Routine("count_events", (("event_name", "str"),), "int", "count the events of a name", """\
v__names = [v__e.t__event_name for v__e in self.t__event_entries]
return v__names.count(event_name)
"""),
                Routine("export_events", (), "str", "write the events as JSON", """\
v__pairs = []
for v__event in self.t__event_entries:
    v__pairs.append((v__event.t__event_day, v__event.t__event_name))
v__pairs.sort()
v__rows = [[v__pair[1], v__pair[0]] for v__pair in v__pairs]
return i__json__dumps(v__rows)
"""),
            ),
        ),
        'm__export_events() == "[]"', '"ops"',
    ),
}  # fmt: skip
