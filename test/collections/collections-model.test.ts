/** Random changes of a collection, with restarts and crashes, compared with a simple model. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { RecordOperationInput } from "../../src/collections/bulk/record-operation.ts";
import { isStepwellError } from "../../src/errors.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import {
  type Change,
  type Content,
  compareValues,
  createModel,
  current,
  type Model,
  type ModelRecord,
  type Value,
  versionOf,
} from "../support/collections/model.ts";

const ENTITY = "e";
const FIELDS = ["a", "b"] as const;
const INDEXED = "a";
const TAGS = 3;

const value = fc.constantFrom<Value>(0, 1, -7, "1", "x", true);
const field = fc.constantFrom(...FIELDS);
const patch = fc.dictionary(field, fc.option(value), { maxKeys: 2 });
const tags = fc.option(fc.array(fc.nat(TAGS - 1), { maxLength: 2 }), { nil: undefined });
const key = fc.option(fc.constantFrom("k", "l"), { nil: undefined });
const at = fc.nat(30);
const expected = fc.constantFrom("none", "right", "wrong");
const write = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("create" as const), patch, tags, key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("update" as const), at, patch, tags, expected }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("upsert" as const), field, value, patch, tags }) },
);
const action = fc.oneof(
  { weight: 10, arbitrary: write },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("delete" as const), at, expected }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("bulk" as const),
      writes: fc.array(write, { minLength: 1, maxLength: 6, size: "max" }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("at once" as const),
      creates: fc.nat(4),
      deletes: fc.array(at, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete tag" as const), tag: fc.nat(TAGS - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("hide", "restore") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("check" as const) }) },
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A call succeeded that the model refuses. */
class Mismatch extends Error {}

