"""Cases of configobj-kept-lines: files go in as text; scanned items, line numbers and written files come out."""

from typing import Any

from harness import Runner, case, equal

LOAD = """
import copy, io, os, pickle
import configobj
from configobj import ConfigObj

def items(lines, **options):
    out = []
    for item in configobj.scan(lines, **options):
        value = [item.value] if item.kind == 'key' else []
        out.append([item.kind, list(item.path), item.line] + value)
    return out

def place(text, name='app.ini', **options):
    with open(name, 'wb') as file:
        file.write(text.encode('utf-8'))
    return ConfigObj(name, **options)

def written(config, **options):
    config.write(**options)
    with open(config.filename, 'rb') as file:
        return file.read().decode('utf-8')

def told(error):
    return [type(error).__name__, str(error), error.line_number, error.line]
"""

SERVER = """# Server der Filiale
# zuletzt: Marta

name   =   "Filiale Nord"
tags = eins,zwei ,  'drei'   # Reihenfolge zaehlt

[web]
    # nur intern
    port = '8080'# Standard
\thosts="a.example", "b.example"

    [[ tls ]]   # seit Mai
      zert   = "/etc/zert.pem"

      notiz = \"\"\"erste
  zweite
dritte\"\"\"   # mehrzeilig

   ["log datei"]
  pfad='/var/log/app'
stufe = info

# Ende

"""


def play(run: Runner, code: str, data: object = None) -> Any:
    """Run a driver with the helpers above it."""
    return run.python(LOAD + code, path=[f"{run.tree}/src"], data=data)


def bare(line: str) -> str:
    """A line without what a writer may choose: white space and quotes."""
    return "".join(mark for mark in line if mark not in " \t\"'")


# --- the instruction: scan ------------------------------------------------------------------------------------------

SCANNED = [
    ["key", ["name"], 4, "Filiale Nord"],
    ["key", ["tags"], 5, ["eins", "zwei", "drei"]],
    ["section", ["web"], 7],
    ["key", ["web", "port"], 9, "8080"],
    ["key", ["web", "hosts"], 10, ["a.example", "b.example"]],
    ["section", ["web", "tls"], 12],
    ["key", ["web", "tls", "zert"], 13, "/etc/zert.pem"],
    ["key", ["web", "tls", "notiz"], 15, "erste\n  zweite\ndritte"],
    ["section", ["log datei"], 19],
    ["key", ["log datei", "pfad"], 20, "/var/log/app"],
    ["key", ["log datei", "stufe"], 21, "info"],
]


@case(turn=0)
def scan_finds_sections_and_keys(run: Runner) -> None:
    equal(play(run, "emit(items(data))", SERVER.split("\n")), SCANNED, "items")


@case(turn=0)
def scan_of_open_files(run: Runner) -> None:
    code = """
    place(data)
    with open('app.ini') as file:
        one = items(file)
    with open('app.ini', 'w', newline='') as file:
        file.write(data.replace('\\n', '\\r\\n'))
    with open('app.ini', newline='') as file:
        two = items(file)
    emit([one, two, items(data.splitlines(True)), items([]), items(['', '# leer'])])
    """.replace("\n    ", "\n")
    equal(play(run, code, SERVER), [SCANNED, SCANNED, SCANNED, [], []], "items of files and lists")


@case(turn=0)
def scan_with_options(run: Runner) -> None:
    plain = ["a = 1, 2 # c", "[s]", "b = 'q'", "[[t]]", "c = x, y"]
    typed = ["a = {'x': [1, 2.5]}  # c", "[s]", "b = '''[1,", "2]''' ", "c = None"]
    code = "emit([items(data[0], list_values=False), items(data[1], unrepr=True)])"
    wanted = [
        [
            ["key", ["a"], 1, "1, 2"],
            ["section", ["s"], 2],
            ["key", ["s", "b"], 3, "'q'"],
            ["section", ["s", "t"], 4],
            ["key", ["s", "t", "c"], 5, "x, y"],
        ],
        [
            ["key", ["a"], 1, {"x": [1, 2.5]}],
            ["section", ["s"], 2],
            ["key", ["s", "b"], 3, [1, 2]],
            ["key", ["s", "c"], 5, None],
        ],
    ]
    equal(play(run, code, [plain, typed]), wanted, "items")


