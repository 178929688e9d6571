/** What one can do in the editor: the same from the canvas, the outline, the toolbar and the keyboard. */
import type { JsonValue } from "../../../../src/json.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import type { Definition } from "../../../../src/workflows/version.ts";
import { copiedSteps, duplicateStep, pasteSteps } from "./draft/clipboard.ts";
import type { DraftStore } from "./draft/draft-store.ts";
import { typedKind } from "./draft/history.ts";
import { type Names, namesBetween } from "./draft/merge-renamed.ts";
import { newStep, type StepKind } from "./draft/new-step.ts";
import * as operations from "./draft/operations.ts";
import { renameStep } from "./draft/rename-step.ts";
import { typedPlace } from "./draft/typed-place.ts";
import { type Connection, connectionsOf, type Way } from "./draft/ways.ts";

/** What the editor asks a person for, in a dialog. */
export type Question =
  | { readonly kind: "add"; readonly target: operations.Target; readonly position?: operations.Position }
  | { readonly kind: "connect"; readonly from: string; readonly way: Way | null }
  | { readonly kind: "rename"; readonly step: string }
  | { readonly kind: "find" }
  | { readonly kind: "paste" }
  | { readonly kind: "deploy" }
  | { readonly kind: "settings" }
  | { readonly kind: "input" }
  | { readonly kind: "workflow" };

export interface EditorActions {
  ask(question: Question): void;
  choose(step: string | null): void;
  /** Chooses a step and puts the focus on it, once it is shown. */
  reach(step: string): void;
  add(kind: StepKind, target: operations.Target, position?: operations.Position): void;
  connect(connection: Connection): void;
  disconnect(connections: readonly Connection[]): void;
  remove(steps: readonly string[]): void;
  duplicate(step: string): void;
  copiedText(steps: readonly string[]): string;
  /** Says that steps are in the clipboard. */
  sayCopied(steps: readonly string[]): void;
  paste(steps: readonly Step[]): void;
  /** @param others Where the layout has put the others, which stay there. */
  move(moved: operations.Positions, others: operations.Positions): void;
  /** @param position Where its upper left corner is with the new size. @param others As for `move`. */
  resize(step: string, position: operations.Position, size: operations.Size, others: operations.Positions): void;
  moveInOrder(step: string, direction: "up" | "down"): void;
  /** Says that the ways from a step have no order of their own in the outline. */
  sayFixed(): void;
  rename(before: string, after: string): void;
  /** The same for a key that is changed in the panel: the focus stays there. */
  renameInPanel(before: string, after: string): void;
  /** Replaces a step, as its form does. Typing into one of its fields is one change. */
  set(step: string, next: Step): void;
  /** Pins an output for runs of the draft; undefined takes it away. */
  pin(step: string, output: JsonValue | undefined): void;
  replace(change: (present: Definition) => Definition, kind?: string): void;
  tidyUp(): void;
  undo(): void;
  redo(): void;
}

/** What the actions say, in the language of the page. */
export interface ActionTexts {
  readonly added: (step: string) => string;
  readonly addedUnder: (step: string, way: string) => string;
  readonly deleted: (steps: string, count: number) => string;
  readonly copied: (steps: string, count: number) => string;
  readonly renamed: (step: string) => string;
  readonly mentioned: (steps: string) => string;
  readonly keptConnection: string;
  readonly notMoved: string;
  readonly fixed: string;
  readonly moved: (steps: string, count: number) => string;
  readonly resized: (step: string) => string;
  readonly connected: (step: string) => string;
  readonly disconnected: (steps: string) => string;
  readonly undone: string;
  readonly redone: string;
  readonly pasted: (count: number) => string;
}

interface Parts {
  readonly draft: DraftStore;
  readonly texts: ActionTexts;
  readonly nameOf: (way: Way) => string;
  readonly ask: (question: Question) => void;
  readonly choose: (step: string | null) => void;
  readonly reach: (step: string) => void;
  /** A step with a new key stays chosen. */
  readonly follow: (names: Names) => void;
  /** Whether the canvas, the outline or what stands in their place without steps has the focus. */
  readonly isAmongSteps: () => boolean;
  /** Says something once, in a region that screen readers follow. */
  readonly say: (text: string) => void;
  /** The same for what everybody else sees: only screen readers get it. */
  readonly announce: (text: string) => void;
}

