"""The page in Spanish: chosen by the browser, changed and remembered, complete on the screens of players, and within a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from letitride.rules import catalog
from tests.browser.conftest import AT_REST
from tests.browser.player import Player, go

TEXTS = Path(__file__).resolve().parents[2] / "web" / "src" / "texts"
ENGLISH, SPANISH = (json.loads((TEXTS / f"{one}.json").read_text(encoding="utf-8")) for one in ("en", "es"))
FOREIGN = {
    text
    for key, text in ENGLISH.items()
    if "{" not in text and " " in text and SPANISH.get(key, text) != text and not key.startswith("hand.")
} - set(SPANISH.values())
"""What would be English on a Spanish page; single words may be names."""
ENGLISH_WORD = re.compile(
    r"\b(the|and|of|is|are|was|you|your|with|without|from|by|on|in|at|to|for|not|this|that|when|where|which|what|whether"
    r"|cards?|hands?|seats?|bets?|wagers?|rounds?|dealer|player|players|pays?|takes?|lets?|ride|rides|back|none|unset|yes"
    r"|straight|flush|pair|kind|house|high|low|jack|queen|king|ace|clubs|diamonds|hearts|spades)\b",
    re.IGNORECASE,
)
"""Words that no Spanish sentence of this game has; "no", "banca" or "base" are the same in both."""
NAMES = sorted(
    {
        *("Let It Ride", "LET IT RIDE", "letitride", "3 Card Bonus", "Cover All", "START", "GAME OVER", "English"),
        *("ACE", "i-Deal", "iDeal", "Light and Wonder", "programa let it ride"),  # of shufflers
        *catalog.paytable_ids(),
    },
    key=len,
    reverse=True,
)
"""What is called the same in every language: the game, its side bets, and paytables by their ids."""
TEXTS_SHOWN = """() => {
    const cited = (one) => one.closest("[lang=en], noscript");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) if (!cited(walker.currentNode.parentElement)) found.push(walker.currentNode.textContent.trim());
    for (const one of document.querySelectorAll("[aria-label]")) if (!cited(one)) found.push(one.getAttribute("aria-label"));
    return found;
}"""
"""All texts, but those that the page marks as cited in English: clauses of the documents, and notes of the books."""
OUTSIDE = """() => {
    const scrolls = (one) => one && !one.matches("dialog, .drawer-body, body") && (
        (/auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth) || scrolls(one.parentElement));
    return [...document.querySelectorAll("button, a.button, label, h1, h2, h3, p, dt, dd, summary")]
        .filter((one) => one.checkVisibility() && !one.closest(".spoken, [aria-hidden=true]") && !scrolls(one))
        .filter((one) => {
            const box = one.getBoundingClientRect();
            const cut = one.matches("button, a.button") && one.scrollWidth > one.clientWidth + 1;
            return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1 || cut);
        })
        .map((one) => `${one.tagName} ${one.className}: ${one.innerText.slice(0, 60)}`);
}"""
"""What reaches over the edge of the screen, or is cut; what is made to be scrolled sideways may."""

HEAD_FITS = """() => [...document.querySelectorAll(".head-nav")].every((one) => one.scrollWidth <= one.clientWidth)"""
"""No link of the head lies under the account's button."""


