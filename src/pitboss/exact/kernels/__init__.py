"""The ways to count, each a module that keeps the contract of `task`; a study asks them in this order."""

from pitboss.exact.kernels.count import COUNT
from pitboss.exact.kernels.draw import DRAW
from pitboss.exact.kernels.follow import FOLLOW
from pitboss.exact.kernels.hidden import HIDDEN
from pitboss.exact.kernels.showdown import SHOWDOWN
from pitboss.exact.kernels.task import Advised, Decided, Kernel, Opened, Task, best

KERNELS: tuple[Kernel, ...] = (COUNT, SHOWDOWN, HIDDEN, DRAW, FOLLOW)

__all__ = ["KERNELS", "Advised", "Decided", "Kernel", "Opened", "Task", "best"]
