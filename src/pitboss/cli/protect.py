"""`pitboss protect`."""

from argparse import Namespace

from pitboss.rules.errors import BadInput


def run(args: Namespace) -> int:
    raise BadInput("protect is not ready yet")
