/** Many followers of one run. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { createStepwell } from "../../src/index.ts";
import { until } from "../support/until.ts";

const FOLLOWERS = 1_000;

afterEach(() => void vi.restoreAllMocks());

async function open() {
  const stepwell = createStepwell({ baseUrl: "http://localhost" });
  const { id: app } = await stepwell.apps.create({ name: "Followed" });
  const { key } = await stepwell.keys.create(app, { name: "follower" });
  const { id: workflow } = await stepwell.workflows.create(app, {
    name: "Asks first",
    steps: [
      { type: "input", key: "start", input: {}, destinations: ["ask"] },
      { type: "input", key: "ask", input: { word: { type: "string" } }, destinations: ["end"] },
      { type: "note", key: "end", note: "Done" },
    ],
  });
  await stepwell.workflows.deploy(app, workflow);
  const run = await stepwell.runs.create(app, workflow, { input: {} });
  const path = `http://localhost/apps/${app}/runs/${run.id}/events`;
  const follow = (url = path) =>
    stepwell.fetch(new Request(url, { headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" } }));
  return { stepwell, app, run, follow };
}

/** Counts how often events are serialized from now on, by their text. */
function countSerializations(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const stringify = JSON.stringify;
  vi.spyOn(JSON, "stringify").mockImplementation((value: unknown) => {
    const isEvent = typeof value === "object" && value !== null && "run_id" in value && "type" in value;
    const text = stringify(value);
    if (isEvent) counts.set(text, (counts.get(text) ?? 0) + 1);
    return text;
  });
  return counts;
}

describe("an event of a run with 1,000 followers", () => {
  it.each(["a key", "a link"])("is serialized once for all who follow with %s", async (access) => {
    const { stepwell, app, run, follow } = await open();
    const link = await stepwell.runs.createLink(app, run.id, { output: true });
    const url = access === "a link" ? link.url : undefined;
    const responses = await Promise.all(Array.from({ length: FOLLOWERS }, () => follow(url)));
    const texts = responses.map((response) => response.text());
    await until(async () => (await stepwell.runs.get(app, run.id)).status === "waiting");
    const counts = countSerializations();
    await stepwell.runs.provide(app, run.id, "ask", { word: "seen" });
    const [first = "", ...others] = await Promise.all(texts);
    expect(first).toContain("event: run.succeeded");
    expect(others.filter((text) => text !== first)).toEqual([]);
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
    expect(counts.size).toBeGreaterThan(2);
    await stepwell.close();
  });
});
