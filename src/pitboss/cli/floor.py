"""`pitboss floor`."""

from argparse import Namespace

from pitboss.rules.errors import BadInput


def run(args: Namespace) -> int:
    raise BadInput("floor is not ready yet")
