"""What checks of studies share: a crossover worked out anew from two roads, and a page that is whole."""
import math
import xml.etree.ElementTree


def crossover_problem(found, rates, one, other):
    """What is wrong with a crossover, or None: with two roads it is one line against another."""
    slower = [math.log(a / b) for a, b in zip(one, other)]
    if slower[0] > 0 >= slower[1]:
        first, last = rates
        rate = first * (last / first) ** (slower[0] / (slower[0] - slower[1]))
        holds = found["verdict"] == "crosses" and math.isclose(found["rate"], rate, rel_tol=1e-9)
        return None if holds else f"{found} instead of {rate}"
    verdict = "nowhere" if slower[1] > 0 else "everywhere"
    holds = found["verdict"] == verdict and found["rate"] is None
    return None if holds else f"{found} instead of {verdict}: {slower}"


def page_problems(path, figures, words):
    """What is wrong with a page that must have so many figures, these words, and nothing from outside."""
    text = path.read_text(encoding="utf-8")
    page = xml.etree.ElementTree.fromstring(text)
    tags = [element.tag for element in page.iter()]
    said = " ".join("".join(page.itertext()).split())
    counts = [] if tags.count("figure") == tags.count("svg") == figures else ["its figures"]
    return (counts + [f"it has {bad}" for bad in ("http", "//", "src=", "url(", "<script")
                      if bad in text] +
            [f"it does not say {word!r}" for word in words if word not in said])
