"""Periods: which time a query speaks of."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zapomni_core.retrieval.periods import mentioned_period

WEDNESDAY = datetime(2024, 6, 12, 15, 30, tzinfo=UTC)
DAY_MS = 86_400_000
WORDS = """
may march in on last this the of early week before after between and to from 31 30 February 29
2023 1999 2000 99 999 years ago days hours 8.5. / - , summer Q3 1990s yesterday Friday past half
two few a 2023-13-45 until by over year weekend second вчера года в мая vor Tagen il y hier İ ſ
"""


def ms(moment: str) -> int:
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()) * 1000


def read(query: str, reference: datetime = WEDNESDAY) -> tuple[int | None, int | None]:
    period = mentioned_period(query, reference)
    assert period is not None, query
    return period.start_ms, period.end_ms


def one_day(written: str) -> tuple[int, int]:
    return ms(written), ms(written) + DAY_MS


@pytest.mark.parametrize(
    "query",
    [
        "What happened on 8 May 2023?",
        "the call of 8th May, 2023",
        "8 may 2023",
        "8 May, 2023",
        "the 8th of May 2023",
        "May 8th, 2023",
        "May 8,2023",
        "May-8-2023",
        "8-May-2023",
        "8.5.2023",
        "08.05.2023",
        "2023-05-08",
        "2023/05/08",
        "the log of 2023-05-08T10:15:00Z",
        "Monday, May 8 last year",
        "on Monday, 8 May 2023",
        "last Friday on 8 May, 2023",
        "recently, as mentioned on 8 May 2023",
        "am 8. Mai 2023",
        "le 8 mai 2023",
        "el 8 de mayo de 2023",
        "что было 8 мая 2023 года",
        "8 мая прошлого года",
    ],
)
def test_a_date_is_read_in_every_usual_spelling(query: str) -> None:
    assert read(query) == one_day("2023-05-08")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("5/8/2023", "2023-05-08"),
        ("25/8/2023", "2023-08-25"),
        ("5/8/23", "2023-05-08"),
        ("05-08-2023", "2023-05-08"),
        ("8.5.2023", "2023-05-08"),
    ],
)
def test_the_month_comes_first_between_slashes_unless_it_cannot(query: str, expected: str) -> None:
    assert read(query) == one_day(expected)


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("in March 2023", "2023-03-01", "2023-04-01"),
        ("December of 2023", "2023-12-01", "2024-01-01"),
        ("05/2023", "2023-05-01", "2023-06-01"),
        ("2023-05", "2023-05-01", "2023-06-01"),
        ("Sept 2023", "2023-09-01", "2023-10-01"),
        ("in May last year", "2023-05-01", "2023-06-01"),
        ("in 2022", "2022-01-01", "2023-01-01"),
        ("during the year 2022", "2022-01-01", "2023-01-01"),
        ("summer 2023", "2023-06-01", "2023-09-01"),
        ("the fall of 2023", "2023-09-01", "2023-12-01"),
        ("winter 2023", "2022-12-01", "2023-03-01"),
        ("winter 2023/24", "2023-12-01", "2024-03-01"),
        ("Q3 2023", "2023-07-01", "2023-10-01"),
        ("2023 Q3", "2023-07-01", "2023-10-01"),
        ("the third quarter of 2023", "2023-07-01", "2023-10-01"),
        ("the 1990s", "1990-01-01", "2000-01-01"),
        ("in the 90s", "1990-01-01", "2000-01-01"),
        ("early May 2023", "2023-05-01", "2023-05-11"),
        ("mid-May 2023", "2023-05-11", "2023-05-21"),
        ("at the end of May 2023", "2023-05-21", "2023-06-01"),
        ("the first half of September 2022", "2022-09-01", "2022-09-16"),
        ("the second week of November 2023", "2023-11-08", "2023-11-15"),
        ("the last week of November 2023", "2023-11-24", "2023-12-01"),
        ("the week of 16 August 2023", "2023-08-14", "2023-08-21"),
        ("the week of July 21, 2024", "2024-07-21", "2024-07-28"),
        ("late 2022", "2022-09-01", "2023-01-01"),
    ],
)
def test_longer_times_are_read_from_their_names(query: str, start: str, end: str) -> None:
    assert read(query) == (ms(start), ms(end))


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("in March", "2024-03-01", "2024-04-01"),
        ("in June", "2024-06-01", "2024-07-01"),
        ("in July", "2023-07-01", "2023-08-01"),
        ("in may", "2024-05-01", "2024-06-01"),
        ("mid-November", "2023-11-11", "2023-11-21"),
        ("Michele's July 8 workshop", "2023-07-08", "2023-07-09"),
        ("the June 12 call", "2024-06-12", "2024-06-13"),
        ("on 29 February", "2024-02-29", "2024-03-01"),
        ("during the summer", "2024-06-01", "2024-09-01"),
        ("over the winter", "2023-12-01", "2024-03-01"),
        ("in Q4", "2023-10-01", "2024-01-01"),
    ],
)
def test_without_a_year_the_latest_one_that_has_begun_is_meant(
    query: str, start: str, end: str
) -> None:
    assert read(query) == (ms(start), ms(end))


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("between May and July 2023", "2023-05-01", "2023-08-01"),
        ("between May 2023 and July", "2023-05-01", "2023-08-01"),
        ("between early May and late July 2023", "2023-05-01", "2023-08-01"),
        ("from November to February", "2023-11-01", "2024-03-01"),
        ("June and July 2023", "2023-06-01", "2023-08-01"),
        ("from 3 to 5 June 2023", "2023-06-03", "2023-06-06"),
        ("June 3-5, 2023", "2023-06-03", "2023-06-06"),
        ("March 15 - April 2, 2024", "2024-03-15", "2024-04-03"),
        ("between August 11 and August 15 2023", "2023-08-11", "2023-08-16"),
        ("from 2019 to 2021", "2019-01-01", "2022-01-01"),
        ("in 2019-2021", "2019-01-01", "2022-01-01"),
        ("yesterday and today", "2024-06-11", "2024-06-13"),
    ],
)
def test_a_range_covers_both_ends(query: str, start: str, end: str) -> None:
    assert read(query) == (ms(start), ms(end))


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("today", "2024-06-12", "2024-06-13"),
        ("yesterday's meeting", "2024-06-11", "2024-06-12"),
        ("the day before yesterday", "2024-06-10", "2024-06-11"),
        ("this morning", "2024-06-12T05:00", "2024-06-12T12:00"),
        ("yesterday evening", "2024-06-11T17:00", "2024-06-12"),
        ("last night", "2024-06-11T18:00", "2024-06-12T06:00"),
        ("on Monday", "2024-06-10", "2024-06-11"),
        ("on Wednesday", "2024-06-12", "2024-06-13"),
        ("last Wednesday", "2024-06-05", "2024-06-06"),
        ("last Friday", "2024-06-07", "2024-06-08"),
        ("this Friday", "2024-06-14", "2024-06-15"),
        ("this week", "2024-06-10", "2024-06-17"),
        ("last week", "2024-06-03", "2024-06-10"),
        ("the past week", "2024-06-05", "2024-06-13"),
        ("last weekend", "2024-06-08", "2024-06-10"),
        ("last month", "2024-05-01", "2024-06-01"),
        ("last quarter", "2024-01-01", "2024-04-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("last March", "2024-03-01", "2024-04-01"),
        ("last June", "2023-06-01", "2023-07-01"),
        ("last summer", "2023-06-01", "2023-09-01"),
        ("3 days ago", "2024-06-09", "2024-06-10"),
        ("two weeks ago", "2024-05-26", "2024-06-02"),
        ("a month ago", "2024-04-27", "2024-05-28"),
        ("4 years ago", "2019-12-13", "2020-12-12"),
        ("a few days ago", "2024-06-06", "2024-06-11"),
        ("2 hours ago", "2024-06-12T13:00", "2024-06-12T14:00"),
        ("in the last ten days", "2024-06-02", "2024-06-13"),
        ("over the past couple of weeks", "2024-05-29", "2024-06-13"),
        ("in the past 24 hours", "2024-06-11T15:30", "2024-06-12T15:30"),
        ("What did she paint recently?", "2024-05-22", "2024-06-13"),
        ("the other day", "2024-06-05", "2024-06-13"),
        ("the week before August 3, 2023", "2023-07-27", "2023-08-03"),
        ("two weeks before August 11, 2023", "2023-07-25", "2023-08-01"),
        ("the Sunday before October 25, 2022", "2022-10-23", "2022-10-24"),
        ("the weekend after 5 May 2023", "2023-05-06", "2023-05-08"),
        ("the day after 5 May 2023", "2023-05-06", "2023-05-07"),
        ("вчера", "2024-06-11", "2024-06-12"),
        ("на прошлой неделе", "2024-06-03", "2024-06-10"),
        ("в прошлом месяце", "2024-05-01", "2024-06-01"),
        ("3 дня назад", "2024-06-09", "2024-06-10"),
        ("неделю назад", "2024-06-02", "2024-06-09"),
        ("летом 2022", "2022-06-01", "2022-09-01"),
        ("в 2022 году", "2022-01-01", "2023-01-01"),
        ("в марте", "2024-03-01", "2024-04-01"),
        ("gestern", "2024-06-11", "2024-06-12"),
        ("letzte Woche", "2024-06-03", "2024-06-10"),
        ("vor drei Tagen", "2024-06-09", "2024-06-10"),
        ("im März 2023", "2023-03-01", "2023-04-01"),
        ("Qu'est-ce que j'ai fait hier ?", "2024-06-11", "2024-06-12"),
        ("le mois dernier", "2024-05-01", "2024-06-01"),
        ("il y a 3 jours", "2024-06-09", "2024-06-10"),
        ("en mars 2023", "2023-03-01", "2023-04-01"),
        ("ayer", "2024-06-11", "2024-06-12"),
        ("la semana pasada", "2024-06-03", "2024-06-10"),
        ("hace dos semanas", "2024-05-26", "2024-06-02"),
        ("en marzo de 2023", "2023-03-01", "2023-04-01"),
    ],
)
def test_relative_times_are_counted_from_the_reference_or_the_named_day(
    query: str, start: str, end: str
) -> None:
    assert read(query) == (ms(start), ms(end))


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("before 2020", None, "2020-01-01"),
        ("prior to March 2023", None, "2023-03-01"),
        ("until June", None, "2024-07-01"),
        ("by July 10, 2022", None, "2022-07-11"),
        ("after March 2023", "2023-04-01", None),
        ("since March", "2024-03-01", None),
        ("since last week", "2024-06-03", None),
        ("since the beginning of 2023", "2023-01-01", None),
        ("с марта 2023", "2023-03-01", None),
        ("seit 2020", "2020-01-01", None),
    ],
)
def test_before_and_since_leave_one_side_open(
    query: str, start: str | None, end: str | None
) -> None:
    assert read(query) == (start and ms(start), end and ms(end))


@pytest.mark.parametrize(
    "query",
    [
        "",
        "When did Caroline go to the support group?",
        "What date was the party, and how long ago?",
        "Which month was John in Italy?",
        "May I ask you something",
        "May said she would call",
        "Did you ask before May left?",
        "This may be wrong, it may last year after year",
        "Top 5 may include pizza",
        "May 5 users log in at once?",
        "I march every morning",
        "What did June say to April?",
        "chicken in mayo",
        "the Mars 2020 rover",
        "Python 3.12.1 or version 8.5.23",
        "limit of 2000 users",
        "more than 2024?",
        "which file has over 2000 lines",
        "in 2000 rows",
        "grow from 2000 to 2500",
        "room 2023",
        "Visual Studio 2022",
        "my 2019 MacBook",
        "ticket ABC-2023-05-08, build 20230508, CVE-2023-1234",
        "it takes 90s, at most 2000s",
        "before the move, after the road trip",
        "the last year of school, the last week of class",
        "Will the battery last two days?",
        "every week on Mondays",
        "works from Monday to Friday",
        "next Monday, next month, in 10 days",
        "plans for the summer, skiing in winter",
        "half a year ago, 1.5 years ago",
        "3/4 of the cake at 9/11",
        "30 February",
        "2024-02-30",
        "99.99.2023",
        "Was ist hier passiert?",
        "in today's world",
    ],
)
def test_a_query_without_a_time_has_no_period(query: str) -> None:
    assert mentioned_period(query, WEDNESDAY) is None


@pytest.mark.parametrize(
    "query", ["Paris trip 2022", "my 2022 tax return", "Anna's 2022 exhibition", "in 2022 sales"]
)
def test_a_year_is_known_by_the_words_around_it(query: str) -> None:
    assert read(query) == (ms("2022-01-01"), ms("2023-01-01"))


def test_an_impossible_day_leaves_its_month() -> None:
    assert read("31 February 2023") == (ms("2023-02-01"), ms("2023-03-01"))


@pytest.mark.parametrize(
    ("query", "phrase"),
    [
        ("What did Joanna finish last Friday on 23 January, 2022?", "on 23 January, 2022"),
        ("What did he organize recently in 2023?", "in 2023"),
        ("In 2022, or was it on 3 May 2022?", "on 3 May 2022"),
        ("İstanbul trip: who came In March 2023, anyway?", "In March 2023"),
    ],
)
def test_the_most_exact_phrase_counts_and_is_quoted(query: str, phrase: str) -> None:
    period = mentioned_period(query, WEDNESDAY)

    assert period is not None
    assert period.phrase == phrase


def test_today_is_the_date_on_the_clock_of_the_reference() -> None:
    late = datetime(2024, 6, 12, 23, 30, tzinfo=timezone(timedelta(hours=-8)))

    assert read("today", late) == one_day("2024-06-12")
    assert read("today", late.replace(tzinfo=None)) == one_day("2024-06-12")
    assert read("an hour ago", late) == (ms("2024-06-13T06:00"), ms("2024-06-13T07:00"))


def test_a_date_far_into_a_long_text_is_not_what_it_asks_about() -> None:
    assert mentioned_period("word " * 1000 + "on 8 May 2023", WEDNESDAY) is None


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join)),
    st.datetimes(timezones=st.one_of(st.none(), st.just(timezone(timedelta(hours=14))))),
)
@example("999 years ago", datetime.min)  # noqa: DTZ901
@example("in the last 999 hours, today", datetime.min.replace(tzinfo=timezone(timedelta(hours=1))))
@example("this year and Monday, today", datetime.max)  # noqa: DTZ901
def test_any_text_at_any_time_gives_nothing_or_a_true_period(
    query: str, reference: datetime
) -> None:
    period = mentioned_period(query, reference)

    if period is not None:
        assert period.phrase
        assert period.phrase in query
        assert (period.start_ms, period.end_ms) != (None, None)
        if period.start_ms is not None and period.end_ms is not None:
            assert period.start_ms < period.end_ms


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y"]),
)
def test_a_written_date_is_read_back(written: date, spelling: str) -> None:
    assert read(f"What about {written.strftime(spelling)}?") == one_day(written.isoformat())
