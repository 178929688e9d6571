/** Writes runs as JSON Lines, in their order, while some of them are read at once. Pure. */
import { isStepwellError } from "../../../../../../src/client/index.ts";

/** Runs that are read at once. */
const MAX_READING = 4;

interface ExportParts {
  /** Ids of the runs. */
  readonly ids: AsyncIterable<string> | Iterable<string>;
  readonly read: (id: string) => Promise<unknown>;
  readonly write: (line: string) => Promise<void>;
  /** Called for each run in its turn. @param error What it was left out for; null for a run that was written. */
  readonly onRun: (id: string, error: unknown) => void;
  /** Stops it: it rejects with the reason, and writes nothing more. */
  readonly signal: AbortSignal;
}

type Outcome = { readonly id: string; readonly line: string } | { readonly id: string; readonly error: unknown };

/** Rejects when no other run can be read either. */
export async function exportRuns({ ids, read, write, onRun, signal }: ExportParts): Promise<void> {
  const reading: Promise<Outcome>[] = [];
  const readOne = async (id: string): Promise<Outcome> => {
    try {
      return { id, line: `${JSON.stringify(await read(id))}\n` };
    } catch (error) {
      return { id, error };
    }
  };
  const writeFirst = async () => {
    const outcome = await reading.shift();
    signal.throwIfAborted();
    if (outcome === undefined) return;
    if ("line" in outcome) {
      await write(outcome.line);
      onRun(outcome.id, null);
    } else if (isAboutAll(outcome.error)) throw outcome.error;
    else onRun(outcome.id, outcome.error);
  };
  for await (const id of ids) {
    reading.push(readOne(id));
    if (reading.length === MAX_READING) await writeFirst();
  }
  while (reading.length > 0) await writeFirst();
}

const isAboutAll = (error: unknown) => isStepwellError(error, "unauthorized") || isStepwellError(error, "forbidden");

/** Whether a run was deleted since it was chosen. */
export const isDeleted = (error: unknown): boolean => isStepwellError(error, "not_found");
