/**
 * Stores a draft on the server a second after its last change, and in this browser at once. It never overwrites what somebody
 * else has stored meanwhile: that is a clash, which a person resolves.
 */
import { type Definition, type Draft, definitionOf } from "../../../../../src/workflows/version.ts";
import type { DraftStore } from "../draft/draft-store.ts";
import { isSameJson } from "../draft/same-json.ts";

const PATIENCE_MS = 1_000;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000, 30_000] as const;

export type Saving =
  /** The server has it. `at`: milliseconds, null if nothing was changed here. */
  | { readonly kind: "saved"; readonly at: number | null }
  | { readonly kind: "saving" }
  /** Only this browser has it. `at`: since when. */
  | { readonly kind: "kept"; readonly at: number; readonly error: unknown }
  | { readonly kind: "clash"; readonly base: Definition; readonly theirs: Draft };

/** What was changed here, and what it began with. */
export interface Kept {
  readonly definition: Definition;
  readonly base: Definition;
  readonly revision: number;
  /** Milliseconds. */
  readonly at: number;
}

export interface AutosaveParts {
  readonly draft: DraftStore;
  /** The draft of the server that the store began with. */
  readonly first: Draft;
  /** Replaces the draft on the server if it has the revision. */
  readonly write: (definition: Definition, revision: number) => Promise<Draft>;
  readonly read: () => Promise<Draft>;
  /** Whether an error of `write` says that the draft has another revision. */
  readonly isClash: (error: unknown) => boolean;
  /** Whether an error may pass by itself, such as a server that cannot be reached. */
  readonly isTransient: (error: unknown) => boolean;
  /** Keeps the changes in this browser; null when the server has them. */
  readonly keep: (kept: Kept | null) => void;
  readonly now: () => number;
  /** @returns Cancels. */
  readonly later: (milliseconds: number, call: () => void) => () => void;
}

export interface Autosave {
  readonly state: () => Saving;
  /** Revision of the draft on the server that this page has seen last. */
  readonly revision: () => number;
  readonly subscribe: (listener: () => void) => () => void;
  /** Stores now what is not stored. Resolves when that has ended, whatever came of it. */
  readonly flush: () => Promise<void>;
  /** Takes over a newer draft of the server, if nothing was changed here. */
  readonly adopt: (theirs: Draft) => void;
  /** Brings back changes that an earlier page has kept. */
  readonly restore: (kept: Kept) => void;
  /** Stores nothing any more. */
  readonly stop: () => void;
  /** Ends a clash with what the person chose. */
  readonly resolve: (definition: Definition) => void;
}

export function createAutosave(parts: AutosaveParts): Autosave {
  const { draft, now, keep } = parts;
  let base = { definition: definitionOf(parts.first), revision: parts.first.revision };
  let state: Saving = { kind: "saved", at: null };
  let running: Promise<void> | null = null;
  let cancel = () => {};
  let failures = 0;
  /** Since when only this browser has the changes; null while nothing has failed. */
  let keptSince: number | null = null;
  let isAdopting = false;
  let isStopped = false;
  const listeners = new Set<() => void>();

  function set(next: Saving): void {
    state = next;
    for (const listener of [...listeners]) listener();
  }

  const hasChanges = () => !isSameJson(draft.present(), base.definition);

  function keepHere(): void {
    keep({ definition: draft.present(), base: base.definition, revision: base.revision, at: now() });
  }

  draft.subscribe(() => {
    if (isAdopting || isStopped) return;
    keepHere();
    if (state.kind === "clash") return;
    failures = 0;
    if (state.kind !== "kept") set({ kind: "saving" });
    saveIn(PATIENCE_MS);
  });

  function saveIn(milliseconds: number): void {
    cancel();
    if (isStopped) return;
    cancel = parts.later(milliseconds, () => void flush());
  }

  function flush(): Promise<void> {
    cancel();
    running ??= save().finally(() => {
      running = null;
    });
    return running;
  }

  async function save(): Promise<void> {
    while (!isStopped && state.kind !== "clash" && state.kind !== "saved") {
      if (!hasChanges()) return saved();
      const sent = draft.present();
      set({ kind: "saving" });
      try {
        const stored = await parts.write(sent, base.revision);
        base = { definition: sent, revision: stored.revision };
      } catch (error) {
        if (!(parts.isClash(error) ? await meet(sent) : failed(error))) return;
      }
    }
  }

  function saved(): void {
    failures = 0;
    keptSince = null;
    keep(null);
    set({ kind: "saved", at: now() });
  }

  /** @returns Whether to go on at once. */
  function failed(error: unknown): false {
    keptSince ??= now();
    set({ kind: "kept", at: keptSince, error });
    if (!parts.isTransient(error)) return false;
    saveIn(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? PATIENCE_MS);
    failures++;
    return false;
  }

  /** The server has another revision: perhaps of this page, whose response was lost. @returns Whether to go on at once. */
  async function meet(sent: Definition): Promise<boolean> {
    try {
      const theirs = await parts.read();
      const definition = definitionOf(theirs);
      if (isSameJson(definition, sent)) base = { definition: sent, revision: theirs.revision };
      else if (isSameJson(definition, base.definition)) base = { ...base, revision: theirs.revision };
      else {
        keptSince = null;
        set({ kind: "clash", base: base.definition, theirs });
        return false;
      }
      return true;
    } catch (error) {
      return failed(error);
    }
  }

  function unnoticed(change: () => void): void {
    isAdopting = true;
    change();
    isAdopting = false;
  }

  const replace = (definition: Definition) => unnoticed(() => draft.change(() => definition));

  return {
    state: () => state,
    revision: () => base.revision,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush,
    adopt(theirs) {
      if (theirs.revision <= base.revision || running !== null || state.kind !== "saved" || hasChanges()) return;
      const definition = definitionOf(theirs);
      base = { definition, revision: theirs.revision };
      unnoticed(() => draft.adopt(definition));
    },
    restore(kept) {
      const theirs = { ...parts.first, ...base.definition, revision: base.revision };
      if (isSameJson(kept.definition, base.definition)) return keep(null);
      replace(kept.definition);
      keepHere();
      if (kept.revision === base.revision || isSameJson(kept.base, base.definition)) {
        set({ kind: "saving" });
        saveIn(PATIENCE_MS);
      } else set({ kind: "clash", base: kept.base, theirs });
    },
    stop() {
      isStopped = true;
      cancel();
    },
    resolve(definition) {
      if (state.kind !== "clash") return;
      const { theirs } = state;
      base = { definition: definitionOf(theirs), revision: theirs.revision };
      replace(definition);
      keepHere();
      set({ kind: "saving" });
      void flush();
    },
  };
}
