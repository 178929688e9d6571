/** Tags: owned by an app, used by its collections. */
import { expect, it } from "vitest";
import { describeEachTransport, type Refusal } from "../support/http/transports.ts";

const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

async function refusal(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  return error === undefined ? [] : [error.code, ...error.errors.map(({ pointer }) => pointer)];
}

describeEachTransport("tags", (open) => {
  it("creates, gets, updates, lists newest first and deletes a tag", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const first = await callApi("tags.create", app.id, { name: " Urgent ", color: "#ff0000" });
    expect(first).toEqual({
      id: expect.stringMatching(/^tag_[0-9a-z]{26}$/),
      name: "Urgent",
      color: "#ff0000",
      app_id: app.id,
      created_at: date,
      updated_at: date,
    });
    const second = await callApi("tags.create", app.id, { name: "Später" });
    expect(second.color).toBe("gray");
    expect(await callApi("tags.get", app.id, first.id)).toEqual(first);
    expect(await callApi("tags.list", app.id)).toMatchObject({ items: [second, first], total: 2, more: false });
    expect(await callApi("tags.list", app.id, { take: 1, page: 2 })).toMatchObject({ items: [first], more: false });
    expect((await callApi("tags.list", app.id, { search: "SPAT" })).items).toEqual([second]);

    const changed = await callApi("tags.update", app.id, first.id, { color: "blue" });
    expect(changed).toEqual({ ...first, color: "blue", updated_at: date });
    expect(await callApi("tags.get", app.id, first.id)).toEqual(changed);
    await callApi("tags.update", app.id, first.id, { name: "Calm" });
    expect((await callApi("tags.list", app.id, { search: "urgent" })).items).toEqual([]);
    expect((await callApi("tags.list", app.id, { search: "calm" })).items).toEqual([{ ...changed, name: "Calm" }]);

    await callApi("tags.remove", app.id, first.id);
    expect(await refusal(callApi("tags.get", app.id, first.id))).toEqual(["not_found"]);
    expect(await refusal(callApi("tags.update", app.id, first.id, { name: "x" }))).toEqual(["not_found"]);
    expect(await refusal(callApi("tags.remove", app.id, first.id))).toEqual(["not_found"]);
    expect((await callApi("tags.list", app.id)).items).toEqual([second]);
  });

  it("shows the current tags in collections and removes deleted ones", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const [one, two] = [
      await callApi("tags.create", app.id, { name: "One" }),
      await callApi("tags.create", app.id, { name: "Two" }),
    ];
    const collection = await callApi("collections.create", app.id, { name: "Loans", tags: [two.id, one.id] });
    const shown = async () => {
      const { tags } = await callApi("collections.get", app.id, collection.id);
      expect((await callApi("collections.list", app.id)).items[0].tags).toEqual(tags);
      return tags;
    };
    expect(await shown()).toEqual([two, one]);
    const renamed = await callApi("tags.update", app.id, one.id, { name: "First" });
    expect(await shown()).toEqual([two, renamed]);
    await callApi("tags.remove", app.id, two.id);
    expect(await shown()).toEqual([renamed]);
    const changed = await callApi("collections.update", app.id, collection.id, { name: "Leases" });
    expect(changed.tags).toEqual([renamed]);
  });

  it("rejects invalid names, colors and fields with a pointer", async () => {
    const host = open();
    const { callApi } = host;
    const app = await host.app();
    const create = (input: unknown) => refusal(callApi("tags.create", app.id, input));
    expect(await create({})).toEqual(["invalid", "/name"]);
    expect(await create({ name: " " })).toEqual(["invalid", "/name"]);
    expect(await create({ name: 7, color: null })).toEqual(["invalid", "/name", "/color"]);
    expect(await create({ name: "x".repeat(256), color: "x".repeat(64) })).toEqual([]);
    expect(await create({ name: "x".repeat(257), color: "x".repeat(65) })).toEqual(["invalid", "/name", "/color"]);
    expect(await create({ name: "x", colour: "red" })).toEqual(["invalid", "/colour"]);
    expect(await create([])).toEqual(["invalid", ""]);
    const tag = await callApi("tags.create", app.id, { name: "Urgent" });
    expect(await refusal(callApi("tags.update", app.id, tag.id, { id: "tag_2" }))).toEqual(["invalid", "/id"]);
    expect(await refusal(callApi("tags.update", app.id, tag.id, { color: "" }))).toEqual(["invalid", "/color"]);
    expect(await refusal(callApi("tags.list", app.id, { take: 1_001 }))).toEqual(["invalid", "/take"]);
    expect(await callApi("tags.get", app.id, tag.id)).toEqual(tag);
  });

  it("answers 404 for tags of another app", async () => {
    const host = open();
    const { callApi } = host;
    const [app, other] = [await host.app(), await host.app("Other")];
    const tag = await callApi("tags.create", app.id, { name: "Urgent" });
    for (const [appId, tagId] of [
      [other.id, tag.id],
      [app.id, "tag_unknown"],
      [app.id, app.id],
    ]) {
      expect(await refusal(callApi("tags.get", appId, tagId))).toEqual(["not_found"]);
      expect(await refusal(callApi("tags.update", appId, tagId, { name: "x" }))).toEqual(["not_found"]);
      expect(await refusal(callApi("tags.remove", appId, tagId))).toEqual(["not_found"]);
    }
    expect((await callApi("tags.list", other.id)).items).toEqual([]);
    expect(await callApi("tags.get", app.id, tag.id)).toEqual(tag);
  });
});
