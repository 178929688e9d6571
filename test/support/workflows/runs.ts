/** An app to run workflows in, and steps for its runs. */
import { afterEach } from "vitest";
import type { Options, Step } from "../../../src/index.ts";
import { scripted } from "../engine/service.ts";
import type { TestHost } from "../http/transports.ts";

export const options: Partial<Options> = { sandbox: scripted() };

export const IN: Step = { type: "input", key: "in", input: {} };
export const HANG: Step = { type: "code", key: "hang", code: "hang" };
export const ASK: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
export const give = (key: string): Step => ({ type: "code", key, code: `give ${JSON.stringify(key)}` });

const hosts: TestHost[] = [];
afterEach(async () => {
  for (const { stepwell } of hosts.splice(0)) {
    for (const { id: app } of (await stepwell.apps.list()).items) {
      for (const status of ["running", "waiting"] as const) {
        for (const { id } of (await stepwell.runs.list(app, { status })).items) await stepwell.runs.cancel(app, id);
      }
    }
    await stepwell.close();
  }
});

export async function createRunFixture(host: TestHost) {
  hosts.push(host);
  const { id: app, key } = await host.app();
  const deploy = async (steps: Step[], more = {}) => {
    const { id } = await host.stepwell.workflows.create(app, { name: "Test", steps, ...more });
    await host.stepwell.workflows.deploy(app, id);
    return id;
  };
  return { ...host, appId: app, key, deploy, wait: (id: string) => host.stepwell.runs.wait(app, id) };
}