export function createActions({
  draft,
  texts,
  nameOf,
  ask,
  choose,
  follow,
  reach,
  isAmongSteps,
  say,
  announce,
}: Parts): EditorActions {
  /** Adds steps that a function returns with the definition. */
  function put(change: (present: Definition) => { readonly definition: Definition; readonly keys: readonly string[] }) {
    const { definition, keys } = change(draft.present());
    draft.change(() => definition);
    const [first] = keys;
    if (first !== undefined) reach(first);
    return keys;
  }

  /** Names what a step depends on that came behind another: an error, or the condition of a branch. */
  function sayAdded(step: string): void {
    const [led, ...others] = connectionsOf(draft.present()).filter(({ to }) => to === step);
    const isPlain = led === undefined || others.length > 0 || led.way.kind === "next";
    say(isPlain ? texts.added(step) : texts.addedUnder(step, nameOf(led.way)));
  }

  function renameAndChoose(before: string, after: string, next: (step: string) => void): void {
    const { definition, mentionedBy } = renameStep(draft.present(), before, after);
    draft.change(() => definition);
    next(after);
    say(mentionedBy.length === 0 ? texts.renamed(after) : texts.mentioned(mentionedBy.join(", ")));
  }

  /** Chooses a step instead of one that has gone. If that one had the focus, the other one gets it. */
  function goOnAt(step: string | null): void {
    if (step !== null && isAmongSteps()) reach(step);
    else choose(step);
  }

  /** Undoing and redoing: the focus follows the step that comes back, or leaves the one that goes. */
  function travel(move: () => void, done: string): void {
    const before = draft.present();
    const wasAmongSteps = isAmongSteps();
    move();
    if (draft.present() === before) return;
    announce(done);
    follow(namesBetween(before, draft.present()));
    if (!wasAmongSteps) return;
    const after = draft.present();
    const [came] = keysWithout(after, before);
    const gone = keysWithout(before, after);
    const next = came ?? (gone.length === 0 ? null : neighborOf(before, after, gone));
    if (next !== null) reach(next);
  }

  return {
    ask,
    choose(step) {
      // A row may get the focus back before it is drawn with the new key of its step.
      if (step === null || operations.stepOf(draft.present(), step) !== undefined) choose(step);
    },
    reach,
    add(kind, target, position) {
      const step = newStep(draft.present(), kind);
      const placed: Step = position === undefined ? step : { ...step, position: [position[0], position[1]] };
      draft.change((present) => operations.addStep(present, placed, target));
      sayAdded(step.key);
      reach(step.key);
    },
    connect(connection) {
      const before = draft.present();
      draft.change((present) => operations.connect(present, connection));
      if (draft.present() !== before) announce(texts.connected(connection.to));
    },
    disconnect(connections) {
      const before = draft.present();
      // From the last route on, because a route that leads nowhere is removed.
      draft.change((present) => connections.toReversed().reduce(operations.disconnect, present));
      if (draft.present() === before) say(texts.keptConnection);
      else announce(texts.disconnected(connections.map(({ to }) => to).join(", ")));
    },
    remove(steps) {
      const before = draft.present();
      draft.change((present) => operations.removeSteps(present, steps));
      if (draft.present() === before) return;
      goOnAt(neighborOf(before, draft.present(), steps));
      say(texts.deleted(steps.join(", "), steps.length));
    },
    duplicate: (step) => put((present) => duplicateStep(present, step)).forEach(sayAdded),
    copiedText: (steps) => copiedSteps(draft.present(), steps),
    sayCopied: (steps) => say(texts.copied(steps.join(", "), steps.length)),
    paste: (steps) => say(texts.pasted(put((present) => pasteSteps(present, steps)).length)),
    move(moved, others) {
      draft.change((present) => operations.moveOnCanvas(present, moved, others), "move");
      announce(texts.moved([...moved.keys()].join(", "), moved.size));
    },
    resize(step, position, size, others) {
      draft.change((present) => operations.resizeOnCanvas(present, step, position, size, others));
      announce(texts.resized(step));
    },
    moveInOrder(step, direction) {
      const before = draft.present();
      draft.change((present) => operations.moveInOrder(present, step, direction));
      if (draft.present() === before) say(texts.notMoved);
      else reach(step);
    },
    sayFixed: () => say(texts.fixed),
    rename: (before, after) => renameAndChoose(before, after, reach),
    renameInPanel: (before, after) => renameAndChoose(before, after, choose),
    set(step, next) {
      const before = draft.present().steps.find(({ key }) => key === step);
      const place = typedPlace(before, next);
      const kind = place === null ? undefined : typedKind(step, place);
      draft.change((present) => operations.setStep(present, step, next), kind);
    },
    pin: (step, output) => draft.change((present) => operations.pinOutput(present, step, output)),
    replace: (change, kind) => draft.change(change, kind),
    tidyUp: () => draft.change(operations.tidyUp),
    undo: () => travel(draft.undo, texts.undone),
    redo: () => travel(draft.redo, texts.redone),
  };
}

/** The step that takes the place of deleted ones: the one before the first of them, or the first that is left. */
function neighborOf(before: Definition, after: Definition, removed: readonly string[]): string | null {
  const at = before.steps.findIndex(({ key }) => removed.includes(key));
  const left = before.steps.slice(0, Math.max(0, at)).findLast(({ key }) => !removed.includes(key));
  return left?.key ?? after.steps[0]?.key ?? null;
}

/** Keys of steps that another definition does not have. */
function keysWithout({ steps }: Definition, other: Definition): readonly string[] {
  const known = new Set(other.steps.map(({ key }) => key));
  return steps.flatMap(({ key }) => (known.has(key) ? [] : [key]));
}
