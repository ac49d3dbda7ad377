"""The words that people name times with, in lower case, in five languages."""

import re
from collections.abc import Iterable
from typing import Final

from zapomni_core.retrieval.periods.spans import Unit

__all__ = [
    "BARE_MONTHS",
    "CALENDAR_UNITS",
    "DAY_WORDS",
    "ENGLISH_LEADS",
    "ENGLISH_MONTHS",
    "LEADS",
    "MONTHS",
    "NUMBERS",
    "PARTS_OF_DAY",
    "PARTS_OF_SPAN",
    "RECENTLY",
    "SEASONS",
    "TIME_WORDS",
    "UNITS",
    "WEEKDAYS",
    "any_of",
]


def any_of(phrases: Iterable[str]) -> str:
    """Write the pattern of any of these phrases, the longest first."""
    longest_first = sorted(phrases, key=len, reverse=True)
    return "(?:" + "|".join(r"\s+".join(map(re.escape, p.split())) for p in longest_first) + ")"


def _numbered(rows: Iterable[str], first: int) -> dict[str, int]:
    return {word: number for number, row in enumerate(rows, first) for word in row.split()}


def _meaning[T](rows: dict[T, str]) -> dict[str, T]:
    """Turn "meaning: phrase, phrase" around."""
    return {phrase: meaning for meaning, row in rows.items() for phrase in row.split(", ")}


_ENGLISH: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SHORT: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_OTHER: Final = (
    "januar jänner janvier enero январь января январе",
    "februar février febrero февраль февраля феврале",
    "märz mars marzo март марта марте",
    "avril abril апрель апреля апреле",
    "mai mayo май мая мае",
    "juni juin junio июнь июня июне",
    "juli juillet julio июль июля июле",
    "août agosto август августа августе",
    "septembre septiembre сентябрь сентября сентябре",
    "oktober octobre octubre октябрь октября октябре",
    "novembre noviembre ноябрь ноября ноябре",
    "dezember décembre diciembre декабрь декабря декабре",
)
ENGLISH_MONTHS: Final = frozenset(_ENGLISH)
BARE_MONTHS: Final = _numbered(_ENGLISH, 1) | _numbered(_OTHER, 1)
MONTHS: Final = BARE_MONTHS | _numbered(_SHORT.split(), 1) | {"sept": 9}

