/** Calls functions for the keys that a person presses in a terminal. */
import { emitKeypressEvents } from "node:readline";
import type { Readable } from "node:stream";
import type { ReadStream } from "node:tty";
import type { Shell } from "../terminal/shell.ts";

interface Press {
  readonly name?: string;
  readonly ctrl?: boolean;
}

export interface KeyPresses {
  /** Call it when a process has ended that had the same terminal: Node.js resets the terminal when it ends. */
  restore(): void;
  close(): void;
}

/** @param actions By the letter of the key. `q` is also called for Ctrl+C, which a terminal in raw mode does not turn into a signal. */
export function listenToKeys(
  { input, isInteractive }: Shell,
  actions: Readonly<Record<string, () => Promise<void>>>,
): KeyPresses {
  if (!isInteractive) return { close: () => undefined, restore: () => undefined };
  const onPress = (_: unknown, { name = "", ctrl = false }: Press) => {
    const letter = ctrl && name === "c" ? "q" : name;
    if (Object.hasOwn(actions, letter)) void actions[letter]?.();
  };
  emitKeypressEvents(input);
  const setRaw = (isRaw: boolean) => {
    if (isTerminalInput(input)) input.setRawMode(isRaw);
  };
  setRaw(true);
  input.on("keypress", onPress);
  input.resume();
  return {
    restore() {
      // A mode that is set already would not be set again.
      setRaw(false);
      setRaw(true);
    },
    close() {
      input.off("keypress", onPress);
      setRaw(false);
      input.pause();
    },
  };
}

function isTerminalInput(input: Readable): input is Readable & Pick<ReadStream, "setRawMode"> {
  return "setRawMode" in input && typeof input.setRawMode === "function";
}
