/** The client has the types of the functions in process. */
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import type { Client, ClientFilesApi } from "../../src/client/index.ts";
import { createClient } from "../../src/client/index.ts";
import type { Api, FilesApi, Run, Stepwell } from "../../src/index.ts";
import { createStepwell, defineService } from "../../src/index.ts";

const shop = defineService({
  name: "shop",
  actions: { charge: { input: v.object({ cents: v.number() }), output: v.string(), run: () => "receipt" } },
});
const server = createStepwell({ services: [shop] });

describe("createClient", () => {
  const client = createClient({ url: "https://example.com" });
  const typed = createClient<typeof server>({ url: "https://example.com" });
  const plain = createClient<Api>({ url: "https://example.com" });

  it("returns the groups of an instance, with the same types", () => {
    expectTypeOf(client).toEqualTypeOf<Client>();
    expectTypeOf<Omit<Client, "files" | "me" | "with">>().toEqualTypeOf<Pick<Stepwell, Exclude<keyof Api, "files">>>();
    expectTypeOf<Pick<typeof typed, "workflows" | "runs" | "records">>().toEqualTypeOf<
      Pick<typeof server, "workflows" | "runs" | "records">
    >();
    expectTypeOf<Omit<typeof plain, "files" | "me" | "with">>().toEqualTypeOf<Omit<Api, "files">>();
  });

  it("has the functions of files, except those that exist in process only", () => {
    expectTypeOf<keyof ClientFilesApi>().toEqualTypeOf<Exclude<keyof FilesApi, "text">>();
    expectTypeOf<Omit<ClientFilesApi, "receive" | "create">>().toEqualTypeOf<
      Omit<FilesApi, "text" | "receive" | "create">
    >();
    expectTypeOf<ClientFilesApi>().toExtend<Omit<FilesApi, "text">>();
    // @ts-expect-error: in process only
    expectTypeOf(client.files.text).toBeNever();
  });

  it("returns clients of the same type from with", () => {
    expectTypeOf(typed.with({})).toEqualTypeOf<typeof typed>();
  });

  it("checks service steps against the services of the host, and infers outputs", async () => {
    const workflow = await typed.workflows.create("me", {
      name: "Charge",
      input: { cents: { type: "number" } },
      steps: [{ type: "service", key: "pay", service: { service: "shop", action: "charge", input: { cents: 1 } } }],
    });
    const run = await typed.runs.create("me", workflow.id, { input: { cents: 7 } });
    expectTypeOf((await typed.runs.wait("me", run.id)).output).toEqualTypeOf<string | null>();
    void typed.workflows.create("me", {
      name: "Wrong",
      // @ts-expect-error: no such action
      steps: [{ type: "service", key: "pay", service: { service: "shop", action: "refund", input: {} } }],
    });
    expectTypeOf(await client.runs.get("me", "run_1")).toEqualTypeOf<Run>();
  });

  it("accepts data of any type in records, as in process", () => {
    interface Loan {
      loan: { amount: number };
    }
    const data: Loan = { loan: { amount: 1 } };
    expectTypeOf(client.records.create("me", "col_1", { data })).toEqualTypeOf(
      server.records.create("app_1", "col_1", { data }),
    );
    // @ts-expect-error: a page is not selected
    void client.runs.listAll("me", { page: 1 });
    for (const call of [client.runs.listAll, server.runs.listAll]) {
      expectTypeOf(call).parameter(1).toExtend<{ take?: number } | undefined>();
    }
  });
});
