/** One side in a process of its own: reports the end of its first run, then executes rounds on demand. */
import { round } from "../measure.js";

const start = performance.now();
const [, , name, options] = process.argv;
let side;

process.on("message", async ({ id, call, given }) => {
  try {
    process.send({ id, value: await calls[call](given) });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
});

const calls = {
  async start() {
    const { start: startSide } = await import(`./${name}.js`);
    side = await startSide(JSON.parse(options));
    await side.once();
    return { startup: performance.now() - start };
  },
  round: (given) => round(side.once, given),
  /** What a side says of itself besides. */
  measure: async () => (await side.measure?.()) ?? {},
  close: async () => await side?.close(),
};