async function openWorld() {
  let t: TestService = await createTestService();
  const { app } = t;
  const { id: collection } = await t.stepwell.collections.create(app, {
    name: "Loans",
    config: { indexes: [`${ENTITY}:${INDEXED}`] },
  });
  const tagIds: string[] = [];
  for (let n = 0; n < TAGS; n++) tagIds.push((await t.stepwell.tags.create(app, { name: `Tag ${n}` })).id);
  const goneTags = new Set<string>();
  const model: Model = createModel();
  let isHidden = false;

  const pick = (index: number): ModelRecord | undefined => model.alive()[index % Math.max(1, model.alive().length)];
  const changeOf = ({ patch, tags }: Pick<Write, "patch" | "tags">): Change => ({
    patch,
    tags: tags?.map((index) => tagIds[index] ?? ""),
  });
  const dataOf = (given: Change["patch"]) => ({ [ENTITY]: given });
  const isInvalid = ({ tags = [] }: Change) => tags.some((id) => goneTags.has(id));

  /** The operation, what the model says of it, and how the model learns of its success. */
  function planOf(given: Write) {
    const change = changeOf(given);
    const tags = change.tags === undefined ? {} : { tags: [...change.tags] };
    const invalid = isInvalid(change) ? "invalid" : null;
    if (given.do === "create") {
      const key = given.key === undefined ? {} : { key: given.key };
      return {
        operation: { op: "create" as const, data: dataOf(change.patch), ...tags, ...key },
        code: () => invalid,
        apply(id: string) {
          const known = given.key === undefined ? null : model.ofKey(given.key);
          if (known === null) model.create(id, { ...change, tags: change.tags ?? [] }, given.key);
          else expect(id).toBe(known.id);
        },
      };
    }
    if (given.do === "upsert") {
      const whole = { ...change, patch: { ...change.patch, [given.field]: given.value } };
      return {
        operation: {
          op: "upsert" as const,
          path: `${ENTITY}:${given.field}`,
          value: given.value,
          data: dataOf(whole.patch),
          ...tags,
        },
        code: () => invalid,
        apply(id: string) {
          const known = model.ofValue(given.field, given.value);
          if (known === null) model.insertFor(id, whole, given.field, given.value);
          else {
            expect(id).toBe(known.id);
            model.update(known, whole);
          }
        },
      };
    }
    const record = pick(given.at);
    const id = record?.id ?? "rec_0";
    const wrong = given.expected === "wrong" ? 1_000 : undefined;
    // In a bulk call, an earlier operation may change the version.
    const version = given.expected === "right" && record !== undefined ? { expected_version: versionOf(record) } : {};
    return {
      operation: {
        op: "update" as const,
        record_id: id,
        data: dataOf(change.patch),
        ...tags,
        ...(wrong === undefined ? version : { expected_version: wrong }),
      },
      code() {
        if (invalid !== null) return invalid;
        if (record === undefined) return "not_found";
        const { expected_version = versionOf(record) } = { ...version, ...(wrong && { expected_version: wrong }) };
        return expected_version === versionOf(record) ? null : "precondition_failed";
      },
      apply: () => record !== undefined && model.update(record, change),
    };
  }
  type Plan = ReturnType<typeof planOf>;

  function send({ operation }: Plan): Promise<{ readonly id: string }> {
    const { records } = t.stepwell;
    if (operation.op === "create") {
      const { op: _, ...input } = operation;
      return records.create(app, collection, input);
    }
    if (operation.op === "upsert") {
      const { op: _, ...input } = operation;
      return records.upsert(app, collection, input);
    }
    const { op: _, record_id, ...input } = operation;
    return records.update(app, collection, record_id, input);
  }

  async function attempt<T>(act: () => Promise<T>, code: string | null): Promise<T | null> {
    const wanted = isHidden ? "not_found" : code;
    try {
      const result = await act();
      if (wanted !== null) throw new Mismatch(`It must fail with ${wanted}.`);
      return result;
    } catch (error) {
      if (error instanceof Mismatch || !isStepwellError(error)) throw error;
      expect(error.code, error.message).toBe(wanted);
      return null;
    }
  }

  async function bulk(writes: readonly Write[]): Promise<void> {
    const plans = writes.map(planOf);
    const operations: RecordOperationInput[] = plans.map(({ operation }) => operation);
    const result = await attempt(() => t.stepwell.records.bulk(app, collection, { operations }), null);
    for (const [index, { status, record_id, error }] of (result?.outcomes ?? []).entries()) {
      const plan = plans[index];
      // The result is that of one operation after the other.
      const code = plan?.code() ?? null;
      expect(error?.code ?? null, JSON.stringify(operations[index])).toBe(code);
      expect(status < 300).toBe(code === null);
      if (code === null) plan?.apply(record_id ?? "");
    }
  }

  async function removeOne(record: ModelRecord, wanted: string): Promise<void> {
    const query = {
      none: {},
      right: { expected_version: versionOf(record) },
      wrong: { expected_version: versionOf(record) + 1 },
    }[wanted];
    const act = async () => {
      await t.stepwell.records.remove(app, collection, record.id, query);
      return true;
    };
    if ((await attempt(act, wanted === "wrong" ? "precondition_failed" : null)) === true) model.remove(record);
  }

  async function act(given: Action): Promise<void> {
    switch (given.do) {
      case "create":
      case "update":
      case "upsert": {
        const plan = planOf(given);
        const written = await attempt(() => send(plan), plan.code());
        if (written !== null) plan.apply(written.id);
        return;
      }
      case "delete": {
        const record = pick(given.at);
        if (record !== undefined) await removeOne(record, given.expected);
        return;
      }
      case "bulk":
        return bulk(given.writes);
      case "at once": {
        const gone = new Set(given.deletes.flatMap((index) => pick(index) ?? []));
        const created = Array.from({ length: given.creates }, async (_, n) => {
          const data = { [ENTITY]: { b: n } };
          const record = await attempt(() => t.stepwell.records.create(app, collection, { data }), null);
          if (record !== null) model.create(record.id, { patch: { b: n }, tags: [] }, undefined);
        });
        await Promise.all([...created, ...[...gone].map((record) => removeOne(record, "none"))]);
        return;
      }
      case "delete tag": {
        const id = tagIds[given.tag] ?? "";
        if (goneTags.has(id)) return;
        await t.stepwell.tags.remove(app, id);
        goneTags.add(id);
        return;
      }
      case "hide":
        if (isHidden) return;
        await t.stepwell.collections.remove(app, collection);
        isHidden = true;
        return;
      case "restore":
        if (!isHidden) return;
        await t.stepwell.collections.restore(app, collection);
        isHidden = false;
        return;
      case "crash": {
        const before = t;
        t = await before.crash();
        await before.close();
        return check();
      }
      case "check":
        return check();
    }
  }

  const shownTags = ({ tags }: Content) => tags.filter((id) => !goneTags.has(id));
  const shownData = ({ fields }: Content) => (Object.keys(fields).length === 0 ? {} : { [ENTITY]: { ...fields } });

  async function list(query: object): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let page_token: string | undefined; ; ) {
      const page = await t.stepwell.records.list(app, collection, {
        take: 3,
        ...query,
        ...(page_token && { page_token }),
      });
      ids.push(...page.items.map(({ id }) => id));
      page_token = page.next_page_token;
      if (page_token === undefined) return ids;
    }
  }

  async function check(): Promise<void> {
    const alive = model.alive();
    const newest = alive.toReversed();
    const ids = (of: readonly ModelRecord[]) => of.map(({ id }) => id);
    const { records_count, deleted } = await t.stepwell.collections.get(app, collection);
    expect([records_count, deleted]).toEqual([alive.length, isHidden]);
    const page = await t.stepwell.records.list(app, collection, { take: 1_000 });
    expect(page.total).toBe(alive.length);
    expect(page.items.map(({ id, version, data, tags }) => [id, version, data, tags.map((tag) => tag.id)])).toEqual(
      newest.map((one) => [one.id, versionOf(one), shownData(current(one)), shownTags(current(one))]),
    );
    expect(await list({})).toEqual(ids(newest));
    await checkQueries(newest);
    for (const record of model.records) await checkHistory(record);
  }

  async function checkQueries(newest: readonly ModelRecord[]): Promise<void> {
    const ids = (of: readonly ModelRecord[]) => of.map(({ id }) => id);
    for (const name of FIELDS) {
      const path = `${ENTITY}:${name}`;
      const fieldOf = (record: ModelRecord) => current(record).fields[name];
      const sorted = newest.toReversed().sort((one, other) => compareValues(fieldOf(one), fieldOf(other)));
      expect(await list({ sort: path })).toEqual(ids(sorted));
      expect(await list({ sort: `-${path}` })).toEqual(ids(sorted.toReversed()));
      for (const wanted of ["x", 1, true]) {
        const filter = [{ field: path, op: "eq", value: wanted }];
        expect(await list({ filter })).toEqual(ids(newest.filter((record) => fieldOf(record) === wanted)));
      }
      const filter = [{ field: path, op: "gte", value: 1 }];
      const isLarge = (found: unknown) => typeof found === "number" && found >= 1;
      expect(await list({ filter, sort: path })).toEqual(ids(sorted.filter((record) => isLarge(fieldOf(record)))));
    }
    for (const tag of tagIds) {
      if (goneTags.has(tag)) continue;
      expect(await list({ tags: [tag] })).toEqual(ids(newest.filter((one) => current(one).tags.includes(tag))));
    }
  }

  async function checkHistory(record: ModelRecord): Promise<void> {
    const { items, total } = await t.stepwell.records.history(app, collection, record.id, { take: 1_000 });
    const types = record.versions.map((_, index) => (index === 0 ? "created" : "updated"));
    const all = [...types, ...(record.isDeleted ? ["deleted"] : [])].map((type, index) => [index + 1, type]);
    expect(items.map(({ version, type }) => [version, type])).toEqual(all.reverse());
    expect(total).toBe(versionOf(record));
    for (const [index, content] of record.versions.entries()) {
      const past = await t.stepwell.records.get(app, collection, record.id, { version: index + 1 });
      expect([past.version, past.data, past.tags.map(({ id }) => id)]).toEqual([
        index + 1,
        shownData(content),
        shownTags(content),
      ]);
    }
  }

  return { act, check, close: () => t.close() };
}

it("a collection agrees with a simple model of its records, versions, indexes and counts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 50, size: "max" }), async (actions) => {
      const world = await openWorld();
      for (const one of actions) await world.act(one);
      await world.check();
      await world.close();
    }),
    { numRuns: 15 },
  );
});
