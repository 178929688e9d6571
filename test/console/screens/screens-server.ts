/** A server whose app has something on each screen, at a time that is the same for each test. */
import { systemClock } from "../../../src/time/system-clock.ts";
import { until } from "../../support/until.ts";
import { type ConsoleServer, openConsoleServer } from "../support/console-server.ts";
import { createActor, deployRunWorkflows, HOSTILE_TEXT } from "../support/run-seed.ts";
import { type SeedClock, type Seeded, seed } from "../support/seed.ts";

const BASE = Date.parse("2027-03-04T10:00:00Z");
/** What the clock of the page shows, always. */
export const PAGE_TIME = BASE + 15 * 60_000;

/**
 * Stands still but for a millisecond with each look at it, which keeps the order of what is created. A wait that has ended
 * sets it: who looks then whether it has ended would else wait again, for a millisecond less.
 */
function createScreenClock(): SeedClock {
  let time = BASE;
  return {
    ...systemClock,
    now: () => time++,
    at: (moment, callback) =>
      systemClock.after(Math.max(0, moment - time), () => {
        time = Math.max(time, moment);
        callback();
      }),
    setBack(milliseconds) {
      time = BASE - milliseconds;
    },
  };
}

export interface ScreenIds extends Readonly<Seeded> {
  readonly loan: string;
  readonly app: string;
  readonly failedRun: string;
  readonly waitingRun: string;
  readonly batchRun: string;
  readonly hostileTextRun: string;
  readonly file: string;
  readonly record: string;
  readonly schedule: string;
  readonly webhook: string;
}

export interface ScreensServer {
  readonly server: ConsoleServer;
  readonly ids: ScreenIds;
}

export async function openScreensServer(): Promise<ScreensServer> {
  const clock = createScreenClock();
  const actor = createActor();
  const server = await openConsoleServer({ clock, services: [actor.service] });
  // The page goes by the clock of the server.
  server.intercept((_, response) => {
    response.setHeader("date", new Date(PAGE_TIME).toUTCString());
    return false;
  });
  const { stepwell, app } = server;
  const seeded = await seed(server, clock, { runs: 24, workflows: 9, records: 12 });
  const workflows = await deployRunWorkflows(server);
  const ended = async (workflow: string, input: object = {}) => {
    const { id } = await stepwell.runs.create(app.id, workflow, { input: { ...input } });
    await until(async () => (await stepwell.runs.get(app.id, id)).status !== "running");
    return id;
  };
  const ids = {
    failedRun: await ended(workflows.failing),
    waitingRun: await ended(workflows.loan, { amount: 5_000 }),
    batchRun: await ended(workflows.items),
    hostileTextRun: await ended(workflows.hostile),
  };
  return {
    server,
    ids: { ...seeded, ...ids, loan: workflows.loan, ...(await createThings(server, seeded)), app: app.id },
  };
}

/** One of each kind that the seed has none of. */
async function createThings({ stepwell, app }: ConsoleServer, { collection, quick }: Seeded) {
  const [record] = (await stepwell.records.list(app.id, collection)).items;
  const [schedule] = (await stepwell.schedules.list(app.id)).items;
  const [file] = (await stepwell.files.list(app.id)).items;
  await stepwell.files.create(app.id, { name: `${HOSTILE_TEXT}.txt`, body: new TextEncoder().encode(HOSTILE_TEXT) });
  const webhook = await stepwell.webhooks.create(app.id, {
    url: "https://lending.example/events",
    events: ["record.created"],
  });
  await stepwell.connections.create(app.id, {
    name: "Bank",
    service: "http",
    credentials: { type: "bearer", base_url: "https://bank.example", token: "t" },
  });
  await stepwell.tags.create(app.id, { name: "urgent", color: "#cc3300" });
  await stepwell.workflows.putDraft(app.id, quick, {
    steps: [{ type: "note", key: "about", note: "Intake of *loans*." }],
  });
  return { record: record?.id ?? "", schedule: schedule?.id ?? "", file: file?.id ?? "", webhook: webhook.id };
}
