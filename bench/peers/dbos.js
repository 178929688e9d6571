/** DBOS on PostgreSQL: the actions are steps, input and branch plain code, as its users write them. */
import { DBOS } from "@dbos-inc/dbos-sdk";
import { checked, double, finish, INPUT, increase, isHigh } from "./work.js";

export async function start({ url }) {
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: `${url}/bench_dbos`,
    logLevel: "error",
    runAdminServer: false,
    systemDatabasePoolSize: 20,
  });
  const step = (name, run, given) => DBOS.runStep(async () => run(given), { name });
  const five = DBOS.registerWorkflow(
    async (input) => {
      if (typeof input.n !== "number") throw new TypeError("no number");
      const doubled = await step("double", double, input);
      const increased = isHigh(doubled) ? await step("increase", increase, doubled) : doubled;
      return await step("finish", finish, increased);
    },
    { name: "five" },
  );
  await DBOS.launch();
  return {
    once: async () => checked(await five(INPUT)),
    close: () => DBOS.shutdown(),
  };
}
