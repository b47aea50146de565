"""Cases of icalendar-busy-times: calendars go in as text, busy times come out as text."""

from typing import Any

from harness import Runner, case, equal

SRC = ["/workspace/src"]

LOAD = """
import datetime as dt
from icalendar import Calendar, Event, FreeBusy

def when(text):
    if text.endswith('Z'):
        return dt.datetime.strptime(text, '%Y%m%dT%H%M%SZ').replace(tzinfo=dt.timezone.utc)
    return dt.datetime.strptime(text, '%Y%m%dT%H%M%S')

def told(spans):
    assert isinstance(spans, list), type(spans)
    out = []
    for start, end in spans:
        for moment in (start, end):
            assert isinstance(moment, dt.datetime), moment
            assert moment.utcoffset() == dt.timedelta(0), moment
        out.append(start.strftime('%Y%m%dT%H%M%SZ') + ' ' + end.strftime('%Y%m%dT%H%M%SZ'))
    return out
"""

BUSY = LOAD + "emit([told(Calendar.from_ical(t).busy(when(a), when(b), **o)) for t, a, b, o in data])\n"
FREEBUSY = LOAD + "emit([told(Calendar.from_ical(t).walk('VFREEBUSY')[0].busy(**o)) for t, o in data])\n"


def text(*lines: str) -> str:
    """A calendar of these lines."""
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//made up//EN", *lines, "END:VCALENDAR", ""])


def reply(*lines: str) -> str:
    """A calendar with one free/busy reply."""
    return text("BEGIN:VFREEBUSY", "UID:r1", "DTSTAMP:20240301T000000Z", *lines, "END:VFREEBUSY")


def event(*lines: str, uid: str = "e1") -> list[str]:
    """The lines of one event."""
    return ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20240101T000000Z", *lines, "END:VEVENT"]


def options(rest: list[bool]) -> dict[str, bool]:
    """The keyword arguments of a call."""
    return {"tentative": rest[0]} if rest else {}


def busy_is(run: Runner, *asked: tuple[Any, ...]) -> None:
    """Each: lines of a calendar, window, wanted answer of Calendar.busy, and ``tentative`` where it is given."""
    data = [[text(*lines), start, end, options(rest)] for lines, start, end, _, *rest in asked]
    for found, (_, start, end, wanted, *rest) in zip(run.python(BUSY, path=SRC, data=data), asked, strict=True):
        equal(found, wanted, f"busy from {start} to {end}" + "".join(f", tentative={t}" for t in rest))


def reply_is(run: Runner, *asked: tuple[Any, ...]) -> None:
    """Each: lines of a reply, wanted answer of FreeBusy.busy, and ``tentative`` where it is given."""
    data = [[reply(*lines), options(rest)] for lines, _, *rest in asked]
    for found, (_, wanted, *rest) in zip(run.python(FREEBUSY, path=SRC, data=data), asked, strict=True):
        equal(found, wanted, "busy times of the reply" + "".join(f", tentative={t}" for t in rest))


def periods(run: Runner, source: str) -> list[str]:
    """Every period that is written again after parsing, with the parameters of its line."""
    out = run.python(
        "from icalendar import Calendar\nemit(Calendar.from_ical(data).to_ical().decode())", path=SRC, data=source
    )
    found = []
    for line in out.replace("\r\n ", "").split("\r\n"):
        name, _, values = line.partition(":")
        if name.split(";")[0] == "FREEBUSY":
            parameters = ";".join(sorted(name.split(";")[1:]))
            found += [f"{parameters} {period}".strip() for period in values.split(",")]
    return found


def day(*spans: str, date: str = "20240305") -> list[str]:
    """'0800-0930' on a date, the way driver output has it."""
    return [" ".join(f"{date}T{clock}00Z" for clock in span.split("-")) for span in spans]


# --- the instruction: lines with several periods ------------------------------------------------


