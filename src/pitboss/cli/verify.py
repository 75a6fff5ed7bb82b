"""`pitboss verify`."""

from argparse import Namespace

from pitboss.rules.errors import BadInput


def run(args: Namespace) -> int:
    raise BadInput("verify is not ready yet")
