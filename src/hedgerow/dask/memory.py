"""Memory of the workers: whether rows have room, before anything is laid out."""

from typing import Any


def memory_limits(client: Any) -> dict[str, int]:
    """Of each worker, in bytes; 0: no limit."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    return {name: int(worker["memory_limit"]) for name, worker in workers.items()}


def check_memory(client: Any, n_rows: int, n_columns: int, a_cell: int, a_row: int) -> None:
    """`a_cell`, `a_row`: bytes. Rows are divided among workers about equally."""
    limits = memory_limits(client).values()
    wanted, total = n_rows * (a_cell * n_columns + a_row), sum(limits)
    if all(limits) and total < wanted:
        raise MemoryError(
            f"{n_rows:,} rows of {n_columns} columns want {wanted / 1e9:.2f} GB of memory on the workers ({a_cell} "
            f"bytes a cell and {a_row} a row), but {len(limits)} workers have {total / 1e9:.2f} GB together. Add "
            "workers, give them more memory, or fit on one machine from a hedgerow.TableStream, which may use files."
        )
