/**
 * Stores a draft on the server a second after its last change, and in this browser at once. It never overwrites what somebody
 * else has stored meanwhile: that is a clash, which a person resolves.
 */
import { type Definition, type Draft, definitionOf } from "../../../../../src/workflows/version.ts";
import { isSameJson } from "../../merging/same-json.ts";
import type { DraftStore } from "../draft/draft-store.ts";
import { mergedSides } from "../draft/merge-renamed.ts";
import { createAttemptTimer, type Later } from "./attempt-timer.ts";

export type Saving =
  /** The server has it. `at`: milliseconds, null if nothing was changed here. */
  | { readonly kind: "saved"; readonly at: number | null }
  | { readonly kind: "saving" }
  /** The server does not have it. `at`: since when. `isHere`: whether this browser has it, else only this page has. */
  | { readonly kind: "kept"; readonly at: number; readonly error: unknown; readonly isHere: boolean }
  | {
      readonly kind: "clash";
      readonly base: Definition;
      readonly theirs: Draft;
      /** As above. */
      readonly isHere: boolean;
    };

/** What was changed here, and what it began with. */
export interface Kept {
  readonly definition: Definition;
  readonly base: Definition;
  readonly revision: number;
  /** What the server may have stored in place of `base`, because nothing says what became of it. Null for none. @default null */
  readonly sent?: Definition | null;
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
  readonly later: Later;
}

export interface Autosave {
  readonly state: () => Saving;
  /** Revision of the draft on the server that the changes of this page are based on. */
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
  /** Says whether the browser has the changes that were kept last. */
  readonly setKept: (isHere: boolean) => void;
  /** Ends a clash with what the person chose. */
  readonly resolve: (definition: Definition) => void;
}

/** The draft on the server, as far as this page knows it. */
interface Base {
  readonly definition: Definition;
  readonly revision: number;
}

const baseOf = (stored: Draft): Base => ({ definition: definitionOf(stored), revision: stored.revision });

export function createAutosave(parts: AutosaveParts): Autosave {
  const { draft, now, keep } = parts;
  let base = baseOf(parts.first);
  const saving = createListened<Saving>({ kind: "saved", at: null });
  const timer = createAttemptTimer(parts.later);
  let running: Promise<void> | null = null;
  /** What was sent without a response so far: the server may have stored it, or not. */
  let unanswered: Definition | null = null;
  /** Since when only this browser has the changes; null while nothing has failed. */
  let keptSince: number | null = null;
  let isHere = true;
  let isAdopting = false;
  let isStopped = false;

  const hasChanges = () => !isSameJson(draft.present(), base.definition);

  function keepHere(): void {
    const { definition, revision } = base;
    keep({ definition: draft.present(), base: definition, revision, sent: unanswered, at: now() });
  }

  draft.subscribe(() => {
    if (isAdopting || isStopped) return;
    keepHere();
    const { kind } = saving.get();
    if (kind === "clash") return;
    if (kind !== "kept") saving.set({ kind: "saving" });
    timer.soon(() => void flush());
  });

  function flush(): Promise<void> {
    timer.cancel();
    running ??= save().finally(() => {
      running = null;
    });
    return running;
  }

  async function save(): Promise<void> {
    while (!isStopped && saving.get().kind !== "clash" && saving.get().kind !== "saved") {
      const sent = draft.present();
      if (unanswered !== null && unanswered !== sent) {
        saving.set({ kind: "saving" });
        if (!(await meet(unanswered))) return;
        continue;
      }
      if (!hasChanges()) return saved();
      saving.set({ kind: "saving" });
      try {
        unanswered = sent;
        const stored = await parts.write(sent, base.revision);
        moveTo({ definition: sent, revision: stored.revision });
      } catch (error) {
        if (!(parts.isClash(error) ? await meet(sent) : failed(error))) return;
      }
    }
  }

  function moveTo(next: Base): void {
    base = next;
    unanswered = null;
    if (hasChanges()) keepHere();
  }

  function saved(): void {
    timer.succeed();
    keptSince = null;
    keep(null);
    saving.set({ kind: "saved", at: now() });
  }

  /** @returns Whether to go on at once. */
  function failed(error: unknown): false {
    if (!parts.isTransient(error)) unanswered = null;
    keptSince ??= now();
    saving.set({ kind: "kept", at: keptSince, error, isHere });
    if (parts.isTransient(error) && !isStopped) timer.again(() => void flush());
    return false;
  }

  /** The server may have another revision: perhaps of this page, whose response was lost. @returns Whether to go on at once. */
  async function meet(sent: Definition): Promise<boolean> {
    try {
      const theirs = await parts.read();
      const next = metBase(sent, base, baseOf(theirs));
      if (next === null) {
        keptSince = null;
        unanswered = null;
        saving.set({ kind: "clash", base: base.definition, theirs, isHere });
        return false;
      }
      moveTo(next);
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
    state: saving.get,
    revision: () => base.revision,
    subscribe: saving.subscribe,
    flush,
    adopt(theirs) {
      if (theirs.revision <= base.revision || running !== null || saving.get().kind !== "saved" || hasChanges()) return;
      base = baseOf(theirs);
      const { definition } = base;
      unnoticed(() => draft.adopt(definition));
    },
    restore(kept) {
      const theirs = { ...parts.first, ...base.definition, revision: base.revision };
      if (isSameJson(kept.definition, base.definition)) return keep(null);
      replace(kept.definition);
      unanswered = kept.sent ?? null;
      const isOwn = unanswered !== null && isSameJson(unanswered, base.definition);
      const isClash = !isOwn && kept.revision !== base.revision && !isSameJson(kept.base, base.definition);
      // What is kept stays based on what it was based on, until a person has decided.
      if (isClash) base = { definition: kept.base, revision: kept.revision };
      keepHere();
      if (isClash) return saving.set({ kind: "clash", base: kept.base, theirs, isHere });
      saving.set({ kind: "saving" });
      if (!isStopped) timer.soon(() => void flush());
    },
    stop() {
      isStopped = true;
      timer.cancel();
    },
    setKept(isKept) {
      isHere = isKept;
      const state = saving.get();
      if ("isHere" in state && state.isHere !== isHere) saving.set({ ...state, isHere });
    },
    resolve(definition) {
      const clash = saving.get();
      if (clash.kind !== "clash") return;
      base = baseOf(clash.theirs);
      const three = { base: clash.base, mine: draft.present(), theirs: base.definition };
      // Undoing leads from the choice to one's own values, and then to those of the others, which nobody takes back here.
      unnoticed(() => draft.adopt(mergedSides(three, "theirs")));
      for (const next of [mergedSides(three, "mine"), definition]) {
        if (!isSameJson(draft.present(), next)) replace(next);
      }
      keepHere();
      saving.set({ kind: "saving" });
      void flush();
    },
  };
}

/**
 * What the changes are based on from now on, when the server has another revision than expected. Null if somebody else has
 * changed the draft: that is a clash.
 */
function metBase(sent: Definition, base: Base, theirs: Base): Base | null {
  if (isSameJson(theirs.definition, sent)) return { definition: sent, revision: theirs.revision };
  if (isSameJson(theirs.definition, base.definition)) return { ...base, revision: theirs.revision };
  return null;
}

/** A value whose listeners hear that it has changed. */
function createListened<Value>(first: Value) {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next: Value): void {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
