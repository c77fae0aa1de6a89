"""The phrases that the sample archive is made of. Data only; `generate.py` puts them together.

Follow-ups after a repair come in two halves. `known` is what the shipped archive uses and what the demo model's lexicon was
written for. `unseen` says the same things in words that the lexicon must not know: a test makes an archive of them and
checks that the demo model then says "unknown" instead of guessing.
"""

CAUSES = {
    "roof": {
        "places": [
            "beam",
            "skylight",
            "north corner",
            "ceiling joint",
            "roof outlet",
            "valley gutter",
            "parapet",
            "vent pipe",
        ],
        "repairs": [
            "Flashing renewed at the {place}, joint sealed.",
            "Membrane patched over the {place}, 2 m of felt renewed.",
            "{contractor} resealed the {place}, repair accepted.",
            "Felt repaired above the {place}, three tiles replaced.",
            "Roofers fixed the {place}, new lead flashing fitted.",
            "Crack over the {place} sealed with bitumen, order closed.",
        ],
    },
    "window": {
        "places": ["window head", "sill", "west window", "window frame", "glazing joint", "rooflight frame"],
        "repairs": [
            "{contractor} resealed the {place}, old mastic cut out.",
            "New gasket fitted at the {place}, joint sealed.",
            "Putty at the {place} renewed, frame refixed.",
            "Outer seal of the {place} replaced, repair accepted.",
            "Drain holes of the {place} cleared, joint repaired.",
        ],
    },
    "pipe": {
        "places": ["radiator valve", "pipe joint", "basin trap", "riser", "condensate line", "stop valve"],
        "repairs": [
            "Coupling at the {place} replaced, pressure held.",
            "{place} repaired, new washers fitted.",
            "{contractor} soldered the {place}, repair accepted.",
            "Section of pipe at the {place} renewed, clamp removed.",
            "Joint at the {place} sealed, order closed.",
        ],
    },
}

FIRST_REPORTS = [
    "Leak at the {place}, bucket placed.",
    "Water at the {place} over desk {n}.",
    "Tenant reports a leak at the {place} since {weather}.",
    "Dripping from the {place}, floor wet over {n} m.",
    "Wet patch at the {place}, meter {wet} %.",
    "{place} leaks in {weather}, towels laid out.",
    "Puddle below the {place}, about {n} litres.",
    "Ceiling tile soaked at the {place}, taken down.",
    "Drip every {n} seconds at the {place}.",
    "Reported leak confirmed at the {place}, photo taken.",
]

BEFORE_REPAIR = [
    "Dripped again during the night at the {place}, roofer not here yet.",
    "Wet again at the {place}, the repair is still to come.",
    "Water is back at the {place}, bucket emptied, waiting for {contractor}.",
    "Dripping again at the {place}; contractor reminded.",
]

FOLLOW_UPS = {
    "known": {
        "back": [
            "Dripped again after heavy rain, same {place}.",
            "Dripping again at the {place} since {weather}.",
            "Water is back at the {place}, bucket out.",
            "Wet again at the {place} after {weather}.",
            "Same {place} wet again this morning.",
            "Water again at the {place}, the patch has lifted.",
            "Damp patch is back at the {place}, meter {wet} %.",
            "Came back at the {place}: fresh water on the floor.",
            "Third visit, the {place} drips again.",
            "The {place} is dripping once more, towels laid out.",
            "Water running down at the {place} again.",
            "Drip has returned at the {place} after {weather}.",
            "New wet ring around the old one at the {place}, meter {wet} %.",
            "Puddle under the {place} again, about {n} litres.",
            "Job reopened: water comes in at the {place} as before.",
            "Repair did not hold, {place} is wet again.",
        ],
        "dry": [
            "Stain is old and dry, meter {dry} %.",
            "Dry at the {place}, meter {dry} %.",
            "No drip at the {place} since the repair, {weather} included.",
            "Checked after {weather}: no leak, {place} dry.",
            "The {place} has not dripped since.",
            "The {place} stayed dry through {weather}.",
            "Ring at the {place} is old, dry to the touch.",
            "No water at the {place} after {weather}.",
            "Nothing new at the {place}, stain unchanged and dry.",
            "Meter {dry} % at the {place}, dry, closed.",
            "Still dry at the {place} after {weather}.",
            "No further leak at the {place}, job closed.",
            "Not wet again at the {place}, {weather} included.",
        ],
    },
    "unseen": {
        "back": [
            "The {place} has started up once more, pan half full by noon.",
            "Pan under the {place} filled overnight, as in spring.",
            "Tiles below the {place} soaked through, the work has to be done over.",
            "Tenant mopped up under the {place} twice since the roofers left.",
            "It is coming through at the {place} like before.",
            "The {place} weeps whenever it blows from the west.",
            "Bucket needed under the {place} just as before the job.",
            "Sweating and running at the {place}, meter off the scale.",
            "Seal has failed, rain finds its way past the {place}.",
            "Plaster under the {place} has turned soft and dark since {weather}.",
            "The job at the {place} was for nothing.",
        ],
        "dry": [
            "The {place} held through {weather}, file can go.",
            "Paper towel left on the {place} for a week came away crisp.",
            "All well overhead since the job, {weather} made no odds.",
            "Ring at the {place} has the same outline as in the photo.",
            "Bucket was taken away in June and never asked for.",
            "Tenant content, the {place} is as it should be.",
            "Touched the {place}: chalky, unchanged.",
            "Probe reads {dry} at the {place}, as for the wall next door.",
        ],
    },
}

