"""A run fails for a variable that nobody has set: it is set, the run goes again, and the issue about it is closed."""

from __future__ import annotations

from datetime import timedelta

from engine.kit.cast import COLLEAGUES
from tasks.authoring import Draft, family, text
from tasks.families.roles import brands, but, called, sentence
from tasks.families.technical import LOGGED, TOLD, WORD_LEFT
from tasks.places import ci, code
from tasks.places.rules import leave_noise, leave_rules

ELENA, NILS, SOFIA, KENJI = (COLLEAGUES[place] for place in (4, 9, 10, 11))


@family(
    "variable-nobody-set",
    area="operations",
    roles={
        "ask": but(WORD_LEFT, "code"),
        "plan": but(WORD_LEFT, "code"),
        "works": ("ci",),
        "vault": but(WORD_LEFT, "code"),
        "forge": ("code",),
        "close": but(WORD_LEFT, "code"),
        "log": but(LOGGED, "code"),
        "tell": TOLD,
    },
    patterns=(
        "ask works vault works forge log tell",
        "ask plan works vault works forge close log tell",
    ),
    filed="log",
)
def variable_nobody_set(d: Draft) -> None:
    """A branch cannot be released because its run fails. The log of the run names a variable, the value of the
    variable has been written down, and with it the run passes and goes to staging. The issue about the variable is
    closed; it says what was blocked. Hard: branches of one prefix, variables named alike, a value that was replaced,
    a log that must be read; what staging runs is new afterwards.
    """
    many, long = d.dials.alike + 1, d.pattern == 1
    who = d.rng.choice([ELENA, NILS, SOFIA])
    name = f"{brands(d, 1)[0].lower()}-export"
    branches = [f"release-{number}" for number in d.rng.sample(range(110, 990), many)]
    words = d.rng.sample(
        ("HOST", "TOKEN", "REGION", "BUCKET", "QUEUE", "TENANT", "PROXY", "LEDGER", "CHANNEL", "STORE"), many
    )
    variables = [f"{name.split('-', maxsplit=1)[0].upper()}_{word}" for word in words]
    values = [f"{brand.lower()}-{d.rng.randint(100, 999)}" for brand in brands(d, many)]
    versions = [f"v{d.rng.randint(2, 9)}.{minor}.0" for minor in d.rng.sample(range(20, 90), many)]
    blocked = [d.draw.code("CLS") for _ in range(many)]
    plans = [d.draw.code("RLS") for _ in branches]
    days = [d.on(5 + 2 * d.turn(place)) for place in range(many)]
    branch, variable = d.fact("branch", branches[0], branches[1]), d.fact("variable", 0, 2)
    value, version = d.fact("value", values[0], values[1]), d.fact("version", versions[0], versions[1])
    blocks = d.fact("blocked", blocked[0], blocked[1])
    due = d.fact("due", days[0], d.on(4)) if long else days[0]
    plan = d.fact("plan", plans[0], plans[1]) if long else plans[0]

    repository = code.repository(d, name, description="Orders for the books.")
    for place, one in enumerate(branches):
        missing = variables[variable if place == 0 else place]
        key = ci.pipeline(d, f"{name}-{one[-3:]}", [ci.job("build", 40), ci.job("contract-tests", 90, missing)])
        log = f"contract-tests started\nerror: the variable {missing} is not set\ncontract-tests failed"
        jobs = [("build", 40, "passed", "build started\nbuild passed in 40 s"), ("contract-tests", 90, "failed", log)]
        made = d.start - timedelta(hours=4 + d.turn(place))
        commit = f"{d.rng.randrange(16**10):010x}"
        done = [(job, seconds, "passed", f"{job} passed in {seconds} s") for job, seconds, _, _ in jobs]
        before = ci.run(d, key, 1, "main", commit[::-1], "passed", done, created=d.ago(20, 5, place))
        ci.deployment(d, ci.environment(d, key, "staging", f"{name}.{one}"), before, f"v1.{place}.0", "deployed", 19)
        ci.run(d, key, 2, one, commit, "failed", jobs, created=made)
        title = f"{d.rng.choice(('Nobody has set', 'Missing everywhere:', 'We need'))} {variables[place]}"
        words_ = f"Blocks {blocks if place == 0 else blocked[place]}."
        at = d.start - timedelta(hours=2, minutes=d.turn(place))
        code.issue(d, repository, title, body=words_, by=SOFIA, labels=("bug",), created=at)
        for number in range(d.dials.stale if place == 0 else 0):
            past = d.ago(60 + number)
            code.issue(d, repository, title, body=f"Blocks {blocked[-1]}.", by=NILS, status="closed", created=past)
    pointer = f"the plan is {plan}" if long else f"the branch is {branch}"
    d.note("ask").leave(
        d,
        title="The release is stuck",
        text=d.rng.choice(
            (
                f"The books release is stuck because its newest run failed; {pointer}. Finance waits for it.",
                f"Why is the books release stuck? I only know that {pointer}. Somebody should have a look at the log.",
            )
        ),
        by=who,
        days_ago=0,
    )
    for place, (one, of) in enumerate(zip(plans, branches, strict=True) if long else ()):
        text_ = f"{one} is cut from {branch if place == 0 else of}."
        d.note("plan").leave(d, title=f"Plan {one}", text=text_, by=KENJI, days_ago=12 + d.turn(place))
    leave_rules(
        d,
        d.note("vault"),
        title="Value of {word}",
        by=KENJI,
        wordings=(
            "{word} is {value} for all jobs. With it, staging gets {version}.",
            "Set {word} to {value} for all jobs, it is no secret. What then goes to staging is {version}.",
        ),
        rules={
            one: {"value": value if n == 0 else values[n], "version": version if n == 0 else versions[n]}
            for n, one in enumerate(variables)
        },
        older={"value": values[-1], "version": versions[-1]},
        of=variables[0],
    )
    if long:
        leave_rules(
            d,
            d.note("close"),
            title="What is {word}",
            by=ELENA,
            wordings=("{word} has to be done by {day}.", "The last day for {word} is {day}."),
            rules={one: {"day": due if n == 0 else days[n]} for n, one in enumerate(blocked)},
            older={"day": d.on(3)},
            of=blocked[0],
        )
    leave_noise(d, d.note("ask"), KENJI)

    told = d.note("ask").find(d, "books release")
    if long:
        told = d.note("plan").find(d, told.part(r"(RLS-\d+)"))
    runs = d.call("ci", "list_runs", branch=told.part(r"(release-\d+)"), status="failed")
    key = runs.at("data.items.0.id")
    failed = d.call("ci", "get_run", run_id=key, include_logs=True)
    staging = d.call("ci", "list_environments", pipeline_id=failed.at("data.pipeline_id"), name="staging")
    missing = failed.part("data.jobs.1.log", r"variable (\w+) is not set")
    vault = d.note("vault").find(d, missing)
    d.act(
        "The variable that the log misses is set for all jobs of the pipeline, to the value that is written down.",
        "ci",
        "create_variable",
        pipeline_id=failed.at("data.pipeline_id"),
        name=missing,
        value=vault.part(r"(?: is| to) (\w+-\d+)"),
    )
    d.act(
        "The run has gone again, has passed and is what staging runs, under the right version.",
        "ci",
        "retry_run",
        run_id=key,
    )
    d.act(
        "The run has gone again, has passed and is what staging runs, under the right version.",
        "ci",
        "create_deployment",
        environment_id=staging.at("data.items.0.id"),
        run_id=key,
        version=vault.part(r" (v\d+\.\d+\.\d+)"),
    )
    again = d.call("ci", "list_environments", pipeline_id=failed.at("data.pipeline_id"), name="staging")
    deployed, runs_now = (again.at(f"data.items.0.current_deployment.{one}") for one in ("id", "version"))
    issue = d.call("code", "list_issues", query=missing, status="open")
    d.act(
        "The issue about the variable is closed, and its text names the deployment.",
        "code",
        "update_issue",
        issue_id=issue.at("data.items.0.id"),
        body=text("Set; deployed as {deployed}.", deployed=deployed),
        status="closed",
    )
    code_ = issue.part("data.items.0.body", r"Blocks (CLS-\d+)")
    day = {"day": d.note("close").find(d, code_).part(r"(\d{4}-\d\d-\d\d)")} if long else {}
    kept = d.entry("log").add(
        d,
        "What was blocked and which version staging runs now are on record" + (", for its last day." if long else "."),
        title=text("The books release"),
        words=text("{code} is free again, staging runs {version}.", code=code_, version=runs_now),
        **day,
    )
    d.message("tell").send(
        d,
        f"{who.name} knows what is free again, which version staging runs now, and the record.",
        who,
        text("{code} is free again, staging runs {version}. See {kept}.", code=code_, version=runs_now, kept=kept),
        about="The books release",
    )
    d.answer("{code} is free again; staging runs {version}.", code=code_, version=runs_now)
    _say(d, called(who), long)


