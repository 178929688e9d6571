/** Follows a run until it has ended, or until it waits for a person who is not there. */
import { isStepwellError } from "../../../src/errors.ts";
import type { Run, RunEvent } from "../../../src/index.ts";
import { openSources } from "../form/answer-sources.ts";
import { submitForm } from "../form/form.ts";
import { type CliClient, OWN_APP } from "../server/open-client.ts";
import { CanceledError, EXIT, type ExitCode } from "../terminal/failure.ts";
import { oneLine, printJson, printMessage, type Shell } from "../terminal/shell.ts";
import type { RunView } from "./run-view.ts";

/** @returns The run, ended or waiting. */
export async function followRun(client: CliClient, runId: string, view: RunView, shell: Shell): Promise<Run> {
  const waiting = new Set<string>();
  for await (const event of client.runs.events(OWN_APP, runId, { signal: shell.signal })) {
    view.show(event);
    if (isSettled(event)) waiting.delete(event.step);
    if (event.type === "step.waiting" && (await waitsForInput(client, runId, event.step))) {
      if (shell.isInteractive) {
        view.pause();
        await answerInput(client, runId, event.step, shell);
        continue;
      }
      waiting.add(event.step);
    }
    if (waiting.size === 0) continue;
    const run = await client.runs.get(OWN_APP, runId);
    if (run.status === "waiting") return run;
  }
  shell.signal.throwIfAborted();
  return client.runs.get(OWN_APP, runId);
}

function isSettled(event: RunEvent): event is Extract<RunEvent, { step: string }> {
  return "step" in event && /^step\.(succeeded|failed|skipped|canceled)$/.test(event.type);
}

/** A step may also wait for a time or an event. */
async function waitsForInput(client: CliClient, runId: string, step: string): Promise<boolean> {
  try {
    await client.inputs.get(OWN_APP, runId, step);
    return true;
  } catch (error) {
    if (isStepwellError(error, "conflict") || isStepwellError(error, "not_found")) return false;
    throw error;
  }
}

/** Asks for the values of a waiting input step. */
export async function answerInput(client: CliClient, runId: string, step: string, shell: Shell): Promise<Run | null> {
  const sources = await openSources(client, shell);
  try {
    const { definition } = await client.inputs.get(OWN_APP, runId, step);
    printMessage(shell, `${step} waits for input:`);
    return await submitForm(definition, sources, (values) => client.runs.provide(OWN_APP, runId, step, values));
  } catch (error) {
    if (error instanceof CanceledError) {
      const hint = `Answer: stepwell inbox ${runId} ${step}; follow: stepwell logs -f ${runId}`;
      throw new CanceledError(`You left the form. Run ${runId} still waits at ${step}.`, hint);
    }
    if (!isStepwellError(error, "conflict")) throw error;
    printMessage(shell, `${step} no longer waits: somebody else has answered, or the run has ended.`);
    return null;
  }
}

/** Prints how a run ended: its output, or why it failed. */
export function showEnd(shell: Shell, run: Run, isJson: boolean): ExitCode {
  const { id, status, error, output, steps } = run;
  if (isJson) printJson(shell, run);
  if (status === "succeeded") {
    if (!isJson) printJson(shell, output);
    return EXIT.ok;
  }
  if (status === "failed" || status === "canceled") {
    const reason =
      error === null
        ? ""
        : `: ${error.step === undefined ? "" : `step ${error.step}: `}${error.code}: ${error.message}`;
    printMessage(shell, oneLine(`Run ${id} ${status}${reason}`, 4_000));
    if (status === "failed") printMessage(shell, `Retry it from there: stepwell api runs retry ${id}`);
    return EXIT.runFailed;
  }
  const open = steps.filter((step) => step.status === "waiting").map(({ key }) => key);
  printMessage(shell, `Run ${id} is ${status}${open.length > 0 ? ` at ${open.join(", ")}` : ""}.`);
  if (open.length > 0) printMessage(shell, `Answer: stepwell inbox ${id} ${open[0]}; follow: stepwell logs -f ${id}`);
  return EXIT.ok;
}
