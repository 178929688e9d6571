/** Undo beside another editor: it takes back one's own change, and leaves what the other one did, also the order of steps. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createDraftStore, type DraftStore } from "../../../adapters/console/app/editor/draft/draft-store.ts";
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
function editors(first: readonly string[]) {
  const stores = [createDraftStore(withKeys(first), () => 0), createDraftStore(withKeys(first), () => 0)] as const;
  const share = (from: DraftStore) => {
    for (const one of stores) if (one !== from) one.adopt(from.present());
  };
  return {
    edit(who: 0 | 1, edit: Edit) {
      stores[who].change((present) => ({
        ...present,
        steps: edit(keysOf(present)).map(
          (key) => present.steps.find((step) => step.key === key) ?? { type: "code", key, code: "return 1" },
        ),
      }));
      share(stores[who]);
    },
    undo(who: 0 | 1) {
      stores[who].undo();
      share(stores[who]);
    },
    keys: () => keysOf(stores[0].present()),
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