@case(turn=0)
def exchange_reply_is_read(run: Runner) -> None:
    line = "FREEBUSY;FBTYPE=BUSY:20240305T080000Z/20240305T093000Z,20240305T120000Z/PT1H"
    equal(
        sorted(periods(run, reply(line))),
        ["FBTYPE=BUSY 20240305T080000Z/20240305T093000Z", "FBTYPE=BUSY 20240305T120000Z/PT1H"],
    )


@case(turn=0)
def every_line_keeps_its_parameters(run: Runner) -> None:
    many = [f"202404{d:02d}T{h:02d}0000Z/PT30M" for d in (1, 2, 3) for h in (8, 10, 14)]
    folded = "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:" + ",\r\n ".join(many)
    lines = [
        "FREEBUSY;FBTYPE=FREE;X-WHO=me:20240305T080000Z/PT1H,20240305T100000Z/PT2H",
        folded,
        "FREEBUSY:20240306T080000Z/PT15M",
    ]
    wanted = ["FBTYPE=FREE;X-WHO=me 20240305T080000Z/PT1H", "FBTYPE=FREE;X-WHO=me 20240305T100000Z/PT2H"]
    wanted += [f"FBTYPE=BUSY-UNAVAILABLE {period}" for period in many]
    wanted += ["20240306T080000Z/PT15M"]
    equal(sorted(periods(run, reply(*lines))), sorted(wanted))


@case(turn=0)
def periods_with_a_time_zone(run: Runner) -> None:
    line = "FREEBUSY;TZID=Europe/Berlin:20240305T080000/20240305T093000,20240305T120000/PT1H"
    equal(
        sorted(periods(run, reply(line))),
        ["TZID=Europe/Berlin 20240305T080000/20240305T093000", "TZID=Europe/Berlin 20240305T120000/PT1H"],
    )


# --- FreeBusy.busy() ---------------------------------------------------------------------------


@case(turn=1)
def reply_is_sorted_and_merged(run: Runner) -> None:
    lines = [
        "FREEBUSY:20240305T150000Z/20240305T160000Z,20240305T080000Z/20240305T100000Z",
        "FREEBUSY:20240305T110000Z/PT1H,20240305T083000Z/PT30M",
        "FREEBUSY:20240305T120000Z/PT15M",
        "FREEBUSY:20240305T153000Z/PT1H,20240305T160000Z/PT10M",
    ]
    reply_is(run, (lines, day("0800-1000", "1100-1215", "1500-1630")))


@case(turn=1)
def all_but_free_is_busy(run: Runner) -> None:
    lines = [
        "FREEBUSY;FBTYPE=FREE:20240305T060000Z/PT1H,20240305T083000Z/PT3H",
        "FREEBUSY;FBTYPE=BUSY:20240305T080000Z/PT1H",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20240305T100000Z/PT1H,20240305T130000Z/PT1H",
        "FREEBUSY;FBTYPE=X-TRAVEL:20240305T140000Z/PT30M",
        "FREEBUSY:20240305T180000Z/PT1H",
    ]
    reply_is(run, (lines, day("0800-0900", "1000-1100", "1300-1430", "1800-1900")))


@case(turn=1, weight=0.5)
def reply_without_busy_times(run: Runner) -> None:
    reply_is(
        run,
        (["SUMMARY:nothing"], []),
        (["FREEBUSY;FBTYPE=free:20240305T060000Z/PT1H"], []),
    )


@case(turn=1)
def reply_that_was_built_in_python(run: Runner) -> None:
    spans = run.python(
        LOAD
        + """
import pytz
from zoneinfo import ZoneInfo
berlin = pytz.timezone('Europe/Berlin')
fb = FreeBusy()
fb.add('freebusy', [
    (dt.datetime(2024, 3, 5, 14, tzinfo=dt.timezone.utc), dt.timedelta(minutes=20)),
    (dt.datetime(2024, 7, 1, 3, tzinfo=ZoneInfo('America/New_York')), dt.timedelta(hours=2)),
])
fb.add('freebusy', (berlin.localize(dt.datetime(2024, 3, 5, 9)), berlin.localize(dt.datetime(2024, 3, 5, 10))))
emit(told(fb.busy()))
""",
        path=SRC,
    )
    equal(spans, day("0800-0900", "1400-1420") + day("0700-0900", date="20240701"))


