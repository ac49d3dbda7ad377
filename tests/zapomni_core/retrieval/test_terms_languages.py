"""How texts and queries in several languages become terms that meet."""

import os
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zapomni_core.retrieval.terms import document_terms, query_terms, tokenize

ENGLISH = "The new contracts were signed by both companies last Thursday."
GERMAN = "Wir haben die neuen Verträge am Donnerstag mit beiden Firmen unterschrieben."
FRENCH = "Nous avons signé les nouveaux contrats avec les deux entreprises jeudi dernier."
SPANISH = "El jueves pasado firmamos los nuevos contratos con las dos empresas."
RUSSIAN = "В прошлый четверг мы подписали новые договоры с обеими компаниями."
SENTENCES = [ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN]

unhurried = settings(deadline=None)
sentences = st.sampled_from(SENTENCES)
# No function word of any language begins like this.
words = st.text("abcdeiklmnorstuvwyzáàâäçéèêëíîïñóôöúùûü", min_size=2, max_size=20).map(
    "qx{}".format
)


def finds(query: str, document: str) -> bool:
    return not set(query_terms(query)).isdisjoint(document_terms(document))


def typed_without_marks(text: str) -> str:
    letters = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("contract", ENGLISH),
        ("company signing", ENGLISH),
        ("Vertrag", GERMAN),
        ("Firma", "Die Firmen haben sich geeinigt."),
        ("Rechnung", "Ich habe die Rechnungen gestern bezahlt."),
        ("Rechnungen", "Die Rechnung liegt auf dem Tisch."),
        ("Freundlichkeit", "Der Empfang war sehr freundlich."),
        ("contrat", FRENCH),
        ("entreprise", FRENCH),
        ("cheval", "Les chevaux sont dans le pré."),
        ("travailler", "Elle travaillait encore à la maison."),
        ("contrato", SPANISH),
        ("empresa", SPANISH),
        ("habitación", "Las habitaciones tienen vistas al mar."),
        ("hablar", "Ayer hablamos con el médico."),
        ("договор", RUSSIAN),
        ("компания", RUSSIAN),
    ],
)
def test_a_lone_word_finds_its_other_forms_in_every_language(query: str, document: str) -> None:
    assert finds(query, document)


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Wann wurde der Vertrag unterschrieben?", "Verträge: siehe Ordner im Regal."),
        ("Was kosten die Wohnungen in der Stadt?", "Die Wohnung ist klein, aber günstig."),
        ("Qui a signé le contrat ?", "Les contrats sont dans le tiroir."),
        ("Où sont les clés de la voiture ?", "La clé est sous le tapis."),
        ("¿Dónde están las llaves del coche?", "La llave está en la cocina."),
        ("¿Quién tiene los informes?", "El informe lo tiene Marta."),
        ("Где лежат ключи от машины?", "Ключ лежит на кухне."),
    ],
)
def test_a_question_finds_the_answer_in_its_language(question: str, document: str) -> None:
    assert finds(question, document)


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("cafe", "Nous prenons un café près de la gare."),
        ("café", "Un cafe con leche, por favor, para los dos."),
        ("corazon", "Le duele el corazón desde el lunes."),
        ("corazón", "El corazon de la ciudad es la plaza."),
        ("habitacion", "Las habitaciones tienen vistas al mar."),
        ("manana", "La reunión es mañana por la tarde."),
        ("eleve", "Les élèves sont rentrés de la visite."),
        ("oeuvre", "Cette œuvre est au musée depuis un an."),
        ("Strasse", "Sie wohnt in der Straße am Park."),
        ("Straße", "Sie wohnt in der Strasse am Park."),
        ("Tuer", "Die Türen sind abends nicht offen."),
        ("uebung", "Diese Übungen machen wir jeden Tag."),
        ("елка", "Ёлки стоят на площади."),
    ],
)
def test_marks_may_be_left_out_on_either_side(query: str, document: str) -> None:
    assert finds(query, document)


@pytest.mark.parametrize("document", ["{} hat die Rechnung bezahlt.", "I met {} at the office."])
@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Müller", "Müller"),
        ("Müller", "Mueller"),
        ("Mueller", "Müller"),
        ("Muller", "Müller"),
        ("What did Mueller say?", "Müller"),
    ],
)
def test_a_name_is_found_however_its_umlaut_is_typed(
    typed: str, stored: str, document: str
) -> None:
    assert finds(typed, document.format(stored))


@pytest.mark.parametrize(
    ("stop_word", "own_text", "other_text"),
    [
        ("die", "Die Tür ist zu, und die Fenster auch.", "Plants die without water."),
        ("war", "Das war nicht der Plan.", "She wrote about the war."),
        ("son", "Il a perdu son chapeau dans le train.", "Her son lives in Oslo."),
        ("car", "Il reste ici, car il est malade.", "We sold our car."),
        ("sin", "Un café sin azúcar para los niños.", "The angle and its sin and cos."),
        ("hay", "Hay dos cartas en la mesa.", "The horses eat hay in winter."),
        ("not", "It is not here.", "Die Not der Menschen ist groß."),
        ("once", "We met once.", "En el equipo hay once jugadores."),
    ],
)
def test_a_stop_word_is_left_out_in_its_own_language_only(
    stop_word: str, own_text: str, other_text: str
) -> None:
    assert set(tokenize(stop_word)).isdisjoint(tokenize(own_text))
    assert finds(stop_word, other_text)