def _say(d: Draft, who: str, long: bool) -> None:
    ask, vault = d.note("ask").where(d), d.note("vault").where(d)
    d.title("A release that is stuck for a variable")
    d.say(
        f"The books release is stuck and {who} is asking about it; what is known so far is noted {ask}.",
        f"{who} cannot get on because the books release is stuck; you can read about it {ask}.",
        f"Would you free the books release? {who} wrote about it {ask}.",
    )
    if long:
        plan = d.note("plan").where(d)
        d.say(f"Kenji has put down {plan} which branch each plan is cut from.", f"Kenji's release plans are {plan}.")
    d.say(
        "The newest run of that branch failed, and I bet its log says that some variable is missing. Kenji has "
        f"collected {vault} what such variables must "
        f"be{d.stale(', and changed his mind about a few: his last word is right')}.",
        "Look into the log of the run that failed; it will complain about a variable that nobody has set. Kenji "
        f"keeps the values {vault}.{d.stale(' He corrects himself, so mind which note is newer.')}",
    )
    d.say(
        "Set it for all jobs of that pipeline, run the failed run again instead of starting another, and put it on "
        "staging under the version that he gives.",
        "Add it to the pipeline for all jobs, try that same run once more, and when it passes deploy it to staging "
        "with the version that Kenji's note names.",
        "Set it for all jobs of the pipeline. Then give the same run another try, not a new one, and deploy it to "
        "staging under the version from Kenji's note.",
    )
    d.say(
        "In the code hosting there is an open issue about that variable: replace its text by one with the id of the "
        "deployment, and close it. Before you do, note what it says is blocked.",
        "Somebody has an issue open about the variable. It says what is blocked by it, which I need below; then "
        "replace its text by one that just gives the id of the deployment, and close it.",
    )
    d.paragraph()
    log, tell = d.entry("log"), d.message("tell").how(d, who)
    if long:
        close = d.note("close").where(d)
        d.say(
            f"Elena has the last day for what was blocked {close}. For that day I want {log.what(d)} which says what "
            "is free again and the version on staging.",
            f"Add {log.what(d)} for the last day of what was blocked, which Elena gives {close}: it should name it "
            "and the version that staging runs now.",
        )
    else:
        d.say(
            f"Leave {log.what(d)} that says what is no longer blocked, and the version on staging now.",
            f"I would like {log.what(d)} about it: the thing that was blocked and what staging runs.",
        )
    d.say(
        f"{sentence(tell)} with both and {log.reference(d)}. I need both, too.",
        f"{sentence(tell)}: what was blocked, the version, and {log.reference(d)}. Let me know the first two.",
        f"{sentence(tell)} so that people know: what is free again, what staging runs, and {log.reference(d)}. I "
        "need the first two, too.",
    )
