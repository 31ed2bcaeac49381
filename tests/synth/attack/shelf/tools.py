"""Tools of the shelves."""

from __future__ import annotations

from typing import Any

from engine.kit import Context, contains, tool
from tests.synth.attack.shelf.state import Book, Shelf


@tool
def list_shelves(ctx: Context) -> Any:
    return {"items": ctx.list(Shelf)}


@tool
def list_books(
    ctx: Context,
    query: str = "",
    shelf_id: str | None = None,
    genre: str | None = None,
    signed: bool | None = None,
    min_pages: int | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    where: list[Any] = [contains(Book.title, query)]
    if shelf_id is not None:
        where.append(Book.shelf_id == shelf_id)
    if genre is not None:
        where.append(Book.genre == genre)
    if signed is not None:
        where.append(Book.signed == signed)
    if min_pages is not None:
        where.append(Book.pages >= min_pages)
    return ctx.page(Book, *where, order_by=[Book.title], limit=limit, cursor=cursor).out()


@tool
def get_book(ctx: Context, book_id: str) -> Any:
    return ctx.require(Book, book_id)


@tool
def create_book(
    ctx: Context,
    title: str,
    shelf_id: str,
    pages: int,
    author: str | None = None,
    genre: str = "fiction",
    signed: bool = False,
) -> Any:
    ctx.require(Shelf, shelf_id)
    if not title.strip():
        ctx.fail("invalid", "title needs visible characters.")
    return ctx.add(
        Book(
            id=ctx.new_id("bok"),
            title=title.strip(),
            shelf_id=shelf_id,
            pages=pages,
            author=author,
            genre=genre,
            signed=signed,
            added_at=ctx.now(),
        )
    )


@tool
def update_book(
    ctx: Context,
    book_id: str,
    title: str | None = None,
    author: str | None = None,
    pages: int | None = None,
    signed: bool | None = None,
) -> Any:
    book = ctx.require(Book, book_id)
    if title is None and author is None and pages is None and signed is None:
        ctx.fail("invalid", "Give at least one of title, author, pages and signed.")
    if title is not None:
        if not title.strip():
            ctx.fail("invalid", "title needs visible characters.")
        book.title = title.strip()
    if author is not None:
        book.author = author
    if pages is not None:
        book.pages = pages
    if signed is not None:
        book.signed = signed
    return book


@tool
def lend_book(ctx: Context, book_id: str) -> Any:
    book = ctx.require(Book, book_id)
    if book.state == "lent":
        ctx.fail("conflict", f"{book_id} is lent already.")
    book.state = "lent"
    return book


@tool
def return_book(ctx: Context, book_id: str) -> Any:
    book = ctx.require(Book, book_id)
    if book.state != "lent":
        ctx.fail("conflict", f"{book_id} is not lent.")
    book.state = "in"
    return book


@tool
def delete_book(ctx: Context, book_id: str) -> Any:
    book = ctx.require(Book, book_id)
    if book.state == "lent":
        ctx.fail("conflict", f"{book_id} is lent; it must come back first.")
    ctx.delete(book)
    return {"deleted": book_id}