OTHER_CAUSE = [
    "Drops on the glass are condensation, not the {place}; the {place} is dry.",
    "Puddle was a spilled coffee, mopped up; {place} dry, meter {dry} %.",
    "Tide mark on the carpet is from the cleaning machine, {place} dry.",
]

NO_NEWS = [
    "Ceiling painted white after the works, tiles refitted.",
    "Room locked, tenant away, could not look.",
    "Invoice for the works checked and passed.",
    "Scaffolding outside taken down.",
    "Desk {n} put back under the {place}.",
]

NEIGHBOURS = ["on the side next to {neighbour}", "at the wall next to {neighbour}", "on the side towards {neighbour}"]

WEATHERS = [
    "heavy rain", "two days of rain", "the storm", "the thaw", "last night's downpour", "the wet weekend", "the cloudburst",
    "the gale", "a week of showers", "the hailstorm",
]  # fmt: skip

WATER_ASIDES = [
    "Photo {number} filed.", "Tenant informed.", "Signed {initials}.", "Area taped off.", "{person} told by phone.",
    "See the sketch in the folder.", "Seen together with {person}.", "Entered by {initials}, {minutes} min.", "",
]  # fmt: skip

SKY = {
    "winter": [
        "light rain",
        "fog until ten",
        "frost, gritted the ramps",
        "snow, 4 cm",
        "clear and cold",
        "storm warning",
        "overcast, 3 degrees",
    ],
    "spring": [
        "light rain",
        "overcast, 9 degrees",
        "wind from the west",
        "showers",
        "heavy rain",
        "mild and still",
        "clear, 14 degrees",
    ],
    "summer": [
        "sunny, 21 degrees",
        "hot, 31 degrees",
        "thunder in the evening",
        "showers",
        "mild and still",
        "sunny, 26 degrees",
    ],
    "autumn": [
        "drizzle all day",
        "fog until ten",
        "heavy rain",
        "wind from the west",
        "storm warning",
        "overcast, 9 degrees",
    ],
}

PEOPLE = {
    "MO": "M. Ortiz", "JL": "J. Lindqvist", "KB": "K. Brandt", "TS": "T. Sato", "HN": "H. Novak", "RP": "R. Pereira",
    "DA": "D. Achterberg", "EV": "E. Virtanen",
}  # fmt: skip

CONTRACTORS = ["Hallam Roofing", "Verity Plumbing", "Norden Glazing", "Kestrel Services", "Ostermann & Daughters"]