# --- where ----------------------------------------------------------------------------------------------------------


@case(turn=1)
def where_things_stand(run: Runner) -> None:
    code = """
configs = [place(data[0]), ConfigObj(data[0].split('\\n')), ConfigObj(io.BytesIO(data[0].encode()))]
emit([[config.where(*path) for path in data[1]] for config in configs])
"""
    paths = [item[1] for item in SCANNED]
    equal(play(run, code, [SERVER, paths]), [[item[2] for item in SCANNED]] * 3, "lines")


@case(turn=1)
def where_after_changes(run: Runner) -> None:
    code = """
config = place(data)
config['web']['port'] = '81'
config['web']['neu'] = 'x'
config['web']['tls'].update({'zert': '/tmp/zert.pem'})
del config['tags']
config['tags'] = 'keine'
config['log datei'] = {'pfad': '/tmp'}
config['mail'] = {'an': 'marta'}
del config['web']['hosts']
asked = [['name'], ['tags'], ['web'], ['web', 'port'], ['web', 'neu'], ['web', 'hosts'], ['web', 'tls'],
         ['web', 'tls', 'zert'], ['web', 'tls', 'notiz'], ['log datei', 'pfad'], ['mail'], ['mail', 'an']]
emit([config.where(*path) for path in asked])
"""
    equal(play(run, code, SERVER), [4, None, 7, None, None, None, 12, None, 15, None, None, None], "lines")


@case(turn=1)
def where_with_other_files(run: Runner) -> None:
    code = """
config = place(data)
other = ConfigObj(['x = 1', '[web]', 'port = 99', '[mail]', 'an = marta', '[[kopie]]', 'an = otto'])
config.merge(other)
asked = [['name'], ['x'], ['web'], ['web', 'port'], ['mail'], ['mail', 'an'], ['mail', 'kopie'],
         ['mail', 'kopie', 'an'], ['web', 'tls', 'zert']]
first = [config.where(*path) for path in asked]
place('[web]\\n\\nport = 1\\n[mail]\\nan = x\\n')
config.reload()
emit([first, [config.where(*path) for path in asked], [other.where(*path) for path in asked[1:6]]])
"""
    wanted = [
        [4, None, 7, None, None, None, None, None, 13],
        [None, None, 1, 3, 4, 5, None, None, None],
        [1, 2, 3, 4, 5],
    ]
    equal(play(run, code, SERVER), wanted, "lines: merged, read again, and of the other file")


# --- write(keep=True) -----------------------------------------------------------------------------------------------


def kept(run: Runner, text: str, edit: str, changed: dict[str, list[str]], gone: tuple[str, ...] = ()) -> None:
    """Every line of a file is kept but the changed ones (old: new, as far as a writer is bound) and those gone."""
    code = f"config = place(data)\n{edit}\nemit(written(config, keep=True))"
    found = play(run, code, text).split("\n")
    at = 0
    for line in text.split("\n"):
        if line in gone:
            continue
        for wanted in changed.get(line, [line]):
            assert at < len(found), f"the file ends before {wanted!r}"
            if line in changed and wanted != line:
                equal(bare(found[at]), bare(wanted), f"line {at + 1}, changed")
            else:
                equal(found[at], wanted, f"line {at + 1}, not changed")
            at += 1
    equal(found[at:], [], "lines behind the end")


@case(turn=3)
def untouched_files_are_the_same(run: Runner) -> None:
    texts = [
        SERVER,
        SERVER.replace("\n", "\r\n"),
        "\ufeff" + SERVER,
        "a='1'\n\n\n",
        "\n\n  # nur\n\n# Kommentare\n",
        "[ a ]\n\tb  = ,\n\n\t# c\n \t[[ 'd' ]]#e\n\t\tf= '''g'''\n",
    ]
    code = """
emit([[written(place(text), keep=True), written(place(text), keep=True)] for text in data])
"""
    for found, text in zip(play(run, code, texts), texts, strict=True):
        equal(found, [text, text], "the file")


