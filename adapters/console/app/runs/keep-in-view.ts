/** Keeps a row in view that a key has led to, while the rows around it are measured and move it. */

/** Where a row stays so long, all rows beside it are measured. */
const STILL_FRAMES = 10;
const SCROLLS = ["wheel", "touchmove", "pointerdown"] as const;

/** @param isWanted Whether no other key has led elsewhere. */
export function keepInView(row: HTMLElement, isWanted: () => boolean): void {
  let top = Number.NaN;
  let still = 0;
  // A person who scrolls goes where they want.
  const end = new AbortController();
  const { signal } = end;
  for (const type of SCROLLS) addEventListener(type, () => end.abort(), { signal, passive: true });
  const look = () => {
    if (signal.aborted) return;
    row.scrollIntoView({ block: "nearest", behavior: "instant" });
    const now = row.getBoundingClientRect().top;
    still = now === top ? still + 1 : 0;
    top = now;
    if (still < STILL_FRAMES && row.isConnected && isWanted()) requestAnimationFrame(look);
    else end.abort();
  };
  look();
}
