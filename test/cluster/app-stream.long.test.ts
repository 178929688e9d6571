/** The stream of an app in one process of a cluster tells what others change, and says when it may have missed something. */
import { afterEach, expect, it } from "vitest";
import { follow, type Reader } from "../support/app-stream.ts";
import { act, deploy, openProcesses, type Processes } from "../support/cluster/processes.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const opened: Processes[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

async function open() {
  const processes = openProcesses();
  opened.push(processes);
  const one = await processes.start("one");
  const two = await processes.start("two");
  // Each has seen the other.
  await processes.clock.advance("6s");
  const { app, workflow } = await deploy(one, [act("x")]);

  async function news(reader: Reader, passing = "100ms"): Promise<string[]> {
    await turnEventLoop();
    await processes.clock.advance(passing);
    await turnEventLoop();
    return reader.news();
  }
  return { ...processes, one, two, app, workflow, news };
}

it("tells what another process changes, as soon as it is open", async () => {
  const { one, two, app, news } = await open();
  const reader = follow(two.stepwell, app);
  expect(await news(reader, "0ms")).toEqual(["stream.opened"]);
  const { id } = await one.stepwell.tags.create(app, { name: "T" });
  expect(await news(reader)).toEqual([`tag.created ${id}`]);
  await two.stepwell.tags.update(app, id, { name: "U" });
  expect(await news(reader)).toEqual([`tag.changed ${id}`]);
  await one.stepwell.tags.remove(app, id);
  expect(await news(reader)).toEqual([`tag.removed ${id}`]);
  // The beats do not let it read again.
  expect(await news(reader, "20s")).toEqual([]);
  reader.stop();
});

it("tells a run that one process creates and another executes with its last status", async () => {
  const { start, until, app, workflow, news, two } = await open();
  const web = await start("web", { work: false });
  const reader = follow(web.stepwell, app);
  await news(reader, "6s");
  const { id } = await web.stepwell.runs.create(app, workflow);
  await until(async () => (await two.stepwell.runs.get(app, id)).status === "succeeded");
  await news(reader, "1s");
  const statuses = reader.seen.flatMap((change) => ("run" in change ? [change.run.status] : []));
  expect(statuses.at(-1)).toBe("succeeded");
  reader.stop();
});

it("tells its readers to read again after messages were lost", async () => {
  const { one, two, app, news, queue } = await open();
  const reader = follow(two.stepwell, app);
  await news(reader);
  queue.losesMessages = true;
  await one.stepwell.tags.create(app, { name: "lost" });
  expect(await news(reader)).toEqual([]);
  queue.losesMessages = false;
  expect(await news(reader, "6s")).toEqual(["stream.reset"]);
  const { id } = await one.stepwell.tags.create(app, { name: "told" });
  expect(await news(reader)).toEqual([`tag.created ${id}`]);
  reader.stop();
});

it("opens without an answer of the others, and tells its readers to read again when they answer", async () => {
  const { two, app, news, queue } = await open();
  queue.losesMessages = true;
  const reader = follow(two.stepwell, app);
  expect(await news(reader, "900ms")).toEqual([]);
  expect(await news(reader, "100ms")).toEqual(["stream.opened"]);
  queue.losesMessages = false;
  expect(await news(reader, "6s")).toEqual(["stream.reset"]);
  expect(await news(reader, "20s")).toEqual([]);
  reader.stop();
});

it("tells what a process changes that has joined later", async () => {
  const { start, two, app, news } = await open();
  const reader = follow(two.stepwell, app);
  await news(reader);
  const three = await start("three");
  expect(await news(reader, "6s")).toEqual(["stream.reset"]);
  const { id } = await three.stepwell.tags.create(app, { name: "T" });
  expect(await news(reader)).toEqual([`tag.created ${id}`]);
  reader.stop();
});

it("tells its readers to read again after it was cut off", async () => {
  const { one, two, app, news } = await open();
  const reader = follow(two.stepwell, app);
  await news(reader);
  two.pause();
  await one.stepwell.tags.create(app, { name: "T" });
  await news(reader, "60s");
  await one.stepwell.tags.create(app, { name: "U" });
  two.resume();
  expect(await news(reader, "10s")).toContain("stream.reset");
  reader.stop();
});

it("a process tells nobody any more some time after the last reader has gone", async () => {
  const { one, two, app, news, queue } = await open();
  const reader = follow(two.stepwell, app);
  await news(reader);
  const messages: string[] = [];
  const spy = queue.connect({ work: false, name: "spy" }).adapter.connect({} as never);
  spy.subscribe((message) => messages.push(message.split(" ")[1] ?? ""));
  await one.stepwell.tags.create(app, { name: "T" });
  await news(reader, "3s");
  expect(messages).toEqual(expect.arrayContaining(["apps", "told", "changes"]));
  reader.stop();
  await news(reader, "20s");
  messages.length = 0;
  await one.stepwell.tags.create(app, { name: "U" });
  await news(reader, "20s");
  expect(messages.filter((kind) => ["apps", "told", "changes"].includes(kind))).toEqual([]);
});
