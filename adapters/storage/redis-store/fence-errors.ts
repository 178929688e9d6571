/** Why a process may not use the store, or not anymore. */
import { StepwellError } from "../../../src/errors.ts";
import { FORMAT } from "./opening-scripts.ts";

const unusable = (message: string) => new StepwellError("unavailable", message);

/** @param holder A token, and words that say which process it is. */
const nameOf = (holder: string) => holder.slice(holder.indexOf(" ") + 1);

export const newerError = (format: string): StepwellError =>
  unusable(
    `A newer version of Stepwell has written this Redis store (format ${format}; this version reads up to ${FORMAT}). ` +
      "Use that version, or another prefix.",
  );

export const heldError = (holder: string, isShared: boolean): StepwellError =>
  unusable(
    isShared
      ? `The Redis store is in use by ${nameOf(holder)}, without the option \`cluster\`. Stop that process, or set another ` +
          "prefix. The store of a process that was killed is free after 10 seconds."
      : `The Redis store is in use by ${nameOf(holder)}. Only one process can use it at a time, unless the option ` +
          "`cluster` is set: stop that one, or set another prefix. The store of a process that was killed is free after 10 " +
          "seconds.",
  );

export const sharedError = (holder: string): StepwellError =>
  unusable(
    `The Redis store is in use by ${nameOf(holder)}, with the option \`cluster\`, and perhaps by others. Set the option here, ` +
      "too, stop all of them, or set another prefix. The store of processes that were killed is free after 10 seconds.",
  );

export const replacedError = (isShared: boolean): StepwellError =>
  unusable(
    isShared
      ? "This process has stopped reading and writing its Redis store: a process without the option `cluster` took it over, " +
          "or Redis has lost commits that were acknowledged. Restart this one."
      : "This process no longer owns its Redis store and has stopped reading and writing it, because another process took " +
          "it over. Stop the other process, and restart this one.",
  );

export const lostCommitsError = (): StepwellError =>
  unusable(
    "Redis has lost commits that were acknowledged: it failed over to a replica, was restored, was emptied, or restarted " +
      "with a shorter append-only file. This process has stopped reading and writing its store. Restart it, so that it " +
      "reads what is left.",
  );

export const endedError = (): StepwellError =>
  unusable(
    "Redis does not know this process anymore: it has lost commits, or did not hear of this process for a day. This process " +
      "has stopped reading and writing its store. Restart it, so that it reads what is there.",
  );