# --- Calendar.busy(start, end) -------------------------------------------------------------------


@case(turn=3)
def events_are_cut_to_the_window(run: Runner) -> None:
    lines = [
        *event("DTSTART:20240305T120000Z", "DTEND:20240305T130000Z", uid="a"),
        *event("DTSTART;TZID=America/New_York:20240305T030000", "DURATION:PT2H", uid="b"),
        *event("DTSTART:20240305T124500Z", "DURATION:PT45M", uid="c"),
        *event("DTSTART:20240305T160000Z", "DTEND:20240305T200000Z", uid="d"),
        *event("DTSTART:20240305T070000Z", "DTEND:20240305T083000Z", uid="before"),
        *event("DTSTART:20240305T170000Z", "DURATION:PT1H", uid="after"),
        *event("DTSTART:20240304T120000Z", "DURATION:PT1H", uid="yesterday"),
    ]
    busy_is(
        run,
        (lines, "20240305T083000Z", "20240305T170000Z", day("0830-1000", "1200-1330", "1600-1700")),
        (lines, "20240305T163000Z", "20240305T164500Z", day("1630-1645")),
        (lines, "20240305T133000Z", "20240305T160000Z", []),
    )


@case(turn=3)
def transparent_and_cancelled_events_are_free(run: Runner) -> None:
    lines = [
        *event("DTSTART:20240305T080000Z", "DURATION:PT1H", "TRANSP:TRANSPARENT", uid="a"),
        *event("DTSTART:20240305T100000Z", "DURATION:PT1H", "STATUS:CANCELLED", uid="b"),
        *event("DTSTART:20240305T120000Z", "DURATION:PT1H", "STATUS:CONFIRMED", "TRANSP:OPAQUE", uid="c"),
        *event("DTSTART;VALUE=DATE:20240305", "TRANSP:TRANSPARENT", uid="d"),
    ]
    busy_is(run, (lines, "20240301T000000Z", "20240401T000000Z", day("1200-1300")))


@case(turn=3)
def all_day_events_block_their_days(run: Runner) -> None:
    lines = [
        *event("DTSTART;VALUE=DATE:20240305", "DTEND;VALUE=DATE:20240307", uid="two days"),
        *event("DTSTART;VALUE=DATE:20240309", uid="no end"),
        *event("DTSTART;VALUE=DATE:20240312", "DURATION:P3D", uid="three days"),
        *event("DTSTART:20240307T000000Z", "DURATION:PT1H", uid="goes on"),
    ]
    wanted = [
        "20240305T000000Z 20240307T010000Z",
        "20240309T000000Z 20240310T000000Z",
        "20240312T000000Z 20240314T060000Z",
    ]
    busy_is(run, (lines, "20240301T000000Z", "20240314T060000Z", wanted))


@case(turn=3)
def floating_times_are_utc(run: Runner) -> None:
    lines = [
        *event("DTSTART:20240305T080000", "DTEND:20240305T090000", uid="a"),
        *event("DTSTART:20240305T090000Z", "DURATION:PT1H", uid="b"),
        *event("DTSTART;TZID=Asia/Tokyo:20240305T200000", "DTEND;TZID=Asia/Tokyo:20240305T210000", uid="c"),
    ]
    busy_is(run, (lines, "20240305T083000", "20240305T113000", day("0830-1000", "1100-1130")))


