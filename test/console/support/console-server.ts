/** A real server with the console, at a mount path of its own. */
import type { RequestListener } from "node:http";
import * as v from "valibot";
import { webConsole } from "../../../adapters/console/web-console.ts";
import { toNodeHandler } from "../../../adapters/http/node.ts";
import type { ApiKeyScope } from "../../../src/calls/caller.ts";
import { createStepwell, defineService, type Options } from "../../../src/index.ts";
import { silent } from "../../support/engine/service.ts";
import { sharedSandbox } from "../../support/engine/shared-sandbox.ts";
import { createGate } from "../../support/gate.ts";
import { takePort } from "./worker-port.ts";

export const ADMIN_KEY = "admin-key-of-the-tests";

export interface ConsoleServerOptions extends Partial<Options> {
  /** Such as `/a/b`. @default "" */
  readonly mount?: string;
  /** Name of the app. @default "Lending" */
  readonly appName?: string;
}

/** Opens a server with one app, and a key of it for everything. */
export async function openConsoleServer(given: ConsoleServerOptions = {}) {
  const { mount = "", appName = "Lending", services = [], ...options } = given;
  let listener: RequestListener = () => undefined;
  let handled: RequestListener = () => undefined;
  const port = await takePort((request, response) => listener(request, response));
  const baseUrl = `${port.origin}${mount}`;
  const gate = createGate();
  const stepwell = createStepwell({
    baseUrl,
    adminKey: ADMIN_KEY,
    secret: "s".repeat(40),
    logger: silent,
    sandbox: sharedSandbox,
    console: webConsole(),
    services: [holding(gate.released), ...services],
    ...options,
  });
  handled = toNodeHandler(stepwell);
  listener = handled;
  const app = await stepwell.apps.create({ name: appName });
  /** @param scopes @default all */
  const createKey = async (...scopes: ApiKeyScope[]) =>
    stepwell.keys.create(app.id, scopes.length === 0 ? { name: "Tests" } : { name: "Tests", scopes });
  return {
    stepwell,
    app,
    baseUrl,
    /** Address of a path of the console. */
    at: (path: string) => `${baseUrl}/console${path}`,
    createKey,
    /** Lets all runs go on that the service `tests` holds. */
    release: gate.release,
    /** Responds to a request that was looked at first, as without that. */
    handle: (...given: Parameters<RequestListener>) => handled(...given),
    /** Looks at each request first. Returns true if it has responded. */
    intercept(next: (...given: Parameters<RequestListener>) => boolean): void {
      listener = (request, response) => {
        if (!next(request, response)) handled(request, response);
      };
    },
    /** Simulates a dead process: connections are dropped and new ones refused. */
    down: () => port.down(),
    up: () => port.up(),
    async close(): Promise<void> {
      gate.release();
      port.giveBack();
      await stepwell.close();
    },
  };
}

export type ConsoleServer = Awaited<ReturnType<typeof openConsoleServer>>;

/** Its action ends when the tests say so. */
function holding(released: Promise<void>) {
  return defineService({
    name: "tests",
    title: "Tests",
    actions: {
      hold: {
        title: "Hold",
        input: v.object({}),
        output: v.object({ held: v.boolean() }),
        async run() {
          await released;
          return { held: true };
        },
      },
    },
  });
}
