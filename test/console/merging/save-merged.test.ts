/** A form that is saved after somebody else has changed what it shows. */
import { describe, expect, it } from "vitest";
import { saveMerged, type Way } from "../../../adapters/console/app/merging/save-merged.ts";
import { StepwellError } from "../../../src/client/index.ts";

interface Thing {
  readonly name: string;
  readonly text: string;
  readonly revision: number;
}

type Fields = Pick<Thing, "name" | "text">;

/** @param first What is stored. @param races What others store just before each write, one after the other. */
function storage(first: Thing, { races = [], revised = true }: { races?: readonly Fields[]; revised?: boolean } = {}) {
  let stored = first;
  const written: Fields[] = [];
  const left = [...races];
  const way: Way<Thing, Fields> = {
    fieldsOf: ({ name, text }) => ({ name, text }),
    revisionOf: ({ revision }) => (revised ? revision : null),
    read: async () => stored,
    async write(fields, base) {
      const race = left.shift();
      if (race !== undefined) stored = { ...race, revision: stored.revision + 1 };
      if (revised && base?.revision !== stored.revision) throw refusal();
      written.push(fields);
      stored = { ...fields, revision: stored.revision + 1 };
      return stored;
    },
  };
  return { way, written };
}

const refusal = () => new StepwellError("precondition_failed", "The revision differs.");

const BASE: Thing = { name: "a", text: "b", revision: 1 };

describe("a form with a revision", () => {
  it("is stored without reading when nobody was faster", async () => {
    const { way, written } = storage(BASE);
    const outcome = await saveMerged(way, { base: BASE, fields: { name: "mine", text: "b" }, lost: [] });
    expect(outcome).toMatchObject({ kind: "saved", stored: { name: "mine" }, elsewhere: [] });
    expect(written).toEqual([{ name: "mine", text: "b" }]);
  });

  it("keeps what only others have changed, however often they are faster", async () => {
    const { way, written } = storage(
      { name: "a", text: "theirs", revision: 2 },
      {
        races: [
          { name: "a", text: "theirs 2" },
          { name: "a", text: "theirs 3" },
        ],
      },
    );
    const outcome = await saveMerged(way, { base: BASE, fields: { name: "mine", text: "b" }, lost: [] });
    expect(outcome).toMatchObject({ kind: "saved", elsewhere: [["text"]] });
    expect(written).toEqual([{ name: "mine", text: "theirs 3" }]);
  });

  it("stores nothing when both changed the same", async () => {
    const { way, written } = storage({ name: "theirs", text: "other", revision: 2 });
    const outcome = await saveMerged(way, { base: BASE, fields: { name: "mine", text: "b" }, lost: [] });
    expect(outcome).toMatchObject({
      kind: "clash",
      theirs: { revision: 2 },
      fields: { name: "mine", text: "other" },
      clashes: [{ path: ["name"], theirs: "theirs" }],
      elsewhere: [["text"]],
    });
    expect(written).toEqual([]);
  });

  it("is not stored twice when the response was lost", async () => {
    const { way, written } = storage({ name: "mine", text: "b", revision: 2 });
    const fields = { name: "mine", text: "b" };
    const outcome = await saveMerged(way, { base: BASE, fields, lost: [fields] });
    expect(outcome).toEqual({ kind: "saved", stored: { ...fields, revision: 2 }, elsewhere: [] });
    expect(written).toEqual([]);
  });

  it("does not clash with itself when the response was lost and more was typed", async () => {
    const { way, written } = storage({ name: "mine", text: "b", revision: 2 });
    const outcome = await saveMerged(way, {
      base: BASE,
      fields: { name: "mine, and more", text: "b" },
      lost: [{ name: "mine", text: "b" }],
    });
    expect(outcome.kind).toBe("saved");
    expect(written).toEqual([{ name: "mine, and more", text: "b" }]);
  });

  it("rejects with the error when reading again shows the same revision", async () => {
    const { way } = storage(BASE);
    const refused = { ...way, write: () => Promise.reject(refusal()) };
    await expect(saveMerged(refused, { base: BASE, fields: { name: "x", text: "b" }, lost: [] })).rejects.toMatchObject(
      {
        code: "precondition_failed",
      },
    );
  });
});

it("a form is not stored again and again while others are always faster", async () => {
  const races = Array.from({ length: 20 }, (_, index) => ({ name: "a", text: `theirs ${index}` }));
  const { way, written } = storage(BASE, { races });
  const saving = saveMerged(way, { base: BASE, fields: { name: "mine", text: "b" }, lost: [] });
  await expect(saving).rejects.toMatchObject({ code: "precondition_failed" });
  expect(written).toEqual([]);
});

it("a form that does not show all of its base asks before it replaces the rest", async () => {
  const base = { name: "a", text: "theirs", revision: 2 };
  const { way, written } = storage(base);
  const before = { name: "a", text: "b" };
  const clash = await saveMerged(way, { base, before, fields: { name: "a", text: "mine" }, lost: [] });
  expect(clash).toMatchObject({ kind: "clash", clashes: [{ path: ["text"], theirs: "theirs" }] });
  const saved = await saveMerged(way, { base, before, fields: { name: "mine", text: "b" }, lost: [] });
  expect(saved).toMatchObject({ kind: "saved", elsewhere: [["text"]] });
  expect(written).toEqual([{ name: "mine", text: "theirs" }]);
});

it("a form without a revision is compared with what is stored before it is written", async () => {
  const { way, written } = storage({ name: "a", text: "theirs", revision: 2 }, { revised: false });
  const outcome = await saveMerged(way, { base: BASE, fields: { name: "mine", text: "b" }, lost: [] });
  expect(outcome).toMatchObject({ kind: "saved", elsewhere: [["text"]] });
  const clash = await saveMerged(way, { base: BASE, fields: { name: "another", text: "b" }, lost: [] });
  expect(clash.kind).toBe("clash");
  expect(written).toEqual([{ name: "mine", text: "theirs" }]);
});
