/** Arrow keys by what is seen. */

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** The key as if reading went from left to right: where it goes from right to left, the next one is on the left. */
export function seenKey({ key, currentTarget }: { readonly key: string; readonly currentTarget: Element }): string {
  const isFromRight = getComputedStyle(currentTarget).direction === "rtl";
  return (isFromRight ? MIRRORED[key] : undefined) ?? key;
}
