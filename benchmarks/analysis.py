"""How fast the analysis is: one paytable, a batch, a cold start, Cover All, beside brute force over every case."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import letitride
from letitride.analysis import best_hand
from letitride.analysis.base import CASES, price, scaled
from letitride.analysis.design_tables import price_batch
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.paytables import base_pays

BRUTE = r"""
#include <stdio.h>
static int column(const int *c) {
  int count[13] = {0}, suit = c[0] & 3, flush = 1, seen = 0, top = 0, two = 0, high = -1;
  for (int i = 0; i < 5; i++) { count[c[i] >> 2]++; flush &= (c[i] & 3) == suit; seen |= 1 << (c[i] >> 2); }
  for (int r = 0; r < 13; r++) { if (count[r] > top) top = count[r]; if (count[r] == 2) { two++; high = r; } }
  int straight = seen == 0x100f;
  for (int low = 0; low < 9; low++) straight |= seen == 0x1f << low;
  if (straight && flush) return seen == 0x1f00 ? 0 : 1;
  if (top == 4) return 2;
  if (top == 3 && two) return 3;
  if (flush) return 4;
  if (straight) return 5;
  if (top == 3) return 6;
  if (two == 2) return 7;
  return two == 1 && high >= 8 ? 8 : 9;
}
int main(void) {
  const long nets[10] = {NETS};
  long won = 0;
  for (int a = 0; a < 52; a++) for (int b = 0; b < a; b++) for (int c = 0; c < b; c++) {
    long three = 0;
    for (int d = 0; d < 52; d++) if (d != a && d != b && d != c) {
      long four = 0;
      for (int e = 0; e < 52; e++) if (e != a && e != b && e != c && e != d) {
        int five[5] = {a, b, c, d, e};
        four += nets[column(five)];
      }
      three += four;
      won += four > 0 ? four : 0;
    }
    won += three + (three > 0 ? three : 0);
  }
  printf("%ld\n", won);
  return 0;
}
"""


def best(work: Callable[[], object], repeat: int = 5) -> float:
    """Return the shortest time of a few."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    pays = base_pays(catalog.paytable("LIRX-01"))
    exact = price(pays)
    one = best(lambda: [price(pays) for _ in range(200)]) / 200
    tables = np.sort(np.random.default_rng(1).integers(1, 1_000, size=(100_000, 9)), axis=1)[:, ::-1].copy()
    each = best(lambda: price_batch(tables), 3) / len(tables)
    cards = parse_cards("5h 6h 7h")
    advised = best(lambda: [letitride.advise(pays, cards) for _ in range(1_000)]) / 1_000
    command = [Path(sys.executable).parent / "letitride", "par", "LIRX-01", "--json"]
    cold = best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))

    def all_numbers_of_hands() -> None:
        for hands in range(1, 8):
            best_hand.best_hands(hands)

    whole = best(all_numbers_of_hands, 1)
    print(f"one paytable, exactly        {one * 1e6:10.1f} µs")
    print(f"one of a batch of 100,000    {each * 1e6:10.2f} µs")
    print(
        f"one decision, advised        {advised * 1e6:10.1f} µs: {one / advised:.0f} times within one paytable's price"
    )
    print(f"letitride par, cold start    {cold:10.2f} s")
    print(f"Cover All, 1 to 7 hands      {whole:10.2f} s")
    brute = brute_force(pays, exact)
    if brute:
        print(f"brute force in C, {CASES:,} cases  {brute:.2f} s: {brute / one:,.0f} times one paytable")


def brute_force(pays: object, exact: object) -> float:
    """Run the same question through every case in plain C; 0 where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        print("no C compiler: brute force left out")
        return 0.0
    nets, unit = scaled(pays)
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "brute.c", Path(folder) / "brute"
        source.write_text(BRUTE.replace("NETS", ", ".join(map(str, nets))))
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        start = time.perf_counter()
        done = subprocess.run([program], check=True, capture_output=True, text=True)
        seconds = time.perf_counter() - start
    if -int(done.stdout) != exact.house_edge * CASES * unit:
        sys.exit("the benchmark measures nothing: brute force comes to another price")
    return seconds


if __name__ == "__main__":
    main()
