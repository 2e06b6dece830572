"""What an address says about what is looked at, whatever it says."""

from hypothesis import given
from hypothesis import strategies as st

from api.review.list_query import ListQuery
from db.vocabulary import Category
from tests.tables import table


def test_an_address_and_what_it_means_lead_to_each_other() -> None:
    look = ListQuery("spc_1", Category.PERSON, "Al & Co", "a=b&c", 3)

    assert ListQuery.parse(look.query) == look
    assert look.path == f"/memory?{look.query}"
    assert ListQuery().path == "/memory"


@table("page", ["", "0", "-1", "x", "1e3", "９", "1" * 6, " 2"])
def test_a_page_that_is_none_is_the_first(page: str) -> None:
    assert ListQuery.of({"page": page}).page == 1


@given(st.dictionaries(st.sampled_from(["space", "category", "about", "q", "page", "deleted"]), st.text(max_size=300)))
def test_nothing_that_an_address_says_breaks_it(told: dict[str, str]) -> None:
    look = ListQuery.of(told)

    assert ListQuery.parse(look.query) == look
    assert "\0" not in f"{look.space}{look.about}{look.words}"


def test_another_choice_begins_at_its_first_page() -> None:
    look = ListQuery(category=Category.PERSON, words="tea", page=7)

    assert look.in_category(None) == ListQuery(words="tea")
    assert look.about_subject("Alec") == ListQuery(category=Category.PERSON, about="Alec")
    assert look.on_page(2).page == 2
