"""`pitboss design`."""

from argparse import Namespace

from pitboss.rules.errors import BadInput


def run(args: Namespace) -> int:
    raise BadInput("design is not ready yet")