@case(turn=3)
def calendar_that_was_built_in_python(run: Runner) -> None:
    spans = run.python(
        LOAD
        + """
import pytz
from zoneinfo import ZoneInfo
cal = Calendar()
def put(**values):
    event = Event()
    for name, value in values.items():
        event.add(name, value)
    cal.add_component(event)
berlin = pytz.timezone('Europe/Berlin')
put(uid='a', dtstart=berlin.localize(dt.datetime(2024, 3, 5, 9)), duration=dt.timedelta(hours=1))
put(uid='b', dtstart=dt.datetime(2024, 3, 5, 12, tzinfo=ZoneInfo('America/New_York')),
    dtend=dt.datetime(2024, 3, 5, 13, tzinfo=ZoneInfo('America/New_York')))
put(uid='c', dtstart=dt.date(2024, 3, 7))
zone = ZoneInfo('America/New_York')
emit(told(cal.busy(dt.datetime(2024, 3, 4, tzinfo=zone), dt.datetime(2024, 3, 7, tzinfo=zone))))
""",
        path=SRC,
    )
    equal(spans, day("0800-0900", "1700-1800") + day("0000-0500", date="20240307"))


# --- repeating events ----------------------------------------------------------------------------


@case(turn=4)
def weekly_standup_is_there_every_week(run: Runner) -> None:
    lines = event("DTSTART:20240104T090000Z", "DURATION:PT15M", "RRULE:FREQ=WEEKLY")
    wanted = [f"202405{d:02d}T090000Z 202405{d:02d}T091500Z" for d in (2, 9, 16, 23, 30)]
    busy_is(run, (lines, "20240501T000000Z", "20240601T000000Z", wanted))


@case(turn=4)
def rules_with_an_end(run: Runner) -> None:
    counted = event("DTSTART:20240301T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;INTERVAL=2;COUNT=5", uid="a")
    wanted = [f"202403{d:02d}T100000Z 202403{d:02d}T110000Z" for d in (5, 7, 9)]
    busy_is(run, (counted, "20240304T000000Z", "20240401T000000Z", wanted))
    until = event(
        "DTSTART:20240304T100000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20240313T100000Z", uid="b"
    )
    wanted = [f"202403{d:02d}T100000Z 202403{d:02d}T110000Z" for d in (4, 6, 11, 13)]
    busy_is(run, (until, "20240301T000000Z", "20240401T000000Z", wanted))


@case(turn=4)
def left_out_and_added_dates(run: Runner) -> None:
    lines = event(
        "DTSTART;TZID=Europe/Berlin:20240205T090000",
        "DTEND;TZID=Europe/Berlin:20240205T093000",
        "RRULE:FREQ=DAILY;COUNT=6",
        "EXDATE:20240205T080000Z",
        "EXDATE;TZID=Europe/Berlin:20240207T090000,20240208T090000",
        "RDATE;TZID=Europe/Berlin:20240210T150000,20240220T150000",
    )
    wanted = [
        *day("0800-0830", date="20240206"),
        *day("0800-0830", date="20240209"),
        *day("0800-0830", "1400-1430", date="20240210"),
        *day("1400-1430", date="20240220"),
    ]
    busy_is(run, (lines, "20240201T000000Z", "20240301T000000Z", wanted))


@case(turn=4, weight=0.5)
def added_dates_with_their_own_length(run: Runner) -> None:
    lines = event(
        "DTSTART:20240305T080000Z",
        "DTEND:20240305T083000Z",
        "RDATE;VALUE=PERIOD:20240305T100000Z/20240305T120000Z,20240305T140000Z/PT5M",
    )
    busy_is(run, (lines, "20240301T000000Z", "20240401T000000Z", day("0800-0830", "1000-1200", "1400-1405")))


@case(turn=4)
def occurrence_that_began_before_the_window(run: Runner) -> None:
    lines = event("DTSTART:20240101T180000Z", "DURATION:P1DT18H", "RRULE:FREQ=WEEKLY")
    busy_is(run, (lines, "20240507T120000Z", "20240509T000000Z", ["20240507T120000Z 20240508T120000Z"]))