TRADES = {
    "lighting": [
        ("Lamp over desk {n} flickers.", "Starter swapped, light steady."),
        ("Two tubes out by the door.", "Tubes replaced, ballast checked."),
        ("Light switch loose, sparks when pressed.", "Switch tightened and tested."),
        ("Emergency light fails its test.", "Battery of the light changed, test passed."),
        ("Desk lamp hums.", "Lamp changed for LED, {number} noted."),
        ("Light leak at the blackout blind, slides hard to see.", "Strip of felt glued to the blind, dark enough now."),
        ("Motion sensor leaves the light on all night.", "Sensor of the light set to {minutes} min."),
    ],
    "doors": [
        ("Door scrapes on the floor.", "Door planed and rehung."),
        ("Lock sticks, key turns only halfway.", "Lock oiled and adjusted."),
        ("Door closer slams.", "Closer of the door set softer."),
        ("Handle came off the door.", "Handle refitted with new screws."),
        ("Card reader beeps but the door stays shut.", "Reader restarted, card {number} works."),
        ("Hinge of the door squeaks again.", "Hinge greased, door runs freely."),
    ],
    "heating": [
        ("Radiator cold at the top.", "Radiator bled, warm within {minutes} min."),
        ("Too warm, {person} cannot turn the heating down.", "Heating curve lowered by two degrees."),
        ("Knocking in the heating at six in the morning.", "Pump of the heating set to constant speed."),
        ("Thermostat shows E{n}.", "Thermostat replaced."),
        ("Only 17 degrees at nine, tenants in coats.", "Heating timer corrected, fan heater lent until Friday."),
    ],
    "furniture": [
        ("Chair with a broken gas spring.", "Chair swapped for one from the store."),
        ("Desk {n} wobbles.", "Desk levelled with felt pads."),
        ("Shelf comes off the wall.", "Shelf fixed with longer plugs."),
        ("Cupboard key {number} lost.", "Cupboard opened, cylinder changed."),
        ("Whiteboard hangs askew.", "Whiteboard rehung {n} cm lower."),
    ],
    "network": [
        ("Socket {number} has no network.", "Network cable repatched, {n} ports tested."),
        ("Projector shows a green tinge.", "Projector lamp at 3{n}00 hours, replaced."),
        ("Wireless drops whenever the printer starts.", "Access point of the network moved."),
        ("Printer jams on every third page.", "Printer rollers cleaned."),
        ("Screen of the room display stays black.", "Display restarted, network address renewed."),
    ],
    "painting": [
        ("Wall scuffed by the moving firm.", "Wall painted, dry by noon."),
        ("Paint flakes behind the door.", "Two coats of paint, room can be used tomorrow."),
        ("Carpet edge lifts, someone tripped.", "Carpet glued down along {n} m."),
        ("Old paint stain on the carpet.", "Stain on the carpet removed, edge still dark."),
        ("Skirting kicked in.", "Skirting repaired and painted."),
    ],
    "blinds": [
        ("Blind stuck halfway.", "Slats of the blind straightened."),
        ("Cord of the blind torn.", "Blind cord replaced."),
        ("Blind motor runs the wrong way.", "Motor of the blind taught anew, end stops set."),
        ("Shutter rattles in the wind.", "Shutter screwed tight."),
    ],
    "ventilation": [
        ("Stuffy since the ventilation timer was changed.", "Timer of the ventilation set back."),
        ("Ventilation rattles at high speed.", "Fan belt tightened."),
        ("Smell of food from the extract grille.", "Grille cleaned, ventilation measured at {minutes} l/s."),
        ("Filter light is on.", "Ventilation filter changed, {number} noted."),
    ],
    "safety": [
        ("Extinguisher past its date.", "Extinguisher swapped, next check {number}."),
        ("Smoke detector chirps.", "Detector battery replaced."),
        ("Escape sign dark.", "Escape sign repaired, test book filled in."),
        ("First aid box without plasters.", "First aid box refilled."),
    ],
    "keys": [
        ("Key {number} missing after the change of tenants.", "Key copied and handed to {person}."),
        ("Key safe will not open.", "Key safe opened with the master key."),
        ("The leaked memo about the move has tenants asking for new keys.", "Told them that the keys stay as they are."),
        ("Name plate still shows the old tenant.", "Name plate printed, key list brought up to date."),
    ],
}  # fmt: skip
"""Trade -> (what was wrong, what was done)."""

LATER = [
    "Part ordered from {contractor}.", "Looked at it, needs a second pair of hands.", "Put on the list for week {minutes}.",
]  # fmt: skip

ASIDES = [
    "{person} signed for it.",
    "Took {minutes} min.",
    "{initials}",
    "Part from stock, {n} left.",
    "Tenant was not in, note left on the desk.",
    "Second request this quarter.",
    "Told {person}.",
    "Will look again next week.",
    "Done between two lectures.",
    "Costs to the department.",
    "Invoice {number} to follow.",
    "Waited {minutes} min for the porter.",
    "Helped by a student.",
    "Ladder borrowed from block {block}.",
    "",
    "",
]

AIR_LEAK = [
    ("Air leak at the compressor, hissing at the coupling.", "Compressor coupling repaired, hiss gone, holds 8 bar."),
    ("Compressor runs all night, air leak suspected.", "Hose of the compressor replaced, holds 8 bar."),
    ("Gas leak alarm test in the lab, horn too quiet.", "Horn of the gas alarm replaced, alarm test passed."),
]

CORRIDOR = "{n} lamps out, {minutes} min, seen by {initials}."

LOG_LINES = [
    "INFO  rm={room} setpoint 1{n}.5 C valve {minutes} %",
    "INFO  rm={room} fan stage 2, filter ok",
    "INFO  rm={room} CO2 4{minutes} ppm",
    "WARN  rm={room} setpoint not reached after {minutes} min",
    "INFO  rm={room} night mode on",
    "INFO  rm={room} window contact open",
    "WARN  rm={room} bus module restarted, counter {number}",
    "INFO  rm={room} presence end, light off",
]
