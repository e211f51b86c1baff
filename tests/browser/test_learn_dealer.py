"""Learning to deal in a browser: drills to their ends by keyboard, on a phone; an instructor who sets one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import msgspec
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from letitride.chance.live import Live
from letitride.rules.catalog import ready_rules
from letitride.server.learn.sittings import StoredDrill
from letitride.storage.urls import open_store
from letitride.training.staff.catalogue import Sitting
from letitride.training.staff.questions import Question
from tests.browser.conftest import House, violations
from tests.server.guest import PATIENCE
from tests.training.staff_trainees import perfect

PASSWORD = "long enough now"  # noqa: S105 - of nobody's account


@contextmanager
def sitting(house: House, person: str, drill: str) -> Iterator[Sitting]:
    """The drill as the house has it in its database, played again."""
    store = open_store(str(house.database), read_only=True)
    try:
        kept = store.documents.get("training-progress", f"{person}/{drill}")
        assert kept is not None
        going_on = msgspec.json.decode(kept.body, type=StoredDrill)
        yield Sitting(going_on.kept.plan, ready_rules(drill.split(":")[1]), Live(), going_on.kept)
    finally:
        store.close()


def name_of(page: Page) -> str:
    return str(page.request.get("/api/me").json()["name"])


def answer(page: Page, question: Question, said: dict[str, str | int]) -> None:
    """Give an answer as a person does: keys for one choice, the form for more."""
    if "what" in said:
        if said["what"] == "ok":
            page.keyboard.press("o")
            return
        page.get_by_role("combobox", name="Irregularity", exact=True).select_option(str(said["what"]))
        page.get_by_role("combobox", name="Where", exact=True).select_option(str(said["seat"]))
        page.get_by_role("button", name="Report irregularity").click()
        return
    if len(question.fields) == 1 and question.fields[0].options:
        ids = [option.id for option in question.fields[0].options]
        page.keyboard.press(str(1 + ids.index(str(said[question.fields[0].name]))))
        return
    for field in question.fields:
        group = page.get_by_role("group", name=f"Seat {field.seat}" if not field.options else field.label, exact=True)
        if field.options:
            text = next(option.text for option in field.options if option.id == said[field.name])
            group.get_by_label(text, exact=True).check()
        else:
            label = field.label.partition(", ")[2] or field.label
            group.get_by_label(label, exact=True).fill(f"{int(said[field.name]) / 100:.2f}")
    page.get_by_role("button", name="Submit answer").click()


def learn(page: Page, house: House, drill: str) -> None:
    """Answer a drill rightly to its end."""
    person = name_of(page)
    for number in range(1, 60):
        expect(page.get_by_role("region", name=f"Question {number}", exact=True)).to_be_visible()
        with sitting(house, person, drill) as one:
            assert one.question is not None
            expect(page.get_by_role("heading", name=one.question.text, exact=True)).to_be_visible()
            answer(page, one.question, perfect(one.drill, one.question))
        told = page.get_by_role("region", name="Your answer")
        expect(told.locator(".verdict.is-right")).to_be_visible()
        go_on = told.get_by_role("button", name="Continue")
        end = told.get_by_role("heading", name="Drill finished")
        expect(go_on.or_(end)).to_be_visible()
        if end.is_visible():
            return
        page.keyboard.press("n")
    raise AssertionError("the drill does not end")


@pytest.mark.parametrize(
    ("path", "drill"),
    [
        ("/learn/dealer/hand-dealt-1/deal?length=5", "dealer:hand-dealt-1:deal"),
        ("/learn/dealer/nsw-1/watch?length=5&level=2", "dealer:nsw-1:watch"),
        ("/learn/floor/nsw-1/floor?length=5&level=2", "floor:nsw-1:floor"),
    ],
)
def test_a_perfect_trainee_ends_a_drill_by_keyboard_with_100_percent(
    page: Page, open_house: House, path: str, drill: str
) -> None:
    page.goto(path)
    expect(page.get_by_role("region", name="Question 1", exact=True)).to_be_visible()
    assert [] == violations(page)
    learn(page, open_house, drill)
    expect(page.get_by_role("heading", name="Drill finished: 100%")).to_be_visible()
    assert [] == violations(page)
    page.get_by_role("link", name="Back to Learn").click()
    expect(page.get_by_role("heading", name="Learn to deal and run the floor")).to_be_visible()
    (kept,) = page.request.get("/api/learn/results").json()
    assert (drill, 100) == (kept["drill"], kept["score"])


def test_the_table_is_paid_on_a_phone_in_the_dark(people: Callable[..., BrowserContext], open_house: House) -> None:
    page = people(viewport={"width": 360, "height": 740}, color_scheme="dark").new_page()
    page.goto("/learn/dealer/washington-1/pay?length=2&level=3")
    expect(page.get_by_role("timer")).to_contain_text("left")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert [] == violations(page)
    learn(page, open_house, "dealer:washington-1:pay")
    expect(page.get_by_role("heading", name="Drill finished: 100%")).to_be_visible()


def test_one_who_cries_wolf_is_told_of_false_alarms_and_a_miss_shows_the_clauses_and_other_books(page: Page) -> None:
    page.goto("/learn/dealer/nsw-1/watch?level=2")
    told = page.get_by_role("region", name="Your answer")
    alarms = 0
    for number in range(1, 13):
        expect(page.get_by_role("region", name=f"Question {number}", exact=True)).to_be_visible()
        page.get_by_role("combobox", name="Irregularity", exact=True).select_option("drawn_card")
        page.get_by_role("button", name="Report irregularity").click()
        expect(told.locator(".verdict")).to_be_visible()
        if told.get_by_text("False alarm", exact=True).first.is_visible():
            alarms += 1
        elif told.locator(".verdict", has_text="Missed").is_visible():
            expect(told.get_by_text("What other rules say")).to_be_visible()
            expect(told.get_by_text("Hand-dealt single-deck house", exact=True)).to_be_visible()
            expect(told.locator("dt", has_text="nsw:").first).to_be_visible()
            assert [] == violations(page)
            break
        else:
            break
        page.keyboard.press("n")
    score = told.locator(".drill-score")
    expect(score).to_contain_text("False alarms")
    assert str(alarms) in score.locator("div", has_text="False alarms").inner_text()


def test_a_drill_that_was_left_goes_on_after_a_reload(page: Page) -> None:
    page.goto("/learn/dealer/shufflemaster-1/deal")
    expect(page.get_by_role("region", name="Question 1", exact=True)).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="Continue")).to_be_focused()
    page.goto("/learn")
    page.get_by_label("Rules").select_option("shufflemaster-1")
    page.get_by_role("link", name="Continue after 1 answer").click()
    expect(page.get_by_role("region", name="Question 2", exact=True)).to_be_visible()
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_role("region", name="Question 1", exact=True)).to_be_visible()


def hire(house: House) -> None:
    """A house with an instructor and a dealer."""
    code = (house.folder / "setup-code").read_text(encoding="utf-8").strip()
    with httpx.Client(base_url=house.base, timeout=PATIENCE, verify=False) as boss:
        known = {"name": "Ada", "password": PASSWORD}
        assert boss.post("/api/setup", json={"code": code, **known}).status_code == 201
        assert boss.post("/api/login", json=known).status_code == 200
        for name, role in (("Ines", "casino_supervisor"), ("Dora", "dealer")):
            body = {"name": name, "password": PASSWORD, "roles": [role]}
            assert boss.post("/api/staff", json=body).status_code == 201


def signed_in(context: BrowserContext, name: str) -> Page:
    found = context.request.post("/api/login", data={"name": name, "password": PASSWORD})
    assert found.ok
    return context.new_page()


def test_an_instructor_sets_a_drill_and_sees_what_came_of_it(
    people: Callable[..., BrowserContext], own_house: House
) -> None:
    hire(own_house)
    ines = signed_in(people(own_house.base), "Ines")
    ines.goto("/learn")
    ines.get_by_role("link", name="Assign drills and see results").click()
    form = ines.get_by_role("region", name="Assign a drill")
    form.get_by_label("Person").fill("Nobody")
    form.get_by_role("button", name="Assign drill").click()
    expect(form.get_by_role("alert")).to_contain_text("Expected the name of an account")
    form.get_by_label("Person").fill("dora")
    form.get_by_label("Drill").select_option("watch")
    form.get_by_label("Rules").select_option("nsw-1")
    form.get_by_label("Note").fill("before Friday")
    form.get_by_role("button", name="Assign drill").click()
    row = ines.get_by_role("region", name="Assignments").get_by_role("row", name="Spot the irregularity")
    expect(row).to_contain_text("not done")
    assert [] == violations(ines)
    form.get_by_label("Person").fill("Dora")
    form.get_by_label("Drill").select_option("Player exam")
    form.get_by_label("Paytable").select_option("LIRX-03")
    form.get_by_role("button", name="Assign drill").click()
    expect(ines.get_by_role("row", name="Exam: LIRX-03")).to_contain_text("not done")

    dora = signed_in(people(own_house.base), "Dora")
    dora.goto("/learn")
    mine = dora.get_by_role("region", name="Assigned to you")
    expect(mine).to_contain_text("Spot the irregularity, New South Wales casino rules")
    expect(mine).to_contain_text("before Friday")
    assert [] == violations(dora)
    mine.get_by_role("listitem").filter(has_text="New South Wales").get_by_role("link", name="Start drill").click()
    learn(dora, own_house, "dealer:nsw-1:watch")

    ines.reload()
    expect(row).to_contain_text("100%")
    results = ines.get_by_role("region", name="Results")
    expect(results.get_by_role("row", name="Dora")).to_contain_text("100%")
    row.get_by_role("button", name="Withdraw assignment").click()
    expect(row).to_have_count(0)
    expect(results.get_by_role("row", name="Dora")).to_be_visible()


def test_who_is_no_instructor_is_told_so(page: Page) -> None:
    page.request.post("/api/guest")
    page.goto("/learn/instructor")
    expect(page.get_by_role("alert").first).to_contain_text(
        "Expected a person with the role casino supervisor or administrator"
    )
    assert [] == violations(page)