@pytest.fixture
def phone(people: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page of a person with a small phone in Spanish."""
    page = people(viewport={"width": 360, "height": 740}, locale="es-MX", has_touch=True).new_page()
    mistakes: list[str] = []
    page.on("pageerror", lambda error: mistakes.append(str(error)))
    yield page
    assert mistakes == []


def english(page: Page) -> list[str]:
    """Return the texts on a page that are in English, as far as their words tell; names of things are none."""
    found = set()
    for text in page.evaluate(TEXTS_SHOWN):
        words = text
        for name in NAMES:
            words = words.replace(name, "")
        if text in FOREIGN or ENGLISH_WORD.search(words):
            found.add(text)
    return sorted(found)


def check(page: Page, where: str) -> None:
    """Everything is in Spanish and within the screen."""
    page.evaluate(AT_REST)  # a drawer that slides in is outside for a moment
    assert "" == "\n".join(english(page)), where
    assert [] == page.evaluate(OUTSIDE), where
    assert 360 >= page.evaluate("document.documentElement.scrollWidth"), where
    assert page.evaluate(HEAD_FITS), where


def test_the_browser_chooses_the_language_and_a_person_changes_it(people: Callable[..., BrowserContext]) -> None:
    page = people(locale="es-ES").new_page()
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.get_by_role("heading", name="Cómo se juega")).to_be_visible()
    expect(page.get_by_text(re.compile(r"5\s\$ – 500\s\$")).first).to_be_visible()
    page.get_by_label("Idioma").select_option("English")
    expect(page.get_by_role("heading", name="How to play")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.reload()
    expect(page.get_by_role("heading", name="How to play")).to_be_visible()
    page.get_by_label("Language").select_option("Español")
    expect(page.get_by_role("button", name="Jugar ahora")).to_be_visible()


def test_amounts_are_typed_as_the_language_writes_them(people: Callable[..., BrowserContext]) -> None:
    page = people(locale="es-ES").new_page()
    table = Player(page).open_table("nsw-1")
    page.goto(f"/table/{table}?now")
    place = page.get_by_role("region", name="Tu asiento")
    place.get_by_role("button", name=re.compile("^Mantenerla")).click()
    place.get_by_role("button", name=re.compile("^Mantenerla")).click()
    expect(place.get_by_role("button", name=re.compile("^Repetir"))).to_be_visible()
    place.get_by_label("Cada apuesta, $").fill("7,50")
    expect(place.get_by_role("button", name=re.compile(r"^Apostar 22,50\s\$"))).to_be_visible()


def test_a_browser_in_another_language_gets_english(people: Callable[..., BrowserContext]) -> None:
    page = people(locale="fr-FR").new_page()
    page.goto("/")
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_lobby_account_and_lessons_are_spanish_and_fit_a_phone(phone: Page) -> None:
    phone.goto("/")
    expect(phone.get_by_role("heading", name="Mesas")).to_be_visible()
    phone.get_by_text("Mesa privada", exact=True).click()
    check(phone, "lobby")
    expect(phone.get_by_role("link", name="Nueva Gales del Sur · sabot · $5–$500")).to_be_visible()
    phone.locator(".head-me").click()
    drawer = phone.get_by_role("dialog", name="Cuenta")
    drawer.get_by_role("tab", name="No tengo cuenta").click()
    drawer.get_by_role("button", name="Crear cuenta").click()
    expect(drawer.get_by_role("alert").filter(has_text="Escribe tu nombre")).to_be_visible()
    check(phone, "sign in")
    drawer.get_by_label("Nombre").fill("Lucía")
    drawer.get_by_label("Contraseña").fill("1234567890")
    drawer.get_by_role("button", name="Crear cuenta").click()
    expect(drawer.get_by_text("Esa contraseña es fácil de adivinar.")).to_be_visible()
    drawer.get_by_label("Contraseña").fill("una frase bastante larga")
    drawer.get_by_role("button", name="Crear cuenta").click()
    expect(drawer.get_by_text("Iniciaste sesión como Lucía.")).to_be_visible()
    drawer.get_by_text("Cambiar contraseña").click()
    expect(drawer.get_by_label("Pérdida máxima en 24 horas")).to_be_visible()
    check(phone, "account")
    for address, heading in (
        ("/learn", "Aprende la mejor jugada"),
        ("/learn/player/LIRX-01", "Ejercicio: LIRX-01"),
        ("/learn/player/LIRX-01/rules", "Reglas: LIRX-01"),
        ("/learn/player/LIRX-01/exam", "Examen: LIRX-01"),
        ("/par/LIRX-01", "Ventaja de la casa"),
    ):
        phone.goto(address)
        expect(phone.get_by_role("heading", name=heading).first).to_be_visible()
        phone.wait_for_load_state("networkidle")
        check(phone, address)
    phone.goto("/par/LIRX-01")
    phone.get_by_label("escalera", exact=True).first.fill("99")
    expect(phone.get_by_text("Juego base, color: escribe al menos 99, lo que paga escalera")).to_be_visible()
    check(phone, "pays that cannot be")
    phone.goto("/learn/player/LIRX-01")
    phone.get_by_role("button", name=re.compile("^Mantenerla")).click()
    expect(phone.get_by_role("button", name=re.compile("^Siguiente mano"))).to_be_visible()
    check(phone, "an answer")


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_the_rules_of_every_book_are_spanish(phone: Page, house: str) -> None:
    table = Player(phone).open_table(house)
    phone.goto(f"/table/{table}")
    phone.get_by_role("button", name=re.compile("^Reglas")).first.click()
    drawer = phone.get_by_role("dialog", name="Reglas: Ours")
    expect(drawer.get_by_text("Ventaja de la casa").first).to_be_visible()
    check(phone, f"{house}, for players")
    drawer.get_by_role("button", name="Todas las reglas y cláusulas").click()
    expect(drawer.get_by_text("La apuesta mínima").first).to_be_attached()
    phone.wait_for_load_state("networkidle")  # the titles of books
    phone.evaluate("for (const one of document.querySelectorAll('dialog details')) one.open = true")
    check(phone, house)


def test_every_step_of_a_past_round_is_spanish(phone: Page) -> None:
    table = Player(phone).open_table("shufflemaster-1")
    phone.goto(f"/table/{table}?now")
    place = phone.get_by_role("region", name="Tu asiento")
    place.get_by_role("button", name=re.compile("^Mantenerla")).click()
    expect(place.get_by_role("group", name="Apuesta 2:")).to_be_visible()
    place.get_by_role("button", name=re.compile("^Retirarla")).click()
    expect(place.get_by_role("button", name=re.compile("^Repetir"))).to_be_visible()
    phone.get_by_role("button", name=re.compile("^Rondas")).first.click()
    drawer = phone.get_by_role("dialog", name="Rondas anteriores")
    drawer.get_by_role("button", name=re.compile("^Ronda 1")).click()
    step = drawer.get_by_role("slider", name="Paso")
    expect(step).to_be_visible()
    told, steps = set(), int(step.get_attribute("max") or 0) + 1
    for at in range(steps):
        step.fill(str(at))
        expect(drawer.get_by_text(f"Paso {at + 1} de {steps}")).to_be_visible()
        told |= set(drawer.locator(".step-said p").all_inner_texts())
        assert "" == "\n".join(english(phone)), at
    assert any(line.startswith("Crupier: descubre la mano del asiento") for line in told)
    assert any("retira la apuesta 2" in line for line in told)


def test_a_round_at_the_table_is_spanish_and_fits_a_phone(phone: Page) -> None:
    table = Player(phone).open_table("washington-1")
    phone.goto(f"/table/{table}?now")
    place = phone.get_by_role("region", name="Tu asiento")
    ride = place.get_by_role("button", name=re.compile("^Mantenerla"))
    expect(ride).to_be_visible()
    check(phone, "a decision")
    go(phone, "Entrenador", "Más")
    coach = phone.get_by_role("dialog", name="Entrenador")
    coach.get_by_role("radio", name="Antes de cada decisión").check()
    expect(coach.get_by_text(re.compile("^Tienes (tres|trío|un par)"))).to_be_visible()
    coach.get_by_text("Todas las reglas de la apuesta 1").click()
    expect(coach.get_by_text("una mano que ya paga (un par de dieces o mejor)").first).to_be_visible()
    check(phone, "advice")
    coach.get_by_role("button", name="Cerrar").first.click()
    ride.click()
    expect(place.get_by_role("group", name="Apuesta 2:")).to_be_visible()
    place.get_by_role("button", name=re.compile("^Retirarla")).click()
    expect(place.get_by_role("button", name=re.compile("^Repetir"))).to_be_visible()
    check(phone, "bets")
    place.get_by_label("Cada apuesta, $").fill("2")
    expect(place.get_by_role("button", name=re.compile("^Apostar"))).to_be_disabled()
    expect(place.get_by_text("El mínimo de cada apuesta base es $5.")).to_be_visible()
    check(phone, "a bet that is refused")
    for button, title in (
        ("Pagos", "Límites y pagos"),
        ("Rondas", "Rondas anteriores"),
        ("Resultados", "Tus resultados"),
        ("Pruebas", "Pruebas de juego limpio"),
        ("Atajos", "Atajos de teclado"),
        ("Ajustes", "Ritmo, sonido y juego automático"),
        ("Entrenador", "Entrenador"),
        ("", "Tu asiento"),
    ):
        if button:
            go(phone, button, "Más")
        else:
            place.get_by_role("button", name="Comprar fichas, pausar o salir").click()
        drawer = phone.get_by_role("dialog", name=title)
        expect(drawer).to_be_visible()
        expect(drawer.get_by_text("Cargando…")).to_have_count(0)
        check(phone, title)
        if button == "Pruebas":
            phone.route("**/proofs/**", _with_other_cards)
            drawer.get_by_role("button", name="Comprobar").first.click()
            fails = "La prueba falla: el orden de sus cartas no sale de la baraja, los números secretos y los cortes."
            expect(drawer.get_by_role("status").filter(has_text=fails)).to_be_visible()
            check(phone, "a proof that fails")
        if button == "Pagos":
            expect(drawer.get_by_role("row", name="escalera real 100 a 1")).to_be_visible()
            expect(drawer.get_by_role("row", name="escalera real 500 a 1")).to_be_visible()
        drawer.get_by_role("button", name="Cerrar").first.click()


def _with_other_cards(route: Route) -> None:
    """Answer with a proof whose cards came in another order."""
    proof = route.fetch().json()
    route.fulfill(json={**proof, "order": proof["order"][::-1]})
