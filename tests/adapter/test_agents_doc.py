"""docs/agents.md is what its results and the adapter's facts say, and names every built-in agent."""

from importlib.metadata import version

from harbor.agents.factory import AgentFactory
from harbor.models.agent.name import AgentName

from swe_together.adapter.trial import continuation_of
from tests.agents.clients import CLIENTS
from tests.support.agents_doc import DOCUMENT, best_rows, read_results, render
from tests.support.contract.cases import ALL


def test_the_document_is_generated_from_the_results() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == render(read_results()), "run: python -m tests.bench.agents_matrix"


def test_every_built_in_agent_has_a_row() -> None:
    assert [row["agent"] for row in best_rows(read_results())] == sorted(ALL)


def test_rows_agree_with_the_agents() -> None:
    for row in best_rows(read_results()):
        case = ALL[row["agent"]]
        assert (row["how"] in ("constructed only", "wrapped only")) is (case.only is not None and "tokens" not in row)
        if "tokens" in row and case.only is None:
            assert (row["tokens"], row["cost"], row["commands"]) == (list(case.knows), case.cost, case.runs)


def test_continuations_are_those_of_the_installed_harbor() -> None:
    results = read_results()
    if results["harbor"] != version("harbor"):
        return  # an older one resumes fewer agents
    for row in best_rows(results):
        if "continuation" in row and row["agent"] != "terminus-2":
            inner = AgentFactory.get_agent_class(AgentName(row["agent"]))
            assert row["continuation"] == continuation_of(inner, None), row["agent"]


def test_real_clients_are_named_with_the_version_that_was_run() -> None:
    clients = read_results()["clients"]
    assert {name: CLIENTS[name].shown for name in clients} == clients
