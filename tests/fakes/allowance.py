"""A memory allowance that gives what it is told to, and remembers what was asked."""

from dataclasses import dataclass, field

from desktop.models.errors import ModelOutOfBudget

GIB = 1 << 30


@dataclass
class GenerousAllowance:
    """`free` bytes to be had; `refuse` turns every request away.

    admits: (bytes, purpose) of every request, refused ones included.
    """

    free: int = 8 * GIB
    refuse: bool = False
    admits: list[tuple[int, str]] = field(default_factory=list)

    def free_bytes(self) -> int:
        return self.free

    def admit(self, needed_bytes: int, purpose: str) -> None:
        self.admits.append((needed_bytes, purpose))
        if self.refuse or needed_bytes > self.free:
            raise ModelOutOfBudget(f"no room for {purpose}", needed_bytes, self.free)
