"""scikit-learn's own tests on hedgerow's classes: a table, and what the list of expected differences does not explain.

python tools/peer_suites                              all seven test files, two at a time
python tools/peer_suites test_svm                     one
python tools/peer_suites test_svm -- -k crammer -x    with arguments for pytest, whose output is shown
python tools/peer_suites test_svm --failed            the failing tests too, each with its message
python tools/peer_suites --write-page                 docs/scikit-learn.md, from the list of expected differences
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from page import PAGE, write_page
from suites import FILES, run_suite, table


def main() -> int:
    given = sys.argv[1:]
    own, more = (given[: given.index("--")], given[given.index("--") + 1 :]) if "--" in given else (given, [])
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", metavar="file", help=", ".join(FILES))
    parser.add_argument("--failed", action="store_true", help="print failing tests with their messages")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write-page", action="store_true", help="write docs/scikit-learn.md, run nothing")
    options = parser.parse_args(own)
    if options.write_page:
        PAGE.write_text(write_page(), encoding="utf-8")
        return 0
    unknown = sorted(set(options.files) - set(FILES))
    if unknown:
        parser.error(f"{unknown[0]!r} is no test file. Known: {', '.join(FILES)}.")
    with ThreadPoolExecutor(options.processes) as pool:
        suites = list(pool.map(lambda name: run_suite(name, tuple(more)), options.files or FILES))
    if options.failed:
        for suite in suites:
            for name in suite.failed:
                print(
                    f"{suite.file} {suite.kind_of(name) or 'UNLISTED'} {name}: {suite.outcomes[name]['why']}"
                )
    print(table(suites))
    surprises = [] if more else [f"{suite.file} {line}" for suite in suites for line in suite.surprises]
    if surprises:
        print("\nNot as the list of expected differences says:", *surprises, sep="\n  ")
    return bool(surprises)


if __name__ == "__main__":
    sys.exit(main())
