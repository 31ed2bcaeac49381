"""Code hosting: repositories with branches, commits, issues, pull requests and releases."""

from pathlib import Path

from engine.kit import Service
from services.code import seed, state, tools

service = Service(
    name="code",
    title="Code hosting",
    domain="software development",
    summary="Code hosting with repositories, protected branches, commits of small text files, issues, "
    "pull requests with reviews and merge rules, and releases.",
    entities=[
        state.Repository,
        state.Member,
        state.Branch,
        state.Commit,
        state.RepositoryFile,
        state.Milestone,
        state.Issue,
        state.PullRequest,
        state.Review,
        state.Release,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
