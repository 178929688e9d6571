/** Workflows that use services: a model with tools, delays, web pages, records with rules, files. */
import type { JsonObject, Step } from "../../../src/index.ts";
import { give, input, type Service } from "../../support/engine/service.ts";
import { LEAF } from "./conversation.ts";
import { type Call, LOOPED } from "./graphs.ts";

const action = (key: string, [service = "", name = ""]: string[], given: JsonObject, more: Partial<Step> = {}): Step =>
  ({ type: "service", key, service: { service, action: name, input: given }, ...more }) as Step; // common fields

/** @param leaf A workflow that the model can call. */
export async function workGraphs(
  service: Service,
  { url, call, leaf }: { url: string; call: Call; leaf: string },
): Promise<Readonly<Record<string, readonly Step[]>>> {
  const collection_id = await collectionWithRule(service);
  const record_id = "{{ steps.made.output.id }}";
  const file_id = "{{ steps.second.output.id }}";
  return {
    "a model and its tools": [
      input("in"),
      {
        type: "model",
        key: "ask",
        provider: {
          provider: "local",
          model: "m",
          messages: "Go on. {{ json(input) }}",
          tools: ["world.touch", { type: "workflow", workflow_id: leaf, name: LEAF, description: "Runs." }],
        },
      },
      call("after", { body: "{{ steps.ask.output.text }}" }),
    ],
    delays: [
      input("in", { destinations: ["before"] }),
      call("before", { destinations: ["again", "long", "beside"] }),
      action("again", ["scheduler", "delay"], { seconds: 0.02 }, { ...LOOPED, destinations: ["join"] }),
      action("long", ["scheduler", "delay"], { seconds: 0.1 }, { destinations: ["join"] }),
      call("beside", { destinations: ["join"] }),
      call("join", { destinations: ["last"] }),
      action("last", ["scheduler", "delay"], { seconds: 0 }, { destinations: ["after"] }),
      call("after", { body: "{{ steps.last.output.until > '2000' }}" }),
    ],
    "web pages in a loop": [
      input("in"),
      { type: "browser", key: "page", url: `${url}/page?key={{ run.id }}/page/{{ iteration }}`, ...LOOPED },
      call("after", { body: "{{ steps.page.output.title }}" }),
    ],
    "records with a rule": [
      input("in"),
      action("many", ["records", "create"], { collection_id, data: { a: { n: "{{ iteration }}" } } }, LOOPED),
      action("made", ["records", "create"], { collection_id, data: { a: { n: 10, text: "x" } } }),
      call("between", { body: "{{ steps.made.output.rule_results[0].key }}" }),
      action("changed", ["records", "update"], { collection_id, record_id, data: { a: { n: 11, text: null } } }),
      action("put", ["records", "upsert"], { collection_id, path: "a:n", value: 12, data: { a: { text: "y" } } }),
      action("same", ["records", "upsert"], { collection_id, path: "a:n", value: 11, data: { b: { c: true } } }),
      action("gone", ["records", "delete"], { collection_id, record_id: "{{ steps.put.output.id }}" }),
      call("after"),
    ],
    "creating and deleting files": [
      input("in"),
      action("many", ["files", "create"], { name: "{{ iteration }}.txt", text: "file {{ iteration }}" }, LOOPED),
      action("second", ["files", "create"], { name: "second.txt", text: "x".repeat(50_000) }),
      action("read", ["files", "read"], { file_id }),
      call("between", { body: "{{ steps.read.output.size }}" }),
      action("gone", ["files", "delete"], { file_id }),
      action("last", ["files", "create"], { name: "last.bin", base64: "/wAB" }),
      call("after"),
    ],
  };
}

async function collectionWithRule({ stepwell, app, deploy }: Service): Promise<string> {
  const workflow_id = await deploy([give("rule", {}, true)]);
  const rules = [{ name: "Rule", key: "rule", workflow_id }];
  return (await stepwell.collections.create(app, { name: "Records", config: { rules } })).id;
}