# "sat", "sun" and "wed" are other words more often.
WEEKDAYS: Final = _numbered(
    (
        *("monday mon", "tuesday tue tues", "wednesday", "thursday thu thurs"),
        *("friday fri", "saturday", "sunday"),
    ),
    0,
)
SEASONS: Final = _numbered(
    (
        "winter hiver invierno зима зимой зимы",
        "spring frühling frühjahr printemps primavera весна весной весны",
        "summer sommer été verano лето летом лета",
        "autumn fall herbst automne otoño осень осенью осени",
    ),
    0,
)
UNITS: Final[dict[str, Unit]] = _meaning(
    {
        "minute": "minute, minutes, minuten, minutos, минуту, минуты, минут",
        "hour": "hour, hours, stunde, stunden, heure, heures, hora, horas, час, часа, часов",
        "day": "day, days, tag, tage, tagen, jour, jours, día, días, dia, dias, день, дня, дней",
        "weekend": "weekend, weekends",
        "week": "week, weeks, woche, wochen, semaine, semaines, semana, semanas, "
        "неделю, недели, недель",
        "month": "month, months, monat, monate, monaten, mois, mes, meses, месяц, месяца, месяцев",
        "quarter": "quarter, quarters",
        "year": "year, years, jahr, jahre, jahren, ans, année, années, año, años, год, года, лет",
        "decade": "decade, decades",
    }
)
NUMBERS: Final[dict[str, tuple[int, int]]] = _meaning(
    {
        (1, 1): "a, an, one, ein, eine, einem, einer, einen, un, une, una, один, одну",
        (2, 2): "two, a couple of, a couple, couple of, couple, zwei, deux, dos, два, две, пару",
        (3, 3): "three, drei, trois, tres, три",
        (4, 4): "four, vier, quatre, cuatro, четыре",
        (5, 5): "five, fünf, cinq, cinco, пять",
        (6, 6): "six, sechs, seis, шесть",
        (7, 7): "seven, sieben, sept, siete, семь",
        (8, 8): "eight, acht, huit, ocho, восемь",
        (9, 9): "nine, neun, neuf, nueve, девять",
        (10, 10): "ten, zehn, dix, diez, десять",
        (11, 11): "eleven",
        (12, 12): "twelve",
        (15, 15): "fifteen",
        (20, 20): "twenty",
        (30, 30): "thirty",
        (2, 6): "a few, few, some, einigen, ein paar, quelques, unos, unas, несколько",
        (3, 8): "several",
    }
)
DAY_WORDS: Final = _meaning(
    {
        0: "today, heute, aujourd'hui, aujourd’hui, hoy, сегодня",
        -1: "yesterday, gestern, hier, ayer, вчера",
        -2: "the day before yesterday, vorgestern, avant-hier, anteayer, позавчера",
    }
)
PARTS_OF_DAY: Final = {
    "morning": (5, 12),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "night": (18, 30),
}
CALENDAR_UNITS: Final[dict[str, tuple[int, Unit]]] = _meaning(
    {
        (1, "week"): "на прошлой неделе, letzte woche, letzter woche, vorige woche, "
        "la semaine dernière, la semaine passée, la semana pasada",
        (1, "month"): "в прошлом месяце, letzten monat, vorigen monat, "
        "le mois dernier, el mes pasado",
        (1, "year"): "в прошлом году, letztes jahr, letzten jahr, voriges jahr, "
        "l'année dernière, l’année dernière, l'an dernier, l’an dernier, el año pasado",
        (0, "week"): "на этой неделе, diese woche, dieser woche, cette semaine, esta semana",
        (0, "month"): "в этом месяце, diesen monat, diesem monat, ce mois-ci, este mes",
        (0, "year"): "в этом году, dieses jahr, diesem jahr, cette année, este año",
    }
)
RECENTLY: Final = _meaning(
    {
        21: "recently, lately, недавно, в последнее время, kürzlich, neulich, "
        "in letzter zeit, récemment, dernièrement, recientemente, últimamente",
        7: "the other day, на днях, l'autre jour, l’autre jour, el otro día",
    }
)

_LEADS: Final = {
    "in": "in, during, throughout, circa, as of, month of",
    "around": "around",
    "over": "over",
    "on": "on",
    "before": "before, prior to",
    "after": "after",
    "since": "since",
    "until": "until, till",
    "by": "by",
    "from": "from",
    "between": "between",
}
_OTHER_LEADS: Final = {
    "in": "im, im jahr, en, en el, au, в, во, während, durante",
    "before": "vor, avant, avant le, antes de, antes del, до",
    "after": "nach, nach dem, après, après le, después de, después del, после",
    "since": "seit, seit dem, depuis, depuis le, desde, desde el, с, со",
    "until": "bis, bis zum, jusqu'en, jusqu’en, jusqu'au, jusqu’au, hasta, hasta el",
    "from": "vom, von",
    "between": "zwischen, entre, между",
}
ENGLISH_LEADS: Final = frozenset(_meaning(_LEADS))
LEADS: Final = _meaning(_LEADS) | _meaning(_OTHER_LEADS)

_THIRDS: Final = {
    0: "early, early in, beginning of, start of, anfang, début, principios de, начале, в начале",
    1: "mid, middle of, mitte, mediados de, середине, в середине",
    2: "late, late in, end of, ende, fin, finales de, конце, в конце",
}
PARTS_OF_SPAN: Final[dict[str, tuple[int, int, int]]] = {
    **{part: (third, third + 1, 3) for part, third in _meaning(_THIRDS).items()},
    "first half of": (0, 1, 2),
    "second half of": (1, 2, 2),
}

_LAST_WORDS: Final = (
    re.findall(r"\w+", phrase)[-1] for phrase in (*DAY_WORDS, *CALENDAR_UNITS, *RECENTLY)
)
TIME_WORDS: Final = frozenset(
    (
        *(*MONTHS, *WEEKDAYS, *SEASONS, *UNITS, *PARTS_OF_DAY, *_LAST_WORDS),
        *("tonight", "q1", "q2", "q3", "q4"),
    )
)
