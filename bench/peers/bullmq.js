/** BullMQ on Redis: a flow a run, each job the parent of the one before it; input and branch are jobs as the rest. */
import { FlowProducer, Worker } from "bullmq";
import { checked, double, finish, INPUT, increase, isHigh } from "./work.js";

const QUEUE = "five";
const KEEP = { removeOnComplete: { count: 10_000 } };

const jobs = {
  input: async (job) => job.data,
  double: async (job) => double(await before(job)),
  branch: async (job) => {
    const given = await before(job);
    return { ...given, high: isHigh(given) };
  },
  increase: async (job) => {
    const given = await before(job);
    return given.high ? increase(given) : given;
  },
  finish: async (job) => finish(await before(job)),
};

const before = async (job) => Object.values(await job.getChildrenValues())[0];

export async function start({ port }) {
  const connection = { host: "127.0.0.1", port };
  const ended = new Map();
  const flows = new FlowProducer({ connection });
  const worker = new Worker(QUEUE, (job) => jobs[job.name](job), { connection, concurrency: 64 });
  // The worker lives in this process: its own event is the fastest way to hear of an end.
  worker.on("completed", (job, output) => {
    if (job.name === "finish") ended.get(job.data.run)?.(output);
  });
  await worker.waitUntilReady();
  let last = 0;
  return {
    async once() {
      const run = ++last;
      const output = await new Promise((resolve, reject) => {
        ended.set(run, resolve);
        flows.add(flowOf(run)).catch(reject);
      });
      ended.delete(run);
      checked(output);
    },
    async close() {
      await worker.close();
      await flows.close();
    },
  };
}

function flowOf(run) {
  let job;
  for (const name of Object.keys(jobs)) {
    const children = job === undefined ? {} : { children: [job] };
    job = { name, queueName: QUEUE, data: { ...INPUT, run }, opts: KEEP, ...children };
  }
  return job;
}
