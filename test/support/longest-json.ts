/** Long JSON that is written or parsed at once holds the event loop. */
import { vi } from "vitest";

/** Returns the length of the longest JSON that was written or parsed since, until mocks are restored. */
export function longestJson(): () => number {
  let longest = 0;
  const { parse, stringify } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    longest = Math.max(longest, text.length);
    return parse(text, reviver);
  });
  vi.spyOn(JSON, "stringify").mockImplementation((value, replacer) => {
    const text = Reflect.apply(stringify, JSON, [value, replacer]);
    longest = Math.max(longest, text?.length ?? 0);
    return text;
  });
  return () => longest;
}
