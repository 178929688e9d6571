/** Runs tasks with the same key one after another. Tasks with different keys run at the same time. */
import { createSerialQueue, type RunSerially } from "./serial-queue.ts";

export interface SerialQueues {
  run<T>(key: string, act: () => Promise<T>): Promise<T>;
}

export function createSerialQueues(): SerialQueues {
  const queues = new Map<string, { readonly runSerially: RunSerially; waiting: number }>();
  return {
    async run(key, act) {
      const queue = queues.get(key) ?? { runSerially: createSerialQueue(), waiting: 0 };
      queues.set(key, queue);
      queue.waiting++;
      try {
        return await queue.runSerially(act);
      } finally {
        queue.waiting--;
        if (queue.waiting === 0) queues.delete(key);
      }
    },
  };
}