@case(turn=3)
def only_changed_lines_change(run: Runner) -> None:
    kept(run, SERVER, "config['web']['port'] = '81'", {"    port = '8080'# Standard": ["port=81#Standard"]})
    kept(
        run,
        SERVER,
        "config['log datei']['stufe'] = 'warn'\nconfig['log datei']['neu'] = 'x'\ndel config['web']['tls']['zert']",
        {"stufe = info": ["stufe=warn", "neu=x"]},
        gone=('      zert   = "/etc/zert.pem"',),
    )
    many = ['      notiz = """erste', "  zweite", 'dritte"""   # mehrzeilig']
    lines = {many[0]: ["notiz=kurz#mehrzeilig"]}
    kept(run, SERVER, "config['web']['tls']['notiz'] = 'kurz'", lines, gone=tuple(many[1:]))


@case(turn=3)
def names_and_comments_change(run: Runner) -> None:
    edit = """
config['web'].rename('hosts', 'rechner')
config.rename('log datei', 'logs')
config['web'].comments['port'].append('# neu')
config['web'].inline_comments['tls'] = '# weg'
"""
    changed = {
        '\thosts="a.example", "b.example"': ["rechner=a.example,b.example"],
        '   ["log datei"]': ["[logs]"],
        "    # nur intern": ["    # nur intern", "#neu"],
        "    [[ tls ]]   # seit Mai": ["[[tls]]#weg"],
    }
    kept(run, SERVER, edit, changed)


@case(turn=3)
def kept_lines_elsewhere(run: Runner) -> None:
    code = """
config = ConfigObj(data.split('\\n')[:-1])
out = io.BytesIO()
config.newlines = '\\n'
lines = config.write(keep=True)
config.write(out, keep=True)
config['name'] = 'Sued'
same = ConfigObj(config.write(keep=True)) == config
place(data)
config.filename = 'app.ini'
config.reload()
emit([lines, out.getvalue().decode(), same, written(config, keep=True)])
"""
    lines = SERVER.split("\n")[:-1]
    equal(play(run, code, SERVER), [lines, SERVER, True, SERVER], "lines, file object, read again, reloaded")


@case(turn=3)
def what_others_wrote_still_means_the_same(run: Runner) -> None:
    code = """
config = place(data)
other = ConfigObj(["[mail]", "an = 'marta, otto'", "[[x]]", "liste = eins, zwei"], list_values=False)
config.merge(other)
again = ConfigObj(written(config, keep=True).splitlines())
emit([again == config, again['mail']['an'], again['mail']['x']['liste'], again['web']['port']])
"""
    equal(play(run, code, SERVER), [True, "'marta, otto'", "eins, zwei", "8080"], "values that were merged")


@case(turn=3)
def lists_changed_in_place(run: Runner) -> None:
    kept(
        run,
        SERVER,
        "config['tags'].append('vier')\nconfig['web']['hosts'][0] = 'c.example'",
        {
            "tags = eins,zwei ,  'drei'   # Reihenfolge zaehlt": ["tags=eins,zwei,drei,vier#Reihenfolgezaehlt"],
            '\thosts="a.example", "b.example"': ["hosts=c.example,b.example"],
        },
    )


@case(turn=3)
def objects_changed_in_place(run: Runner) -> None:
    text = "a = {'x': [1, 2]}   # eins\nb = [ (1,2), 3 ]\n[s]\n  c  =  [[1], [2]]\n  d='''[4,\n5]'''\n"
    code = """
config = place(data, unrepr=True)
first = written(config, keep=True)
config['a']['x'].append(3)
config['s']['c'][1][0] = 7
lines = written(config, keep=True).split('\\n')
again = ConfigObj(lines, unrepr=True)
emit([first == data, lines[1:3], lines[4:], again['a'], again['s']['c']])
"""
    wanted = [True, ["b = [ (1,2), 3 ]", "[s]"], ["  d='''[4,", "5]'''", ""], {"x": [1, 2, 3]}, [[1], [7]]]
    equal(play(run, code, text), wanted, "lines and values")


