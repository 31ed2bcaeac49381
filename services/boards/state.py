"""What the boards remember."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

ROLES = ("viewer", "member", "lead")
KINDS = ("todo", "doing", "done")
PRIORITIES = ("low", "normal", "high", "urgent")


class BoardsEntity(Entity):
    """Base of the boards' entities."""

    __service__ = "boards"


class Person(BoardsEntity, table=True):
    """A colleague."""

    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    team: str = field("category", max_length=40)


class Project(BoardsEntity, table=True):
    """A board; its cards are numbered, and no number comes twice."""

    id: str = key("prj")
    code: str = field("code", unique=True, max_length=8)
    name: str = field("name", unique=True, max_length=80)
    description: str = field("text", default="", max_length=500)
    company: str | None = field("company", default=None, max_length=120, description="customer that it is for")
    last_number: int = field("quantity", default=0, ge=0)
    created_at: datetime = field("datetime")


class Member(BoardsEntity, table=True):
    """A person's role in a project."""

    project_id: str = ref("boards_project.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    role: str = field("category", choices=ROLES)


class Column(BoardsEntity, table=True):
    """A column of a board; its kind says what it means that a card stands there."""

    id: str = key("col")
    project_id: str = ref("boards_project.id", on_delete="cascade")
    name: str = field("name", min_length=1, max_length=60)
    kind: str = field("category", choices=KINDS)
    position: int = field("quantity", ge=1)
    wip_limit: int | None = field("quantity", default=None, ge=1, le=500)


class Milestone(BoardsEntity, table=True):
    """A date by which a group of cards is to be done."""

    id: str = key("mil")
    project_id: str = ref("boards_project.id", on_delete="cascade")
    name: str = field("name", min_length=1, max_length=80)
    due_date: date = field("date")
    status: str = field("status", choices=("open", "closed"), default="open")
    created_at: datetime = field("datetime")


class Card(BoardsEntity, table=True):
    """A piece of work; archived, it is off the board."""

    id: str = key("crd")
    code: str = field("code", unique=True, max_length=20)
    number: int = field("quantity", ge=1)
    project_id: str = ref("boards_project.id", on_delete="cascade")
    column_id: str = ref("boards_column.id")
    position: int = field("quantity", ge=1)
    title: str = field("title", min_length=1, max_length=160)
    description: str = field("text", default="", max_length=5000)
    priority: str = field("category", choices=PRIORITIES, default="normal")
    assignee_name: str | None = field("person", default=None, max_length=120)
    assignee_email: str | None = field("email", default=None, max_length=200)
    due_date: date | None = field("date", default=None)
    labels: list[str] = field("tags", default_factory=list)
    milestone_id: str | None = ref("boards_milestone.id", default=None)
    archived: bool = field("flag", default=False)
    created_by_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")
    completed_at: datetime | None = field("datetime", default=None)


class ChecklistItem(BoardsEntity, table=True):
    """A step of a card."""

    id: str = key("chk")
    card_id: str = ref("boards_card.id", on_delete="cascade")
    position: int = field("quantity", ge=1)
    text: str = field("text", min_length=1, max_length=300)
    done: bool = field("flag", default=False)


class Blocker(BoardsEntity, table=True):
    """A card that waits for another one."""

    card_id: str = ref("boards_card.id", key=True, on_delete="cascade")
    blocked_by_id: str = ref("boards_card.id", key=True, on_delete="cascade")


class Comment(BoardsEntity, table=True):
    """A remark on a card."""

    id: str = key("cmt")
    card_id: str = ref("boards_card.id", on_delete="cascade")
    author_name: str = field("person", max_length=120)
    author_email: str = field("email", max_length=200)
    body: str = field("text", min_length=1, max_length=4000)
    created_at: datetime = field("datetime")
