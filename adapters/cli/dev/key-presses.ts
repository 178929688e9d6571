/** Calls functions for the keys that a person presses in a terminal. */
import { emitKeypressEvents } from "node:readline";
import { ReadStream } from "node:tty";
import type { Shell } from "../terminal/shell.ts";

interface Press {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/** @param actions By the letter of the key. `q` is also called for Ctrl+C, which a terminal in raw mode does not turn into a signal. */
export function listenToKeys(
  { input, isInteractive }: Shell,
  actions: Readonly<Record<string, () => Promise<void>>>,
): { close(): void } {
  if (!isInteractive) return { close: () => undefined };
  const onPress = (_: unknown, { name = "", ctrl = false }: Press) => {
    const letter = ctrl && name === "c" ? "q" : name;
    if (Object.hasOwn(actions, letter)) void actions[letter]?.();
  };
  emitKeypressEvents(input);
  if (input instanceof ReadStream) input.setRawMode(true);
  input.on("keypress", onPress);
  input.resume();
  return {
    close() {
      input.off("keypress", onPress);
      if (input instanceof ReadStream) input.setRawMode(false);
      input.pause();
    },
  };
}
