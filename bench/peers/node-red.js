/** Node-RED, embedded: function nodes and a switch. It keeps nothing of a run. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import RED from "node-red";
import * as work from "./work.js";

const call = (name) => `msg.payload = global.get("work").${name}(msg.payload); return msg;`;
const functionNode = (id, func, next) => ({ id, type: "function", z: "five", func, outputs: 1, wires: [next] });

const flow = [
  { id: "five", type: "tab", label: "Five" },
  functionNode("input", "if (typeof msg.payload.n !== 'number') throw new Error('no number'); return msg;", ["double"]),
  functionNode("double", call("double"), ["branch"]),
  {
    id: "branch",
    type: "switch",
    z: "five",
    property: "payload.value",
    propertyType: "msg",
    rules: [{ t: "gt", v: "10", vt: "num" }, { t: "else" }],
    checkall: "false",
    outputs: 2,
    wires: [["increase"], ["finish"]],
  },
  functionNode("increase", call("increase"), ["finish"]),
  functionNode("finish", `${call("finish").replace("return msg;", "")} global.get("done")(msg); return null;`, []),
];

export async function start() {
  const userDir = await mkdtemp(join(tmpdir(), "bench-node-red-"));
  const ended = new Map();
  RED.init(createServer(), {
    userDir,
    flowFile: "flows.json",
    credentialSecret: false,
    httpAdminRoot: false,
    httpNodeRoot: false,
    logging: { console: { level: "off" } },
    functionGlobalContext: { work, done: (message) => ended.get(message._msgid)(message.payload) },
  });
  await RED.start();
  await RED.runtime.flows.setFlows({ flows: { flows: flow }, deploymentType: "full" });
  let input = RED.nodes.getNode("input");
  for (let tries = 0; input === null && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    input = RED.nodes.getNode("input");
  }
  let last = 0;
  return {
    async once() {
      const _msgid = String(++last);
      const output = await new Promise((resolve) => {
        ended.set(_msgid, resolve);
        input.receive({ _msgid, payload: work.INPUT });
      });
      ended.delete(_msgid);
      work.checked(output);
    },
    async close() {
      await RED.stop();
      await rm(userDir, { recursive: true, force: true });
    },
  };
}
