/** Statuses of runs and steps. */
export const statuses = {
  queued: "Queued",
  pending: "Not reached",
  running: "Running",
  waiting: "Waiting",
  succeeded: "Succeeded",
  failed: "Failed",
  skipped: "Skipped",
  canceled: "Canceled",
};