# --- after validate -------------------------------------------------------------------------------------------------

CHECKED = """# Werte
anzahl   = '3'
aktiv = "yes"
namen = a ,b

[netz]
   ports = 80,  443   # beide
   host="a.example"
   faktor = '0.50'
   rest=x
"""

VALIDATE = """
from configobj.validate import Validator
spec = ['anzahl = integer(min=1)', 'aktiv = boolean', 'zusatz = integer(default=7)', '[netz]', 'ports = int_list',
        'host = string', 'faktor = float', 'zeit = integer(default=30)']

def checked(edit=lambda config: None):
    config = place(data, configspec=spec)
    edit(config)
    config.validate(Validator())
    return config
"""


@case(turn=4)
def validated_files_are_the_same(run: Runner) -> None:
    code = (
        VALIDATE
        + """
config = checked()
values = [config['anzahl'], config['aktiv'], config['netz']['ports'], config['netz']['faktor'], config['zusatz']]
first = written(config, keep=True)
config.validate(Validator())
emit([values, first, written(config, keep=True)])
"""
    )
    equal(play(run, code, CHECKED), [[3, True, [80, 443], 0.5, 7], CHECKED, CHECKED], "values and files")


@case(turn=4)
def where_after_validate(run: Runner) -> None:
    code = (
        VALIDATE
        + """
config = checked(lambda config: config.__setitem__('anzahl', '5'))
config['netz']['host'] = 'b.example'
asked = [['anzahl'], ['aktiv'], ['namen'], ['zusatz'], ['netz'], ['netz', 'ports'], ['netz', 'host'],
         ['netz', 'faktor'], ['netz', 'rest'], ['netz', 'zeit']]
emit([config.where(*path) for path in asked])
"""
    )
    equal(play(run, code, CHECKED), [None, 3, 4, None, 6, 7, None, 9, 10, None], "lines")


@case(turn=4)
def changes_around_validate(run: Runner) -> None:
    code = (
        VALIDATE
        + """
def before(config):
    config['anzahl'] = '5'
config = checked(before)
config['netz']['faktor'] = 0.75
lines = written(config, keep=True).split('\\n')
config = checked()
config['aktiv'] = False
emit([lines, written(config, keep=True).split('\\n')])
"""
    )
    lines = CHECKED.split("\n")
    one, two = play(run, code, CHECKED)
    equal([bare(one[1]), bare(one[8])], ["anzahl=5", "faktor=0.75"], "changed lines")
    equal([*one[:1], *one[2:8], *one[9:]], [*lines[:1], *lines[2:8], *lines[9:]], "other lines")
    equal([bare(two[2]), *two[:2], *two[3:]], ["aktiv=False", *lines[:2], *lines[3:]], "a change after validate()")


# --- scan goes on ---------------------------------------------------------------------------------------------------

BROKEN = [
    "a = 1",
    "nichts",
    "[s]",
    "b = 'offen",
    "[[[zu tief]]]",
    "c = 2",
    "a = '''x",
    "y'''",
    "c = '''z",
    "z'''",
    "[[t]",
    "[s]",
    "[u]",
    'd = """Ende',
]


@case(turn=5)
def scan_goes_on_behind_errors(run: Runner) -> None:
    code = """
emit([[item.kind, item.line, list(item.path) if item.kind != 'error' else item.value.line_number]
      for item in configobj.scan(data)])
"""
    wanted = [
        ["key", 1, ["a"]],
        ["error", 2, 2],
        ["section", 3, ["s"]],
        ["error", 4, 4],
        ["error", 5, 5],
        ["key", 6, ["s", "c"]],
        ["key", 7, ["s", "a"]],
        ["error", 10, 10],
        ["error", 11, 11],
        ["error", 12, 12],
        ["section", 13, ["u"]],
        ["error", 14, 14],
    ]
    found = play(run, code, BROKEN)
    # The line of a second "c" may be counted where it begins or where its error is told.
    for item in found:
        if item[0] == "error" and item[1:] == [9, 10]:
            item[1] = 10
    equal(found, wanted, "items")


