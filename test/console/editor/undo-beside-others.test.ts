/** Undo beside another editor: it takes back one's own change, and leaves what the other one did, also the order of steps. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDraftStore, type DraftStore } from "../../../adapters/console/app/editor/draft/draft-store.ts";
import { renameStep } from "../../../adapters/console/app/editor/draft/rename-step.ts";
import type { Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const keysOf = ({ steps }: Definition) => steps.map(({ key }) => key);
const withKeys = (keys: readonly string[]): Definition => ({
  input: {},
  input_default: {},
  input_options: {},
  steps: keys.map((key) => ({ type: "code", key, code: "return 1" })),
});

type Edit = (keys: readonly string[]) => readonly string[];
const rename =
  (key: string, to: string): Edit =>
  (keys) =>
    keys.map((one) => (one === key ? to : one));
const remove =
  (key: string): Edit =>
  (keys) =>
    keys.filter((one) => one !== key);
const insert =
  (after: string, key: string): Edit =>
  (keys) =>
    keys.flatMap((one) => (one === after ? [one, key] : [one]));

/** Two pages with one draft: what one of them changes is stored at once, and the other takes it over. */
function editorsOf(first: Definition) {
  const stores = [createDraftStore(first, () => 0), createDraftStore(first, () => 0)] as const;
  const share = (from: DraftStore) => {
    for (const one of stores) if (one !== from) one.adopt(from.present());
  };
  const act = (who: 0 | 1, does: (store: DraftStore) => void) => {
    does(stores[who]);
    share(stores[who]);
  };
  return {
    change: (who: 0 | 1, change: (present: Definition) => Definition) => act(who, (store) => store.change(change)),
    undo: (who: 0 | 1) => act(who, (store) => store.undo()),
    redo: (who: 0 | 1) => act(who, (store) => store.redo()),
    present: () => stores[0].present(),
  };
}

function editors(first: readonly string[]) {
  const { change, undo, present } = editorsOf(withKeys(first));
  return {
    edit(who: 0 | 1, edit: Edit) {
      change(who, (before) => ({
        ...before,
        steps: edit(keysOf(before)).map(
          (key) => before.steps.find((step) => step.key === key) ?? { type: "code", key, code: "return 1" },
        ),
      }));
    },
    undo,
    keys: () => keysOf(present()),
  };
}

it("leaves a renamed step where it is when both have renamed a step and both undo it", () => {
  const { edit, undo, keys } = editors(["c", "d", "e"]);
  edit(0, rename("c", "c1"));
  edit(1, rename("d", "d1"));
  undo(0);
  expect(keys()).toEqual(["c", "d1", "e"]);
  undo(1);
  expect(keys()).toEqual(["c", "d", "e"]);
});

it("puts a deleted step back where it was when the other one has undone a rename since", () => {
  const { edit, undo, keys } = editors(["c", "d", "e"]);
  edit(0, rename("c", "c1"));
  edit(1, rename("d", "d1"));
  edit(0, remove("e"));
  undo(1);
  undo(0);
  expect(keys()).toEqual(["c1", "d", "e"]);
});

it("keeps an order that only one of them has changed", () => {
  const { edit, undo, keys } = editors(["a", "b", "c", "d"]);
  edit(0, rename("b", "b1"));
  edit(1, () => ["d", "a", "b1", "c"]);
  undo(0);
  expect(keys()).toEqual(["d", "a", "b", "c"]);
});

/** Steps 0 and 1 are those of the editors, between steps that nobody touches. */
const PLACES = 4;
const first = Array.from({ length: PLACES }, (_, place) => [
  `s${place}`,
  `p0_${place}`,
  `t${place}`,
  `p1_${place}`,
]).flat();

it("is what would be there without the changes that were undone, whatever both do", () => {
  const turns = fc.array(
    fc.record({
      who: fc.constantFrom<0 | 1>(0, 1),
      place: fc.nat(PLACES - 1),
      act: fc.constantFrom("rename", "remove", "insert", "undo"),
    }),
    { maxLength: 24 },
  );
  fc.assert(
    fc.property(turns, (given) => {
      const both = editors(first);
      const done: { who: 0 | 1; edit: Edit }[] = [];
      const expected = () => done.reduce<readonly string[]>((keys, { edit }) => edit(keys), first);
      given.forEach(({ who, place, act }, turn) => {
        if (act === "undo") {
          const last = done.findLastIndex((one) => one.who === who);
          if (last >= 0) done.splice(last, 1);
          both.undo(who);
        } else {
          const key = expected().find((one) => one.startsWith(`p${who}_${place}`));
          if (key === undefined) return;
          const next = `p${who}_${place}_${turn}`;
          const edit = act === "remove" ? remove(key) : act === "rename" ? rename(key, next) : insert(key, next);
          done.push({ who, edit });
          both.edit(who, edit);
        }
        expect(both.keys()).toEqual(expected());
      });
    }),
    { numRuns: 300 },
  );
});

