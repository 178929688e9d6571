/** Calls a function when files of a folder change, one call at a time. */
import { watch } from "node:fs";

/** Editors write a file in several steps. */
const SETTLE_MS = 50;

export interface Watching {
  /** Calls the function now, or once more after the current call. Resolves when no call is left. */
  check(): Promise<void>;
  close(): void;
}

/**
 * @param isWanted Whether a change of the file with this name matters.
 * @param onChange Must not reject.
 */
export function watchFolder(
  folder: string,
  isWanted: (name: string) => boolean,
  onChange: () => Promise<void>,
  options: { readonly recursive?: boolean } = {},
): Watching {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<void> | null = null;
  let isDirty = false;

  async function work(): Promise<void> {
    while (isDirty) {
      isDirty = false;
      await onChange();
    }
    working = null;
  }

  function check(): Promise<void> {
    isDirty = true;
    working ??= work();
    return working;
  }

  const watcher = watch(folder, options, (_, name) => {
    if (name !== null && !isWanted(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), SETTLE_MS);
  });
  // The folder may be removed while it is watched.
  watcher.on("error", () => undefined);
  return {
    check,
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
