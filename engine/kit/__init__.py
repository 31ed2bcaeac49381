"""The service kit: what a service is written with."""

from engine.errors import ToolError
from engine.kit.cast import COLLEAGUES, COMPANIES, CONTACTS, HOME_COMPANY, HOME_DOMAIN, Company, Person
from engine.kit.context import Context, Page, contains
from engine.kit.entity import Entity, entity_name
from engine.kit.fields import field, key, ref
from engine.kit.seed import Seed
from engine.kit.service import Service
from engine.kit.specification import ToolSpecification
from engine.kit.tool import Tool, tool
from engine.kit.values import Moment, Money, jsonable

__all__ = [
    "COLLEAGUES",
    "COMPANIES",
    "CONTACTS",
    "HOME_COMPANY",
    "HOME_DOMAIN",
    "Company",
    "Context",
    "Entity",
    "Moment",
    "Money",
    "Page",
    "Person",
    "Seed",
    "Service",
    "Tool",
    "ToolError",
    "ToolSpecification",
    "contains",
    "entity_name",
    "field",
    "jsonable",
    "key",
    "ref",
    "tool",
]
