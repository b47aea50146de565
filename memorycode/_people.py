"""Who meets: names, firms and characters. A dialogue draws two people and a firm."""

from typing import Final

MENTORS: Final = (
    "Adaeze", "Bruno", "Carmen", "Dieter", "Esther", "Farid", "Greta", "Hideo", "Ingrid", "Jorge", "Katja", "Leila",
    "Mateo", "Nadia", "Oskar", "Priya", "Rosa", "Stefan", "Tamara", "Viktor", "Wanjiru", "Yusuf", "Zofia", "Anselm",
)  # fmt: skip
MENTEES: Final = (
    "Alice", "Ben", "Chiara", "Daniel", "Eun-ji", "Finn", "Gabriela", "Hugo", "Ines", "Jonas", "Kofi", "Lucia",
    "Marek", "Nina", "Olga", "Pavel", "Quentin", "Runa", "Samir", "Thea", "Ugo", "Vera", "Willem", "Xenia",
)  # fmt: skip
COLLEAGUES: Final = (
    "Amara", "Bjarne", "Celeste", "Dmitri", "Elif", "Florian", "Gita", "Henrik", "Isabel", "Jamal", "Keiko", "Lars",
    "Mona", "Nils", "Ottilie", "Pierre", "Ramona", "Sven", "Tuan", "Ulrike", "Vanessa", "Wolf", "Yara", "Zeno",
)  # fmt: skip

FIRMS: Final = (
    ("Larkspur Freight", "route plans for small haulage firms"),
    ("Brightwater", "billing for municipal water works"),
    ("Tallow & Finch", "stock keeping for independent bookshops"),
    ("Quillon", "appointment calendars for dental practices"),
    ("Northmoor Labs", "sample tracking for soil laboratories"),
    ("Cobalt Orchard", "harvest forecasts for fruit growers"),
    ("Pinnacle Loom", "pattern archives for weaving mills"),
    ("Harbourline", "berth bookings for marinas"),
    ("Saffron Desk", "rotas for restaurant kitchens"),
    ("Everside", "maintenance records for lifts"),
    ("Mosaic Rail", "seat maps for regional trains"),
    ("Kestrel Health", "vaccination registers for clinics"),
    ("Ferrymen", "ticketing for river ferries"),
    ("Open Hearth", "energy reports for housing societies"),
    ("Tessera", "floor plans for museums"),
    ("Blue Heron", "water levels for canoe clubs"),
    ("Wayfarer Press", "subscriptions for local newspapers"),
    ("Granite Peak", "piste reports for ski areas"),
    ("Hollow Oak", "loans for tool libraries"),
)
"""Name of the firm and what its Python software is for."""

MENTOR_CHARACTERS: Final = (
    "patient, explains by comparisons with cooking",
    "brisk, likes short meetings and clear decisions",
    "warm, asks after people before talking about work",
    "dry, has seen every framework come and go",
    "precise, keeps a paper notebook and quotes from it",
)
MENTEE_CHARACTERS: Final = (
    "curious, takes notes all the time",
    "quiet, thinks before answering",
    "eager, wants to try everything at once",
    "careful, repeats what was agreed",
    "cheerful, came to programming from music",
    "ambitious, moved over from data entry last year",
)