@pytest.mark.parametrize(
    "text",
    [
        "We flew from Los Angeles to Rio de Janeiro via Las Vegas.",
        "Ludwig van der Rohe and El Greco",
        "The MIT paper, et al., is a de facto standard.",
        "The résumé of the naïve fiancée",
        "for el in dir: print(el.plus, en, de)",
        "\\sin(a) + \\sin(b) = \\sin(c)",
        "Find the n'th number of the rock'n'roll charts",
    ],
)
def test_foreign_names_and_code_do_not_make_a_text_foreign(text: str) -> None:
    assert tokenize(text) == [term for piece in text.split() for term in tokenize(piece)]


def test_english_words_give_one_term_each() -> None:
    assert query_terms("How were the databases migrated?") == ["databas", "migrat"]
    assert document_terms("The databases were migrated.") == ["databas", "migrat"]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_query_in_any_language_finds_a_name_in_any_text(sentence: str) -> None:
    note = f"{sentence} Docker Hannover"

    for question in ("Docker", "Where is the Docker file?", "Wo ist Docker?", "¿Qué es Docker?"):
        assert finds(question, note)
    assert finds("Which invoices came from Hannover?", note)


def test_every_sentence_of_a_mixed_note_is_read_in_its_own_language() -> None:
    note = "Call with Anna. Wir haben über die Rechnungen gesprochen.\nElle préfère les chevaux."

    assert finds("Rechnung", note)
    assert finds("cheval", note)
    assert finds("calls", note)


def test_a_line_without_function_words_is_read_like_the_rest_of_its_text() -> None:
    note = "Einkaufen für die Feier:\n- Kartoffeln\n- Zwiebeln"

    assert set(query_terms("Wo ist die Zwiebel?")) & set(tokenize(note))


def test_code_with_foreign_comments_is_found_by_both() -> None:
    code = """
    def load_invoices(path: Path) -> list[Invoice]:
        # Die Rechnungen werden nach dem Datum sortiert.
        return sorted(read_rows(path), key=by_date)
    """

    assert finds("Rechnung", code)
    assert finds("loadInvoices", code)
    assert finds("sorting", code)


def test_no_word_of_a_question_counts_more_because_it_has_more_forms() -> None:
    terms = query_terms("Wo sind das Buch und die Schlüssel?")

    assert len(set(terms)) > 2
    assert 2 * terms.count("buch") == len(terms)


def test_a_query_that_shows_no_language_trusts_the_common_stem_most() -> None:
    terms = query_terms("Rechnungen Wohnungen")
    common = tokenize("Rechnungen Wohnungen")

    assert set(common) < set(terms)
    assert all(
        terms.count(term) > terms.count(other) for term in common for other in {*terms} - {*common}
    )


@unhurried
@given(st.lists(sentences, min_size=1, max_size=6), st.sampled_from(["\n", " ", "\n\n"]))
def test_sentences_side_by_side_give_the_terms_of_each(parts: list[str], gap: str) -> None:
    latin = [part for part in parts if part != RUSSIAN]

    assert tokenize(gap.join(latin)) == [term for part in latin for term in tokenize(part)]


@unhurried
@given(sentences, words)
def test_every_text_is_found_by_the_words_it_holds(sentence: str, word: str) -> None:
    for document in (f"{sentence} {word}", f"{word}. {sentence}", word):
        assert finds(word, document)
        assert finds(f"Where is {word}?", document)
        assert finds(f"Wo ist das {word}?", document)


@unhurried
@given(sentences, words)
def test_every_text_is_found_by_its_words_without_their_marks(sentence: str, word: str) -> None:
    assert finds(typed_without_marks(word), f"{sentence} {word}")
    assert finds(word, f"{sentence} {typed_without_marks(word)}")


@unhurried
@given(sentences, words)
def test_every_text_is_found_by_its_words_with_vowel_pairs(sentence: str, word: str) -> None:
    typed = word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")

    assert finds(typed, f"{sentence} {word}")


def test_threads_do_not_disturb_each_other() -> None:
    roots = ["".join(letters) for letters in product("bdfgk", "aeiou", "lmnrt", "bdfgk")]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            read = list(pool.map(lambda root: document_terms(f"Die {root}ungen sind da."), roots))
    finally:
        sys.setswitchinterval(interval)

    assert all(f"{root}ung" in terms for root, terms in zip(roots, read, strict=True))


def test_another_process_gives_the_same_terms() -> None:
    note = "\n".join(SENTENCES)
    program = (
        "import sys; from zapomni_core.retrieval.terms import document_terms, query_terms;"
        "note = sys.stdin.buffer.read().decode();"
        "terms = ' '.join(document_terms(note) + query_terms(note));"
        "sys.stdout.buffer.write(terms.encode())"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        input=note.encode(),
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert answer.stdout.decode().split(" ") == document_terms(note) + query_terms(note)
