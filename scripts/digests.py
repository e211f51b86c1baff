"""Write the digests of the published rule books and paytables beside them, or check that they are written."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from letitride.server.ops.digests import data

FILE = Path(__file__).parent.parent / "src/letitride/rules/data/digests.json"


def main() -> int:
    text = msgspec.json.format(msgspec.json.encode(data()), indent=2) + b"\n"
    if "--check" in sys.argv[1:]:
        if not FILE.exists() or FILE.read_bytes() != text:
            print(f"{FILE.name} is not up to date; run 'make fix'", file=sys.stderr)
            return 1
        return 0
    FILE.write_bytes(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
