"""``python -m compoworld``."""

from compoworld.cli import main

main()
