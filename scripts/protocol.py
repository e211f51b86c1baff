"""Writes docs/protocol.schema.json: what goes over a table's socket; `--check` says whether the types still say it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from letitride.client.protocol import schema

FILE = Path(__file__).parent.parent / "docs" / "protocol.schema.json"


def main() -> None:
    """Write the schema, or compare it."""
    text = json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
    if "--check" not in sys.argv:
        FILE.write_text(text, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
        sys.exit("docs/protocol.schema.json is not what the types say: run 'make fix'")


if __name__ == "__main__":
    main()