@case(turn=4)
def all_day_events_repeat(run: Runner) -> None:
    lines = [
        *event(
            "DTSTART;VALUE=DATE:20240304",
            "DTEND;VALUE=DATE:20240305",
            "RRULE:FREQ=WEEKLY;UNTIL=20240325",
            "EXDATE;VALUE=DATE:20240318",
        ),
        *event("RECURRENCE-ID;VALUE=DATE:20240311", "DTSTART;VALUE=DATE:20240313", "DTEND;VALUE=DATE:20240314"),
    ]
    wanted = [f"202403{d:02d}T000000Z 202403{d + 1:02d}T000000Z" for d in (4, 13, 25)]
    busy_is(run, (lines, "20240301T000000Z", "20240401T000000Z", wanted))


@case(turn=4)
def moved_occurrence_takes_the_place(run: Runner) -> None:
    moved = event("RECURRENCE-ID:20240306T090000Z", "DTSTART:20240306T140000Z", "DTEND:20240306T150000Z")
    series = event("DTSTART:20240305T090000Z", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=3")
    other = event("DTSTART:20240306T090000Z", "DURATION:PT5M", uid="e2")
    first, third = day("0900-0930"), day("0900-0930", date="20240307")
    replaced = day("1400-1500", date="20240306")
    window = "20240301T000000Z", "20240401T000000Z"
    busy_is(
        run,
        ([*series, *moved], *window, first + replaced + third),
        ([*moved, *series], *window, first + replaced + third),
        ([*moved, *series, *other], *window, first + day("0900-0905", date="20240306") + replaced + third),
    )


@case(turn=4)
def moved_into_and_out_of_the_window(run: Runner) -> None:
    lines = [
        *event("DTSTART;TZID=Europe/Berlin:20240304T090000", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=10"),
        *event("RECURRENCE-ID;TZID=Europe/Berlin:20240306T090000", "DTSTART:20240520T090000Z", "DURATION:PT30M"),
        *event("RECURRENCE-ID:20240312T080000Z", "DTSTART:20240306T110000Z", "DURATION:PT30M"),
    ]
    busy_is(
        run,
        (lines, "20240306T000000Z", "20240307T000000Z", day("1100-1130", date="20240306")),
        (lines, "20240312T000000Z", "20240313T000000Z", []),
        (lines, "20240520T000000Z", "20240521T000000Z", day("0900-0930", date="20240520")),
        (
            lines,
            "20240311T000000Z",
            "20240314T000000Z",
            [*day("0800-0830", date="20240311"), *day("0800-0830", date="20240313")],
        ),
    )


@case(turn=4)
def nine_stays_nine_when_the_clocks_change(run: Runner) -> None:
    lines = event(
        "DTSTART;TZID=Europe/Berlin:20240318T090000",
        "DTEND;TZID=Europe/Berlin:20240318T091500",
        "RRULE:FREQ=WEEKLY;UNTIL=20240408T070000Z",
    )
    wanted = [
        "20240318T080000Z 20240318T081500Z",
        "20240325T080000Z 20240325T081500Z",
        "20240401T070000Z 20240401T071500Z",
        "20240408T070000Z 20240408T071500Z",
    ]
    busy_is(
        run,
        (lines, "20240101T000000Z", "20250101T000000Z", wanted),
        (lines, "20240401T000000Z", "20240402T000000Z", wanted[2:3]),
    )


@case(turn=4)
def nine_stays_nine_in_a_zone_of_the_file(run: Runner) -> None:
    zone = [
        "BEGIN:VTIMEZONE",
        "TZID:Head Office",
        "BEGIN:STANDARD",
        "DTSTART:20001105T020000",
        "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
        "TZOFFSETFROM:-0200",
        "TZOFFSETTO:-0300",
        "TZNAME:HOST",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:20000305T020000",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=1SU",
        "TZOFFSETFROM:-0300",
        "TZOFFSETTO:-0200",
        "TZNAME:HODT",
        "END:DAYLIGHT",
        "END:VTIMEZONE",
    ]
    lines = event(
        "DTSTART;TZID=Head Office:20240229T090000",
        "DURATION:PT30M",
        "RRULE:FREQ=WEEKLY;COUNT=3",
        "EXDATE;TZID=Head Office:20240307T090000",
    )
    wanted = [*day("1200-1230", date="20240229"), *day("1100-1130", date="20240314")]
    busy_is(run, ([*zone, *lines], "20240101T000000Z", "20250101T000000Z", wanted))


@case(turn=4)
def nine_stays_nine_for_events_made_in_python(run: Runner) -> None:
    spans = run.python(
        LOAD
        + """
from zoneinfo import ZoneInfo
zone = ZoneInfo('America/New_York')
event = Event()
event.add('uid', 'a')
event.add('dtstart', dt.datetime(2024, 11, 1, 9, tzinfo=zone))
event.add('dtend', dt.datetime(2024, 11, 1, 10, tzinfo=zone))
event.add('rrule', {'freq': 'daily', 'count': 4})
event.add('exdate', [dt.datetime(2024, 11, 2, 9, tzinfo=zone), dt.datetime(2024, 11, 3, 9, tzinfo=zone)])
cal = Calendar()
cal.add_component(event)
emit(told(cal.busy(when('20241001T000000Z'), when('20241201T000000Z'))))
""",
        path=SRC,
    )
    equal(spans, day("1300-1400", date="20241101") + day("1400-1500", date="20241104"))


@case(turn=4)
def cancelled_occurrence_is_free(run: Runner) -> None:
    lines = [
        *event("DTSTART:20240305T090000Z", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=3"),
        *event("RECURRENCE-ID:20240306T090000Z", "DTSTART:20240306T090000Z", "DURATION:PT30M", "STATUS:CANCELLED"),
    ]
    wanted = day("0900-0930") + day("0900-0930", date="20240307")
    busy_is(run, (lines, "20240301T000000Z", "20240401T000000Z", wanted))


@case(turn=4)
def transparent_occurrence_is_free(run: Runner) -> None:
    lines = [
        *event("RECURRENCE-ID:20240305T090000Z", "DTSTART:20240305T110000Z", "DURATION:PT1H", "TRANSP:TRANSPARENT"),
        *event("DTSTART:20240305T090000Z", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=2"),
    ]
    busy_is(run, (lines, "20240301T000000Z", "20240401T000000Z", day("0900-0930", date="20240306")))


# --- tentative -----------------------------------------------------------------------------------


@case(turn=6)
def tentative_periods_count_on_request(run: Runner) -> None:
    lines = [
        "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20240305T080000Z/PT1H,20240305T100000Z/PT2H",
        "FREEBUSY;FBTYPE=BUSY:20240305T113000Z/PT1H",
        "FREEBUSY;FBTYPE=FREE:20240305T150000Z/PT1H",
    ]
    reply_is(
        run,
        (lines, day("1130-1230")),
        (lines, day("1130-1230"), False),
        (lines, day("0800-0900", "1000-1230"), True),
    )


@case(turn=6)
def tentative_events_count_on_request(run: Runner) -> None:
    lines = [
        *event("DTSTART:20240305T080000Z", "DURATION:PT1H", "STATUS:TENTATIVE", uid="a"),
        *event("DTSTART:20240305T083000Z", "DURATION:PT1H", "STATUS:CONFIRMED", uid="b"),
        *event("DTSTART:20240305T120000Z", "DURATION:PT1H", "STATUS:TENTATIVE", "RRULE:FREQ=DAILY", uid="c"),
        *event("DTSTART:20240305T140000Z", "DURATION:PT1H", "STATUS:TENTATIVE", "TRANSP:TRANSPARENT", uid="d"),
        *event("DTSTART:20240305T160000Z", "DURATION:PT1H", "STATUS:CANCELLED", uid="e"),
    ]
    window = "20240305T000000Z", "20240306T000000Z"
    busy_is(
        run,
        (lines, *window, day("0830-0930")),
        (lines, *window, day("0800-0930", "1200-1300"), True),
    )


@case(turn=6)
def tentatively_moved_occurrence(run: Runner) -> None:
    lines = [
        *event("DTSTART:20240305T090000Z", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=2"),
        *event("RECURRENCE-ID:20240305T090000Z", "DTSTART:20240305T110000Z", "DURATION:PT1H", "STATUS:TENTATIVE"),
    ]
    window = "20240301T000000Z", "20240401T000000Z"
    second = day("0900-0930", date="20240306")
    busy_is(
        run,
        (lines, *window, second),
        (lines, *window, day("1100-1200") + second, True),
    )


# --- what must stay as it is -----------------------------------------------------------------------


@case(turn=2, kind="p2p")
def single_period_is_one_value(run: Runner) -> None:
    found = run.python(
        """
from icalendar import Calendar, vPeriod
fb = Calendar.from_ical(data).walk('VFREEBUSY')[0]['freebusy']
emit([isinstance(fb, vPeriod), fb.start.isoformat(), fb.end.isoformat(), fb.params['fbtype'], fb.to_ical().decode()])
""",
        path=SRC,
        data=reply("FREEBUSY;FBTYPE=BUSY:20240305T080000Z/PT1H"),
    )
    equal(found, [True, "2024-03-05T08:00:00+00:00", "2024-03-05T09:00:00+00:00", "BUSY", "20240305T080000Z/PT1H"])


@case(turn=2, kind="p2p")
def single_period_with_a_time_zone(run: Runner) -> None:
    found = run.python(
        """
from icalendar import FreeBusy
fb = FreeBusy.from_ical(data)['freebusy']
emit([fb.start.isoformat(), fb.duration.total_seconds(), fb.params['tzid'], fb.to_ical().decode()])
""",
        path=SRC,
        data="BEGIN:VFREEBUSY\r\nFREEBUSY;TZID=Europe/Berlin:20240305T080000/20240305T093000\r\nEND:VFREEBUSY\r\n",
    )
    equal(found, ["2024-03-05T08:00:00+01:00", 5400.0, "Europe/Berlin", "20240305T080000/20240305T093000"])


@case(turn=0, kind="p2p")
def other_lists_are_read_as_before(run: Runner) -> None:
    lines = event(
        "DTSTART;TZID=Europe/Berlin:20240305T080000",
        "SUMMARY:Talk\\, then lunch\\; bring 1/2 a cake",
        "RRULE:FREQ=DAILY;COUNT=3",
        "RDATE;VALUE=PERIOD:20240307T080000Z/PT1H,20240308T080000Z/PT2H",
        "EXDATE;TZID=Europe/Berlin:20240306T080000,20240307T080000",
        "EXDATE;TZID=Europe/Berlin:20240309T080000",
        "CATEGORIES:work,travel",
        "RESOURCES:Chair,Table",
    )
    found = run.python(
        """
from icalendar import Calendar
event = Calendar.from_ical(data).walk('VEVENT')[0]
emit([
    str(event['summary']),
    [d.dt[1].total_seconds() for d in event['rdate'].dts],
    [[d.dt.isoformat() for d in line.dts] for line in event['exdate']],
    event['rdate'].params['value'],
    str(event['resources']),
    event['rrule'],
])
""",
        path=SRC,
        data=text(*lines),
    )
    exdates = [["2024-03-06T08:00:00+01:00", "2024-03-07T08:00:00+01:00"], ["2024-03-09T08:00:00+01:00"]]
    equal(
        found,
        [
            "Talk, then lunch; bring 1/2 a cake",
            [3600.0, 7200.0],
            exdates,
            "PERIOD",
            "Chair,Table",
            {"FREQ": ["DAILY"], "COUNT": [3]},
        ],
    )


@case(turn=0, kind="p2p")
def text_of_a_calendar_is_kept(run: Runner) -> None:
    source = text(
        *event(
            'ATTENDEE;CN="Doe, Jane";ROLE=CHAIR:MAILTO:jane@example.com',
            "CATEGORIES:work,travel",
            "DESCRIPTION:a\\, b\\nc",
            "EXDATE:20240306T080000Z,20240307T080000Z",
            "SUMMARY:x",
        ),
        "BEGIN:VFREEBUSY",
        "FREEBUSY;FBTYPE=BUSY:20240305T080000Z/20240305T090000Z",
        "FREEBUSY;FBTYPE=FREE:20240305T100000Z/PT1H",
        "UID:r1",
        "END:VFREEBUSY",
    )
    out = run.python(
        "from icalendar import Calendar\nemit(Calendar.from_ical(data).to_ical(sorted=False).decode())",
        path=SRC,
        data=source,
    )
    equal(out, source)


@case(turn=0, kind="p2p")
def broken_values_are_reported(run: Runner) -> None:
    found = run.python(
        """
from icalendar import Calendar, FreeBusy, Event
out = []
for line in data[0]:
    try:
        FreeBusy.from_ical('BEGIN:VFREEBUSY\\r\\n' + line + '\\r\\nEND:VFREEBUSY\\r\\n')
        out.append('read')
    except ValueError as error:
        out.append('ValueError')
event = Event.from_ical(data[1])
out.append([event.is_broken, event.errors[0][0], 'SUMMARY' in event, 'DTSTART' in event])
emit(out)
""",
        path=SRC,
        data=[
            ["FREEBUSY:20240305T080000Z", "FREEBUSY:nonsense"],
            "BEGIN:VEVENT\r\nDTSTART:nonsense\r\nSUMMARY:x\r\nEND:VEVENT\r\n",
        ],
    )
    equal(found, ["ValueError", "ValueError", [True, "DTSTART", True, False]])


@case(turn=1, kind="p2p")
def periods_added_in_python_are_written_as_before(run: Runner) -> None:
    out = run.python(
        LOAD
        + """
fb = FreeBusy()
start = dt.datetime(2024, 3, 5, 8)
fb.add('freebusy', [(start.replace(day=6), start.replace(day=7)), (start.replace(day=8), dt.timedelta(minutes=5))],
       parameters={'fbtype': 'BUSY'})
fb.add('freebusy', (start, dt.timedelta(hours=1)))
emit([len(fb['freebusy']), fb.to_ical().decode()])
""",
        path=SRC,
    )
    lines = [
        "BEGIN:VFREEBUSY",
        "FREEBUSY;FBTYPE=BUSY:20240306T080000/20240307T080000",
        "FREEBUSY;FBTYPE=BUSY:20240308T080000/PT5M",
        "FREEBUSY:20240305T080000/PT1H",
        "END:VFREEBUSY",
        "",
    ]
    equal(out, [3, "\r\n".join(lines)])


@case(turn=1, kind="p2p")
def inline_periods_are_split_as_before(run: Runner) -> None:
    found = run.python(
        """
from icalendar import FreeBusy
fb = FreeBusy()
fb['freebusy'] = '19970308T160000Z/PT3H,19970308T200000Z/PT1H'
emit([fb.get_inline('freebusy', decode=0), [p[1].total_seconds() for p in fb.get_inline('freebusy')]])
""",
        path=SRC,
    )
    equal(found, [["19970308T160000Z/PT3H", "19970308T200000Z/PT1H"], [10800.0, 3600.0]])
