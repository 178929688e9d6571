/** One call of a tool: starts or continues a run, and follows it until it ends, needs a person, or the time is up. */
import type { ServerContext } from "@modelcontextprotocol/server";
import { isStepwellError } from "../../src/errors.ts";
import type { WaitingInput } from "../../src/forms/waiting-input.ts";
import { isRecord, type JsonObject, omitUndefined } from "../../src/json.ts";
import type { McpAccess } from "../../src/mcp/mcp-server.ts";
import { hasEnded, type Run } from "../../src/runs/run.ts";

/** The run of a call. */
export interface CalledRun {
  readonly runId: string;
  /** Whether the call started it. Only then, its end cancels the run: who waits for a run doesn't change it. */
  readonly isOwn: boolean;
  readonly answers: Answers;
}

/** How a call of a tool left its run. */
export interface CallEnd {
  readonly run: Run;
  /** The inputs that the run waits for. */
  readonly inputs: readonly WaitingInput[];
}

/** What the person at the client did about the input of a step. */
export interface Answers {
  /** Why answers were refused, by the key of the step. */
  readonly refused: ReadonlyMap<string, string>;
  /** Whether the person declined to answer. */
  readonly isDeclined: boolean;
  /** Whether somebody else answered before. */
  readonly isLate: boolean;
}

export const NO_ANSWERS: Answers = { refused: new Map(), isDeclined: false, isLate: false };

/** Milliseconds between two signs of life. Clients give up after a minute without one. */
const ALIVE_MS = 10_000;

/**
 * Follows a run.
 * @param waitMs Milliseconds after which the call ends while the run goes on.
 */
export async function follow(
  { appId, api }: McpAccess,
  { runId, isOwn }: CalledRun,
  waitMs: number,
  context: ServerContext,
): Promise<CallEnd> {
  const { signal } = context.mcpReq;
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), waitMs);
  const progress = createProgress(context, (await api.runs.get(appId, runId)).steps.length);
  try {
    signal.throwIfAborted();
    const both = AbortSignal.any([signal, time.signal]);
    for await (const event of api.runs.events(appId, runId, { signal: both })) {
      if (event.type === "step.waiting") {
        const inputs = await waitingInputs();
        if (inputs.length > 0) return { run: await api.runs.get(appId, runId), inputs };
      } else if ("step" in event && event.id !== undefined) progress.stepEnded(event.step);
    }
    signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted && isOwn) await api.runs.cancel(appId, runId);
    if (signal.aborted || !time.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    progress.stop();
  }
  return { run: await api.runs.get(appId, runId), inputs: await waitingInputs() };

  async function waitingInputs(): Promise<WaitingInput[]> {
    const { status, steps } = await api.runs.get(appId, runId);
    if (hasEnded(status)) return [];
    const waiting = steps.filter((step) => step.status === "waiting" && step.type === "input");
    const found = await Promise.all(waiting.map(({ key }) => api.inputs.get(appId, runId, key).catch(noLongerWaiting)));
    return found.filter((one) => one !== null);
  }
}

function noLongerWaiting(error: unknown): null {
  if (isStepwellError(error, "conflict")) return null;
  throw error;
}

/** Gives the run what a person has answered. */
export async function answer({ appId, api }: McpAccess, runId: string, responses: JsonObject): Promise<Answers> {
  const refused = new Map<string, string>();
  let isDeclined = false;
  let isLate = false;
  for (const [stepKey, response] of Object.entries(responses)) {
    if (!isRecord(response) || response["action"] !== "accept") {
      isDeclined = true;
      continue;
    }
    const { content } = response;
    // An address was opened: its form gives the run what it needs.
    if (!isRecord(content)) continue;
    try {
      await api.runs.provide(appId, runId, stepKey, content as JsonObject); // a part of a JSON message
    } catch (error) {
      if (!isStepwellError(error)) throw error;
      // Somebody else was quicker, or the step has ended.
      if (error.code === "conflict" || error.code === "not_found") isLate = true;
      else refused.set(stepKey, error.message);
    }
  }
  return { refused, isDeclined, isLate };
}

/** Reports progress to a client that asked for it: a step's end, and signs of life. */
function createProgress({ mcpReq }: ServerContext, total: number) {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { stepEnded() {}, stop() {} };
  let ended = 0;
  let signs = 0;
  const notify = (message?: string) => {
    // It must grow with each notification: signs of life approach the next step.
    const progress = ended + (signs === 0 ? 0 : 1 - 1 / (1 + signs));
    const params = omitUndefined({ progressToken: token, progress, total, message });
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // the client has gone
  };
  const timer = setInterval(() => {
    signs++;
    notify();
  }, ALIVE_MS);
  return {
    stepEnded(step: string) {
      ended++;
      signs = 0;
      notify(step);
    },
    stop: () => clearInterval(timer),
  };
}
