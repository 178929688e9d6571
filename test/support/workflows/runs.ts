/** An app for tests through both doors, and steps for its runs. */
import { afterEach } from "vitest";
import type { Options, Step } from "../../../src/index.ts";
import { scripted } from "../engine/service.ts";
import type { House } from "../http/doors.ts";

export const options: Partial<Options> = { sandbox: scripted() };

export const IN: Step = { type: "input", key: "in", input: {} };
export const HANG: Step = { type: "code", key: "hang", code: "hang" };
export const ASK: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
export const give = (key: string): Step => ({ type: "code", key, code: `give ${JSON.stringify(key)}` });

const houses: House[] = [];
afterEach(async () => {
  for (const { stepwell } of houses.splice(0)) {
    for (const { id: app } of (await stepwell.apps.list()).items) {
      for (const status of ["running", "waiting"] as const) {
        for (const { id } of (await stepwell.runs.list(app, { status })).items) await stepwell.runs.cancel(app, id);
      }
    }
    await stepwell.close();
  }
});

export async function createRunFixture(house: House) {
  houses.push(house);
  const { id: app, key } = await house.app();
  const deploy = async (steps: Step[], more = {}) => {
    const { id } = await house.stepwell.workflows.create(app, { name: "Test", steps, ...more });
    await house.stepwell.workflows.deploy(app, id);
    return id;
  };
  return { ...house, appId: app, key, deploy, wait: (id: string) => house.stepwell.runs.wait(app, id) };
}
