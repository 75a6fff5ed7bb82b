"""pitboss: the open laboratory for casino table games."""

__version__ = "0.4.0"
