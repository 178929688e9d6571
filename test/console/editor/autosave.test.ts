/** Storing a draft while it is edited: nothing is lost, and nothing of others is overwritten. */
import { describe, expect, it } from "vitest";
import { createDraftStore } from "../../../adapters/console/app/editor/draft/draft-store.ts";
import { createAutosave, type Kept } from "../../../adapters/console/app/editor/saving/autosave.ts";
import type { Definition, Draft } from "../../../src/workflows/version.ts";

const definitionOf = (note: string): Definition => ({
  input: {},
  input_default: null,
  input_options: null,
  steps: [{ type: "note", key: "a", note }],
});

const noteOf = ({ steps: [step] }: Pick<Definition, "steps">) => (step?.type === "note" ? step.note : "");

/** A server with a draft, whose responses can fail, be lost or wait. */
function open() {
  let stored: Draft = { ...definitionOf("first"), revision: 1, updated_at: "" };
  let mode: "well" | "down" | "loses responses" | "waits" | "refuses" = "well";
  let time = 0;
  let kept: Kept | null = null;
  const timers = new Set<{ at: number; call: () => void }>();
  const waiting: (() => void)[] = [];
  const draft = createDraftStore(definitionOf("first"), () => time);
  const autosave = createAutosave({
    draft,
    first: stored,
    async write(definition, revision) {
      if (mode === "down") throw new Error("down");
      if (mode === "refuses") throw new Error("refused");
      if (mode === "waits") await new Promise<void>((resolve) => waiting.push(resolve));
      if (revision !== stored.revision) throw new Error("clash");
      stored = { ...definition, revision: revision + 1, updated_at: "" };
      if (mode === "loses responses") throw new Error("lost");
      return stored;
    },
    async read() {
      if (mode === "down") throw new Error("down");
      return stored;
    },
    isClash: (error) => error instanceof Error && error.message === "clash",
    isTransient: (error) => error instanceof Error && error.message !== "refused",
    keep: (next) => {
      kept = next;
    },
    now: () => time,
    later(milliseconds, call) {
      const timer = { at: time + milliseconds, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    draft,
    autosave,
    stored: () => stored,
    kept: () => kept,
    set: (next: typeof mode) => {
      mode = next;
    },
    change: (note: string) => draft.change(() => definitionOf(note)),
    elsewhere: (note: string, others: Definition["steps"] = []) => {
      const { steps, ...parts } = definitionOf(note);
      stored = { ...parts, steps: [...steps, ...others], revision: stored.revision + 1, updated_at: "" };
    },
    answer: async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await settle();
    },
    async pass(milliseconds: number) {
      time += milliseconds;
      for (const timer of [...timers]) {
        if (timer.at > time) continue;
        timers.delete(timer);
        timer.call();
      }
      await settle();
    },
  };
}

describe("the draft that is edited", () => {
  it("is stored a second after the last change, and kept here until then", async () => {
    const page = open();
    page.change("one");
    await page.pass(900);
    page.change("two");
    expect(page.kept()).toMatchObject({ definition: definitionOf("two"), base: definitionOf("first"), revision: 1 });
    await page.pass(900);
    expect(page.stored().revision).toBe(1);
    await page.pass(100);
    expect(noteOf(page.stored())).toBe("two");
    expect(page.autosave.state()).toEqual({ kind: "saved", at: 1_900 });
    expect(page.kept()).toBeNull();
  });

  it("is stored again if it was changed while it was being stored", async () => {
    const page = open();
    page.set("waits");
    page.change("one");
    await page.pass(1_000);
    page.change("two");
    await page.answer();
    expect(noteOf(page.stored())).toBe("one");
    expect(page.autosave.state().kind).toBe("saving");
    expect(page.kept()).toMatchObject({ definition: definitionOf("two") });
    await page.answer();
    expect(noteOf(page.stored())).toBe("two");
    expect(page.autosave.state().kind).toBe("saved");
  });

  it("stays here while the server is down, and is stored when it is back", async () => {
    const page = open();
    page.set("down");
    page.change("one");
    await page.pass(1_000);
    expect(page.autosave.state()).toMatchObject({ kind: "kept", at: 1_000 });
    await page.pass(2_000);
    page.change("two");
    expect(page.autosave.state().kind).toBe("kept");
    page.set("well");
    await page.pass(1_000);
    expect(noteOf(page.stored())).toBe("two");
    expect(page.kept()).toBeNull();
  });

  it("says since when it is only here: since the first failure, whatever is tried and changed then", async () => {
    const page = open();
    page.set("down");
    page.change("one");
    await page.pass(1_000);
    await page.pass(2_000);
    page.change("two");
    await page.pass(1_000);
    expect(page.autosave.state()).toMatchObject({ kind: "kept", at: 1_000 });
    page.set("well");
    await page.autosave.flush();
    page.set("down");
    page.change("three");
    await page.pass(1_000);
    expect(page.autosave.state()).toMatchObject({ kind: "kept", at: 5_000 });
  });

  it("says that it is nowhere else while the browser does not keep it either", async () => {
    const page = open();
    page.set("down");
    page.change("one");
    await page.pass(1_000);
    expect(page.autosave.state()).toMatchObject({ kind: "kept", isHere: true });
    page.autosave.setKept(false);
    expect(page.autosave.state()).toMatchObject({ kind: "kept", isHere: false });
    page.change("two");
    await page.pass(1_000);
    expect(page.autosave.state()).toMatchObject({ kind: "kept", isHere: false });
    page.autosave.setKept(true);
    expect(page.autosave.state()).toMatchObject({ kind: "kept", isHere: true });
  });

  it("is not sent again if the server refuses it, until it is changed", async () => {
    const page = open();
    page.set("refuses");
    page.change("one");
    await page.pass(1_000);
    page.set("well");
    await page.pass(60_000);
    expect(page.stored().revision).toBe(1);
    page.change("two");
    await page.pass(1_000);
    expect(noteOf(page.stored())).toBe("two");
  });

  it("is no clash with itself if the response was lost", async () => {
    const page = open();
    page.set("loses responses");
    page.change("one");
    await page.pass(1_000);
    expect(page.autosave.state().kind).toBe("kept");
    page.set("well");
    await page.pass(2_000);
    expect(page.autosave.state().kind).toBe("saved");
    expect(page.stored()).toMatchObject({ ...definitionOf("one"), revision: 2 });
  });

  it("is no clash with itself if the response was lost and more was typed since", async () => {
    const page = open();
    page.set("loses responses");
    page.change("one");
    await page.pass(1_000);
    page.set("down");
    page.change("two");
    await page.pass(1_000);
    expect(page.autosave.state().kind).toBe("kept");
    page.change("three");
    page.set("well");
    await page.pass(2_000);
    expect(page.autosave.state().kind).toBe("saved");
    expect(page.stored()).toMatchObject({ ...definitionOf("three"), revision: 3 });
  });

  it("takes back what was stored with a lost response, if it was undone since", async () => {
    const page = open();
    page.set("loses responses");
    page.change("one");
    await page.pass(1_000);
    page.draft.undo();
    page.set("well");
    await page.pass(1_000);
    expect(page.autosave.state().kind).toBe("saved");
    expect(page.stored()).toMatchObject({ ...definitionOf("first"), revision: 3 });
  });

  it("is a clash if somebody else has changed what was stored with a lost response", async () => {
    const page = open();
    page.set("loses responses");
    page.change("one");
    await page.pass(1_000);
    page.set("well");
    page.elsewhere("theirs");
    page.change("two");
    await page.pass(1_000);
    expect(page.autosave.state()).toMatchObject({ kind: "clash", theirs: { revision: 3 } });
    expect(noteOf(page.stored())).toBe("theirs");
  });

  it("is no clash with itself if the page is loaded again before a response comes", async () => {
    const before = open();
    before.set("waits");
    before.change("one");
    await before.pass(1_000);
    before.change("two");
    const kept = before.kept();
    if (kept === null) throw new Error("Nothing was kept.");
    const after = open();
    after.elsewhere("one");
    after.autosave.adopt(after.stored());
    after.autosave.restore(kept);
    await after.pass(1_000);
    expect(after.autosave.state().kind).toBe("saved");
    expect(after.stored()).toMatchObject({ ...definitionOf("two"), revision: 3 });
  });

  it("never overwrites what somebody else stored", async () => {
    const page = open();
    page.change("mine");
    page.elsewhere("theirs");
    await page.pass(1_000);
    expect(page.autosave.state()).toMatchObject({
      kind: "clash",
      base: definitionOf("first"),
      theirs: { revision: 2 },
    });
    page.change("mine too");
    await page.pass(60_000);
    await page.autosave.flush();
    expect(noteOf(page.stored())).toBe("theirs");
    expect(page.kept()).toMatchObject({ definition: definitionOf("mine too") });
    page.autosave.resolve(definitionOf("both"));
    await page.pass(0);
    expect(page.stored()).toMatchObject({ ...definitionOf("both"), revision: 3 });
    page.draft.undo();
    expect(page.draft.present()).toEqual(definitionOf("mine too"));
  });

  it("goes back from the choice after a clash to one's own values, and then to those of somebody else", async () => {
    const page = open();
    const added: Definition["steps"] = [{ type: "note", key: "b", note: "theirs" }];
    page.change("mine");
    page.elsewhere("theirs", added);
    await page.pass(1_000);
    page.autosave.resolve(definitionOf("both"));
    await page.pass(0);
    page.draft.undo();
    expect(page.draft.present().steps).toEqual([...definitionOf("mine").steps, ...added]);
    page.draft.undo();
    expect(page.draft.present().steps).toEqual([...definitionOf("theirs").steps, ...added]);
    await page.pass(1_000);
    expect(page.stored().steps).toEqual(page.draft.present().steps);
  });

  it("takes over what somebody else stored, if nothing was changed here", async () => {
    const page = open();
    page.elsewhere("theirs");
    page.autosave.adopt(page.stored());
    expect(page.draft.present()).toEqual(definitionOf("theirs"));
    expect(page.autosave.state().kind).toBe("saved");
    page.change("mine");
    page.autosave.adopt({ ...definitionOf("newer"), revision: 9, updated_at: "" });
    expect(page.draft.present()).toEqual(definitionOf("mine"));
    await page.pass(1_000);
    expect(noteOf(page.stored())).toBe("mine");
  });

  it("comes back after the page was loaded again, and is stored", async () => {
    const page = open();
    page.autosave.restore({ definition: definitionOf("kept"), base: definitionOf("first"), revision: 1, at: 0 });
    await page.pass(1_000);
    expect(noteOf(page.stored())).toBe("kept");
  });

  it("comes back as a clash if somebody else stored another one", async () => {
    const page = open();
    page.autosave.restore({ definition: definitionOf("kept"), base: definitionOf("older"), revision: 0, at: 0 });
    await page.pass(60_000);
    expect(noteOf(page.stored())).toBe("first");
    expect(page.autosave.state()).toMatchObject({
      kind: "clash",
      base: definitionOf("older"),
      theirs: { revision: 1 },
    });
    expect(page.draft.present()).toEqual(definitionOf("kept"));
  });

  it("comes back as the same clash each time the page is loaded, until somebody has decided", async () => {
    const decided = { definition: definitionOf("kept"), base: definitionOf("older"), revision: 0, sent: null };
    let kept: Kept = { ...decided, at: 0 };
    for (let loads = 0; loads < 3; loads++) {
      const page = open();
      page.autosave.restore(kept);
      await page.pass(60_000);
      expect(noteOf(page.stored())).toBe("first");
      expect(page.autosave.state()).toMatchObject({ kind: "clash", base: definitionOf("older") });
      expect(page.kept()).toMatchObject(decided);
      page.change(`typed ${loads}`);
      expect(page.kept()).toMatchObject({ ...decided, definition: definitionOf(`typed ${loads}`) });
      kept = { ...decided, at: loads };
    }
  });
});
