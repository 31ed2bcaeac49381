"""What SFT and GRPO share: settings from files, runs in the catalog, their steps, the policies that come of them."""

from __future__ import annotations