@case(turn=5)
def scanned_errors_are_those_of_configobj(run: Runner) -> None:
    code = """
out = []
for lines, options in data:
    try:
        ConfigObj(lines, **options)
    except configobj.ConfigObjError as error:
        wanted = [told(one) for one in error.errors]
    found = [item.value for item in configobj.scan(lines, **options) if item.kind == 'error']
    out.append([[told(one) for one in found] == wanted, all(isinstance(e, configobj.ConfigObjError) for e in found),
                [type(one).__name__ for one in found]])
emit(out)
"""
    typed = ["a = [1, 2", "b = '''[1,", "2'''", "c = wert", "d = 4", "[d]"]
    data = [[BROKEN, {}], [typed, {"unrepr": True}], [["x"], {}]]
    names = ["ParseError"] * 2 + ["NestingError", "DuplicateError", "NestingError", "DuplicateError", "ParseError"]
    wanted = [[True, True, names], [True, True, ["UnreprError"] * 3 + ["DuplicateError"]], [True, True, ["ParseError"]]]
    equal(play(run, code, data), wanted, "errors")


# --- what was there before ------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def values_and_comments_as_before(run: Runner) -> None:
    code = """
config = ConfigObj(data.split('\\n'))
web = config['web']
emit([config.dict(), config.initial_comment, config.final_comment, config.comments, config.inline_comments,
      web.comments, web['tls'].inline_comments, config.indent_type, web['tls'].depth, web['tls'].parent is web,
      config.scalars, config.sections])
"""
    values = {
        "name": "Filiale Nord",
        "tags": ["eins", "zwei", "drei"],
        "web": {
            "port": "8080",
            "hosts": ["a.example", "b.example"],
            "tls": {"zert": "/etc/zert.pem", "notiz": "erste\n  zweite\ndritte"},
        },
        "log datei": {"pfad": "/var/log/app", "stufe": "info"},
    }
    wanted = [
        values,
        ["# Server der Filiale", "# zuletzt: Marta", ""],
        ["", "# Ende", "", ""],
        {"name": [], "tags": [], "web": [""], "log datei": [""]},
        {"name": None, "tags": "# Reihenfolge zaehlt", "web": None, "log datei": None},
        {"port": ["    # nur intern"], "hosts": [], "tls": [""]},
        {"zert": None, "notiz": "# mehrzeilig"},
        "    ",
        2,
        True,
        ["name", "tags"],
        ["web", "log datei"],
    ]
    equal(play(run, code, SERVER), wanted, "the config")


@case(turn=0, kind="p2p")
def errors_as_before(run: Runner) -> None:
    code = """
try:
    ConfigObj(data)
except configobj.ConfigObjError as error:
    many = [told(error)[:3], [told(one) for one in error.errors], error.config.dict()]
single = []
for lines in (data[:4], ['[[a]]'], ['a = 1', 'a = 2']):
    try:
        ConfigObj(lines, raise_errors=True)
    except configobj.ConfigObjError as error:
        single.append(told(error))
emit([many, single])
"""
    invalid = "Invalid line ('nichts') (matched as neither section nor keyword) at line 2."
    errors = [
        ["ParseError", invalid, 2, "nichts"],
        ["ParseError", "Parse error in value at line 4.", 4, "b = 'offen"],
        ["NestingError", "Section too nested at line 5.", 5, "[[[zu tief]]]"],
        ["DuplicateError", "Duplicate keyword name at line 10.", 10, "z'''"],
        ["NestingError", "Cannot compute the section depth at line 11.", 11, "[[t]"],
        ["DuplicateError", "Duplicate section name at line 12.", 12, "[s]"],
        ["ParseError", "Parse error in multiline value at line 14.", 14, 'd = """Ende'],
    ]
    first = ["ConfigObjError", "Parsing failed with several errors.\nFirst error at line 2.", None]
    single = [
        errors[0],
        ["NestingError", "Section too nested at line 1.", 1, "[[a]]"],
        ["DuplicateError", "Duplicate keyword name at line 2.", 2, "a = 2"],
    ]
    config = {"a": "1", "s": {"c": "2", "a": "x\ny"}, "u": {}}
    equal(play(run, code, BROKEN), [[first, errors, config], single], "errors")


