/**
 * The work that every side does: input, action, branch, action, action. The actions are these functions, as steps;
 * input and branch are a step where the side has such steps, and plain code where its users write plain code.
 */

export const INPUT = { n: 12 };

export const double = ({ n }) => ({ value: n * 2 });
export const isHigh = ({ value }) => value > 10;
export const increase = ({ value }) => ({ value: value + 1 });
export const finish = ({ value }) => ({ value, done: true });

/** Nobody is fast by doing something else. */
export function checked(output) {
  if (output?.value !== 25 || output.done !== true) throw new Error(`a wrong result: ${JSON.stringify(output)}`);
}

/** What a journal keeps of a step; the floors write one for each of the five. */
export const journalled = (run, step) =>
  JSON.stringify({ run, step, status: "succeeded", output: { value: 25 }, started_at: 1, finished_at: 2 });

export const STEPS = 5;
