"""pitboss: the open laboratory for casino table games."""

__version__ = "0.1.0"
