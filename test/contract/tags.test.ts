/** Tags: owned by an app, used by its collections. */
import { expect, it } from "vitest";
import { type Refusal, throughBothDoors } from "../support/http/doors.ts";

const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

async function refusal(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  return error === undefined ? [] : [error.code, ...error.errors.map(({ pointer }) => pointer)];
}

throughBothDoors("tags", (open) => {
  it("creates, gets, updates, lists newest first and deletes a tag", async () => {
    const house = open();
    const { door } = house;
    const app = await house.app();
    const first = await door("tags.create", app.id, { name: " Urgent ", color: "#ff0000" });
    expect(first).toEqual({
      id: expect.stringMatching(/^tag_[0-9a-z]{26}$/),
      name: "Urgent",
      color: "#ff0000",
      app_id: app.id,
      created_at: date,
      updated_at: date,
    });
    const second = await door("tags.create", app.id, { name: "Später" });
    expect(second.color).toBe("gray");
    expect(await door("tags.get", app.id, first.id)).toEqual(first);
    expect(await door("tags.list", app.id)).toMatchObject({ items: [second, first], total: 2, more: false });
    expect(await door("tags.list", app.id, { take: 1, page: 2 })).toMatchObject({ items: [first], more: false });
    expect((await door("tags.list", app.id, { search: "SPAT" })).items).toEqual([second]);

    const changed = await door("tags.update", app.id, first.id, { color: "blue" });
    expect(changed).toEqual({ ...first, color: "blue", updated_at: date });
    expect(await door("tags.get", app.id, first.id)).toEqual(changed);
    await door("tags.update", app.id, first.id, { name: "Calm" });
    expect((await door("tags.list", app.id, { search: "urgent" })).items).toEqual([]);
    expect((await door("tags.list", app.id, { search: "calm" })).items).toEqual([{ ...changed, name: "Calm" }]);

    await door("tags.remove", app.id, first.id);
    expect(await refusal(door("tags.get", app.id, first.id))).toEqual(["not_found"]);
    expect(await refusal(door("tags.update", app.id, first.id, { name: "x" }))).toEqual(["not_found"]);
    expect(await refusal(door("tags.remove", app.id, first.id))).toEqual(["not_found"]);
    expect((await door("tags.list", app.id)).items).toEqual([second]);
  });

  it("shows the current tags in collections and removes deleted ones", async () => {
    const house = open();
    const { door } = house;
    const app = await house.app();
    const [one, two] = [
      await door("tags.create", app.id, { name: "One" }),
      await door("tags.create", app.id, { name: "Two" }),
    ];
    const collection = await door("collections.create", app.id, { name: "Loans", tags: [two.id, one.id] });
    const shown = async () => {
      const { tags } = await door("collections.get", app.id, collection.id);
      expect((await door("collections.list", app.id)).items[0].tags).toEqual(tags);
      return tags;
    };
    expect(await shown()).toEqual([two, one]);
    const renamed = await door("tags.update", app.id, one.id, { name: "First" });
    expect(await shown()).toEqual([two, renamed]);
    await door("tags.remove", app.id, two.id);
    expect(await shown()).toEqual([renamed]);
    const changed = await door("collections.update", app.id, collection.id, { name: "Leases" });
    expect(changed.tags).toEqual([renamed]);
  });

  it("rejects invalid names, colors and fields with a pointer", async () => {
    const house = open();
    const { door } = house;
    const app = await house.app();
    const create = (input: unknown) => refusal(door("tags.create", app.id, input));
    expect(await create({})).toEqual(["invalid", "/name"]);
    expect(await create({ name: " " })).toEqual(["invalid", "/name"]);
    expect(await create({ name: 7, color: null })).toEqual(["invalid", "/name", "/color"]);
    expect(await create({ name: "x".repeat(256), color: "x".repeat(64) })).toEqual([]);
    expect(await create({ name: "x".repeat(257), color: "x".repeat(65) })).toEqual(["invalid", "/name", "/color"]);
    expect(await create({ name: "x", colour: "red" })).toEqual(["invalid", "/colour"]);
    expect(await create([])).toEqual(["invalid", ""]);
    const tag = await door("tags.create", app.id, { name: "Urgent" });
    expect(await refusal(door("tags.update", app.id, tag.id, { id: "tag_2" }))).toEqual(["invalid", "/id"]);
    expect(await refusal(door("tags.update", app.id, tag.id, { color: "" }))).toEqual(["invalid", "/color"]);
    expect(await refusal(door("tags.list", app.id, { take: 1_001 }))).toEqual(["invalid", "/take"]);
    expect(await door("tags.get", app.id, tag.id)).toEqual(tag);
  });

  it("answers 404 for tags of another app", async () => {
    const house = open();
    const { door } = house;
    const [app, other] = [await house.app(), await house.app("Other")];
    const tag = await door("tags.create", app.id, { name: "Urgent" });
    for (const [appId, tagId] of [
      [other.id, tag.id],
      [app.id, "tag_unknown"],
      [app.id, app.id],
    ]) {
      expect(await refusal(door("tags.get", appId, tagId))).toEqual(["not_found"]);
      expect(await refusal(door("tags.update", appId, tagId, { name: "x" }))).toEqual(["not_found"]);
      expect(await refusal(door("tags.remove", appId, tagId))).toEqual(["not_found"]);
    }
    expect((await door("tags.list", other.id)).items).toEqual([]);
    expect(await door("tags.get", app.id, tag.id)).toEqual(tag);
  });
});