/** Steps in a row, each of which reads the one before it. */
const row = (...keys: readonly string[]): Definition => ({
  ...withKeys([]),
  steps: keys.map((key, at): Step => {
    const [before, next] = [keys[at - 1], keys[at + 1]];
    const code = before === undefined ? "return 0" : `return steps.${before}`;
    return { type: "code", key, code, ...(next === undefined ? undefined : { destinations: [next] }) };
  }),
});

const renamed = (key: string, to: string) => (present: Definition) => renameStep(present, key, to).definition;

describe("undoing a rename", () => {
  it("keeps the new name that somebody else has given to the next step", () => {
    const { change, undo, redo, present } = editorsOf(row("i", "a", "b"));
    change(0, renamed("a", "aaa"));
    change(1, renamed("b", "bbb"));
    undo(0);
    expect(present()).toEqual(row("i", "a", "bbb"));
    redo(0);
    expect(present()).toEqual(row("i", "aaa", "bbb"));
    undo(1);
    expect(present()).toEqual(row("i", "aaa", "b"));
  });

  it("leads from a new step of somebody else to the old name", () => {
    const { change, undo, present } = editorsOf(row("i", "a", "b"));
    change(0, renamed("a", "aaa"));
    change(1, (now) => ({ ...now, steps: [...now.steps, { type: "code", key: "x", code: "return steps.aaa" }] }));
    undo(0);
    expect(present().steps).toEqual([...row("i", "a", "b").steps, { type: "code", key: "x", code: "return steps.a" }]);
  });

  it("keeps what somebody else has changed in the renamed step, and then in another one", () => {
    const { change, undo, present } = editorsOf(row("i", "a", "b"));
    const withCode = (key: string, code: string) => (now: Definition) => ({
      ...now,
      steps: now.steps.map((step) => (step.key === key && step.type === "code" ? { ...step, code } : step)),
    });
    change(0, renamed("a", "aaa"));
    change(1, withCode("aaa", "return 7"));
    change(1, renamed("b", "bbb"));
    change(0, withCode("i", "return 8"));
    change(1, renamed("bbb", "c"));
    undo(0);
    undo(0);
    expect(present()).toEqual(withCode("a", "return 7")(row("i", "a", "c")));
  });

  it("leaves the newer name that somebody else has given to the same step", () => {
    const { change, undo, present } = editorsOf(row("i", "a", "b"));
    change(0, renamed("a", "aaa"));
    change(1, renamed("aaa", "theirs"));
    undo(0);
    expect(present()).toEqual(row("i", "theirs", "b"));
  });

  it("goes back to the old name if somebody else has changed the name and taken that back", () => {
    const { change, undo, present } = editorsOf(row("i", "a", "b"));
    change(0, renamed("a", "aaa"));
    change(1, renamed("aaa", "theirs"));
    undo(1);
    undo(0);
    expect(present()).toEqual(row("i", "a", "b"));
  });

  it("leaves the old name to the new step that has it now", () => {
    const { change, undo, present } = editorsOf(row("i", "a", "b"));
    change(0, renamed("a", "aaa"));
    const added: Step = { type: "note", key: "a", note: "theirs" };
    change(1, (now) => ({ ...now, steps: [...now.steps, added] }));
    undo(0);
    expect(present()).toEqual({ ...row("i", "aaa", "b"), steps: [...row("i", "aaa", "b").steps, added] });
  });

  it("never leaves a connection or an expression without its step, whatever both rename and undo", () => {
    const size = 4;
    const turns = fc.array(
      fc.record({
        who: fc.constantFrom<0 | 1>(0, 1),
        at: fc.nat(size - 1),
        act: fc.constantFrom("rename", "undo", "redo"),
      }),
      { maxLength: 24 },
    );
    fc.assert(
      fc.property(turns, (given) => {
        const both = editorsOf(row(...Array.from({ length: size }, (_, at) => `s${at}`)));
        given.forEach(({ who, at, act }, turn) => {
          const key = both.present().steps[at]?.key ?? "";
          if (act === "rename") both.change(who, renamed(key, `p${who}_${turn}`));
          else both[act === "undo" ? "undo" : "redo"](who);
          expect(both.present()).toEqual(row(...keysOf(both.present())));
          expect(both.present().steps).toHaveLength(size);
        });
      }),
      { numRuns: 100 },
    );
  });
});