@case(turn=0, kind="p2p")
def other_options_as_before(run: Runner) -> None:
    code = """
lines = ['basis = /srv', 'pfad = %(basis)s/x', 'liste = %(basis)s, b', '[s]', 'y = %(pfad)s']
config = ConfigObj(lines)
raw = ConfigObj(lines, interpolation=False, list_values=False)
typed = ConfigObj(['a = {"x": (1, 2)}', 'b = None # c'], unrepr=True)
wide = 'a = 1\\n[s]\\nb = "q"\\n'
utf16 = ConfigObj(io.BytesIO(wide.encode('utf-16')))
bom = place('\\ufeffa = 1\\n')
emit([config['pfad'], config['liste'], config['s']['y'], raw['liste'], raw['s']['y'], typed['a']['x'] == (1, 2),
      typed['b'], utf16.dict(), utf16.encoding, bom.BOM, bom.dict(), ConfigObj({'a': {'b': '1'}})['a']['b']])
"""
    wanted = [
        *["/srv/x", ["/srv", "b"], "/srv/x", "%(basis)s, b", "%(pfad)s", True, None, {"a": "1", "s": {"b": "q"}}],
        *["utf_16", True, {"a": "1"}, "1"],
    ]
    equal(play(run, code), wanted, "values")


@case(turn=0, kind="p2p")
def copies_and_reload_as_before(run: Runner) -> None:
    code = """
config = place(data)
again = pickle.loads(pickle.dumps(config))
deep = copy.deepcopy(config)
deep['web']['hosts'].append('c')
plain = ConfigObj(config)
config['web']['port'] = '1'
config.reload()
emit([again == config, again.write() is None, deep['web']['hosts'], config['web']['hosts'], config['web']['port'],
      plain == config, again['web'].main is again, deep.comments == config.comments])
"""
    hosts = ["a.example", "b.example"]
    equal(play(run, code, SERVER), [True, True, [*hosts, "c"], hosts, "8080", True, True, True], "copies")


@case(turn=0, kind="p2p")
def plain_write_as_before(run: Runner) -> None:
    code = """
config = place(data)
config['web']['neu'] = "it's, ok"
emit([written(config), config.write(io.BytesIO())])
"""
    wanted = """# Server der Filiale
# zuletzt: Marta

name = Filiale Nord
tags = eins, zwei, drei    # Reihenfolge zaehlt

[web]
    # nur intern
    port = 8080    # Standard
    hosts = a.example, b.example
    neu = "it's, ok"
    \n    [[tls]]    # seit Mai
        zert = /etc/zert.pem
        \n        notiz = '''erste
  zweite
dritte'''    # mehrzeilig

[log datei]
    pfad = /var/log/app
    stufe = info

# Ende
"""
    equal(play(run, code, SERVER), [wanted, None], "the file")


@case(turn=0, kind="p2p")
def written_after_validate_as_before(run: Runner) -> None:
    code = (
        VALIDATE
        + """
config = checked()
config['netz']['host'] = 'b.example'
lines = written(config).split('\\n')
config.filename = None
emit([lines, config.write()])
"""
    )
    wanted = [
        *["# Werte", "anzahl = 3", "aktiv = True", "namen = a, b", "", "[netz]", "   ports = 80, 443   # beide"],
        *["   host = b.example", "   faktor = 0.5", "   rest = x"],
    ]
    equal(play(run, code, CHECKED), [[*wanted, ""], wanted], "lines")
