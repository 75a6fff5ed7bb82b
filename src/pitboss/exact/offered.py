"""Which kernel takes some wagers, or why none does: asked here, for a study, and nowhere else."""

from collections.abc import Sequence

from pitboss.exact.kernels import KERNELS, Kernel, Task
from pitboss.exact.kernels.count import COUNT
from pitboss.exact.kernels.draw import DRAW
from pitboss.exact.kernels.follow import FOLLOW
from pitboss.exact.kernels.hidden import HIDDEN
from pitboss.exact.plan import Step, TooLarge

QUICK = 5.0  # seconds of a count for which no other way is looked for


def offered(task: Task, decided: Sequence[str], patient: bool = False) -> tuple[Kernel, Step] | str:
    """The first kernel that takes a task soon, else the one that takes it soonest; or why none does: where one needs
    nothing but patience, that alone."""
    why: dict[str, str] = {}
    found: tuple[Kernel, Step] | None = None
    slow: dict[float, str] = {}  # seconds -> what is said of a count that patience is enough for
    for kernel in KERNELS:
        try:
            offer = kernel.offer(task)
            offer.check(True)
        except TooLarge as error:
            why[kernel.name] = str(error)
            continue
        try:
            offer.check(patient)
        except TooLarge as error:
            slow.setdefault(offer.seconds, str(error))
            continue
        if found is None or offer.seconds < found[1].offer.seconds:
            found = kernel, Step(task.wagers, offer)
        if offer.seconds <= QUICK:
            break
    if found is not None:
        return found
    if slow:
        return slow[min(slow)]
    if task.graph.open_ended:
        return why[(DRAW if task.wagers == tuple(decided) else FOLLOW).name]
    return f"{why[COUNT.name]}; nor can its hidden cards be counted without dealing them: {why[HIDDEN.name]}"
