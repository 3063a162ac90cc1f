"""Image API requests: what each form asks for, its canonical form, and every refusal."""

from __future__ import annotations

import pytest

from rdfkms.errors import BadInput, Missing
from rdfkms.model import Box
from rdfkms.publish.iiif.request import MAX_AREA, MAX_SIDE, largest, parse

W, H = 1000, 600


def asked(
    region: str = "full", size: str = "max", turn: str = "0", name: str = "default.jpg"
) -> str:
    return parse(W, H, region, size, turn, name).canonical


@pytest.mark.parametrize(
    ("region", "box"),
    [
        ("full", Box(0, 0, 1000, 600)),
        ("square", Box(200, 0, 600, 600)),
        ("10,20,30,40", Box(10, 20, 30, 40)),
        ("990,590,500,500", Box(990, 590, 10, 10)),
        ("pct:50,50,25,25", Box(500, 300, 250, 150)),
        ("pct:0,0,0.0001,100", Box(0, 0, 1, 600)),
        ("pct:.5,.5,.5,.5", Box(5, 3, 5, 3)),
    ],
)
def test_a_region_is_the_pixels_it_names_inside_the_picture(region: str, box: Box) -> None:
    assert parse(W, H, region, "max", "0", "default.png").region == box


@pytest.mark.parametrize(
    ("size", "width", "height"),
    [
        ("max", 1000, 600), ("500,", 500, 300), (",300", 500, 300), ("pct:50", 500, 300),
        ("pct:0.001", 1, 1), ("100,100", 100, 100), ("!200,200", 200, 120),
        ("!2000,3000", 1000, 600), ("^!2000,3000", 2000, 1200), ("^2000,", 2000, 1200),
        ("^,1200", 2000, 1200), ("^pct:200", 2000, 1200), ("^2000,100", 2000, 100),
        ("1,", 1, 1), ("!1,1", 1, 1),
    ],
)  # fmt: skip
def test_a_size_is_as_the_standard_says(size: str, width: int, height: int) -> None:
    found = parse(W, H, "full", size, "0", "default.jpg")
    assert (found.width, found.height) == (width, height)


def test_the_canonical_form_is_one_for_all_ways_to_ask() -> None:
    assert asked("0,0,1000,600", "1000,") == "full/max/0/default.jpg"
    assert asked("pct:0,0,100,100", "!5000,5000", "360", "color.jpg") == "full/max/0/default.jpg"
    assert asked("square", ",300") == "200,0,600,600/300,300/0/default.jpg"
    assert asked(size="^1500,", turn="!90") == "full/^1500,900/!90/default.jpg"
    assert asked(size="^500,", name="gray.png") == "full/500,300/0/gray.png"
    assert asked(size="^max") == "full/^max/0/default.jpg"
    assert parse(W, H, "full", "max", "0", "gray.png", grey=True).quality == "default"


@pytest.mark.parametrize("size", [(6000, 8000), (100_000, 3), (3, 100_000), (1, 1), (40_000, 400)])
def test_the_largest_answer_keeps_the_limits_and_the_shape(size: tuple[int, int]) -> None:
    for enlarge in (False, True):
        width, height = largest(*size, enlarge=enlarge)
        assert max(width, height) <= MAX_SIDE and width * height <= MAX_AREA
        assert width >= 1 and height >= 1
    assert largest(6000, 8000) == (3464, 4618)


BAD = [
    ("1000,0,10,10", "max", "0", "default.jpg", "outside"),
    ("0,600,10,10", "max", "0", "default.jpg", "outside"),
    ("pct:100,0,10,10", "max", "0", "default.jpg", "outside"),
    ("0,0,0,10", "max", "0", "default.jpg", "empty"),
    ("pct:0,0,0,10", "max", "0", "default.jpg", "empty"),
    ("-1,0,10,10", "max", "0", "default.jpg", "no region"),
    ("0,0,10", "max", "0", "default.jpg", "no region"),
    ("0,0,10,10,10", "max", "0", "default.jpg", "no region"),
    ("1e3,0,10,10", "max", "0", "default.jpg", "no region"),
    ("٣,0,10,10", "max", "0", "default.jpg", "no region"),
    ("pct:nan,0,10,10", "max", "0", "default.jpg", "no region"),
    ("0,0," + "9" * 400 + ",1", "max", "0", "default.jpg", "no region"),
    ("full\n", "max", "0", "default.jpg", "no region"),
    ("full", "100000,", "0", "default.jpg", "limits"),
    ("full", "^100000,100000", "0", "default.jpg", "limits"),
    ("full", "^pct:999999999", "0", "default.jpg", "limits"),
    ("full", "^5000,5000", "0", "default.jpg", "limits"),
    ("full", "1001,", "0", "default.jpg", "larger than the region"),
    ("full", "pct:101", "0", "default.jpg", "larger than the region"),
    ("0,0,10,10", "11,10", "0", "default.jpg", "larger than the region"),
    ("full", "0,", "0", "default.jpg", "empty"),
    ("full", "!0,5", "0", "default.jpg", "empty"),
    ("full", "pct:0", "0", "default.jpg", "empty"),
    ("full", "full", "0", "default.jpg", "no size"),
    ("full", ",", "0", "default.jpg", "no size"),
    ("full", "^", "0", "default.jpg", "no size"),
    ("full", "pct:-5", "0", "default.jpg", "no size"),
    ("full", "max", "361", "default.jpg", "no rotation"),
    ("full", "max", "-90", "default.jpg", "no rotation"),
    ("full", "max", "!!90", "default.jpg", "no rotation"),
    ("full", "max", "inf", "default.jpg", "no rotation"),
    ("full", "max", "0", "native.jpg", "no quality"),
    ("full", "max", "0", "default", "no quality"),
    ("full", "max", "0", "default.exe", "no format"),
]


@pytest.mark.parametrize(("region", "size", "turn", "name", "said"), BAD)
def test_what_the_standard_forbids_is_refused_with_a_sentence(
    region: str, size: str, turn: str, name: str, said: str
) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        parse(W, H, region, size, turn, name)
    assert caught.value.hint and caught.value.http_status == 400


@pytest.mark.parametrize(
    ("turn", "name"), [("45", "default.jpg"), ("0.5", "default.jpg"), ("0", "default.tif")]
)
def test_what_the_standard_allows_and_is_not_offered_is_501(turn: str, name: str) -> None:
    with pytest.raises(Missing) as caught:
        parse(W, H, "full", "max", turn, name)
    assert caught.value.http_status == 501
