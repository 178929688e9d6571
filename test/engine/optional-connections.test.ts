/** Services whose connection is optional, fields of credentials that are not secret, and errors with a code. */

import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ActionError, createStepwell, defineService, type Step } from "../../src/index.ts";
import { give, openService, type Service, step } from "../support/engine/service.ts";

const mail = defineService({
  name: "mail",
  connection: v.optional(v.object({ host: v.string(), password: v.string() })),
  connectionOptional: true,
  publicCredentials: ["host"],
  actions: {
    send: {
      input: v.object({ fails: v.boolean() }),
      output: v.string(),
      run({ fails }, { connection }) {
        if (!fails) return connection?.host ?? "no connection";
        const body = { why: [`${connection?.host} refused ${connection?.password}`] };
        throw new ActionError("mailbox_full", `${connection?.host} says ${connection?.password} has no space`, {
          details: { status: 452, headers: { "x-mailbox": "ann", "set-cookie": "a=b" }, body },
        });
      },
    },
  },
});

let service: Service;
beforeAll(async () => {
  service = await openService({ services: [mail], secret: "a secret of these tests, which is long enough" });
});
afterAll(() => service.stepwell.close());

const send = (fails: boolean, connection_id?: string): Step =>
  ({
    type: "service",
    key: "send",
    service: { service: "mail", action: "send", input: { fails }, ...(connection_id && { connection_id }) },
  }) as Step; // valid, with or without
const connect = async () => {
  const credentials = { host: "smtp.example.com", password: "pa55w0rd" };
  return (await service.stepwell.connections.create(service.app, { name: "Mail", service: "mail", credentials })).id;
};

describe("an optional connection", () => {
  it("may be given or omitted", async () => {
    expect((await service.run([send(false)])).output).toBe("no connection");
    expect((await service.run([send(false, await connect())])).output).toBe("smtp.example.com");
    const described = (await service.stepwell.services.list()).find(({ name }) => name === "mail");
    expect(described).toMatchObject({ needs_connection: false, connection: { type: "object" } });
  });

  it("needs a schema that accepts undefined", () => {
    const strict = { ...mail, connection: v.object({ host: v.string() }) };
    expect(() => createStepwell({ services: [strict] })).toThrow(/must have a schema that accepts undefined/);
    const { connection: _, ...without } = mail;
    expect(() => createStepwell({ services: [without] })).toThrow(/must have a schema that accepts undefined/);
  });
});

describe("an ActionError", () => {
  it("has a code that a workflow catches, and details without the secret credentials", async () => {
    const condition = "error.code == 'mailbox_full' && error.status == 452";
    const caught = {
      ...send(true, await connect()),
      destinations: ["sent"],
      on_error: [{ condition, destinations: ["later"] }],
    };
    const run = await service.run([caught as Step, give("sent"), give("later")]);
    expect(run).toMatchObject({ status: "succeeded", output: "later" });
    expect(step(run, "send").error).toMatchObject({
      code: "mailbox_full",
      message: "smtp.example.com says [hidden] has no space",
      status: 452,
      headers: { "x-mailbox": "ann" },
      body: { why: ["smtp.example.com refused [hidden]"] },
    });
  });

  it("is limited in size, whatever the program passes", () => {
    const huge = new ActionError("a", "b", {
      details: { headers: { b: "y", a: "x".repeat(20_000) }, body: "z".repeat(100_000), status: Number.NaN },
    });
    expect(huge.details?.headers).toEqual({ b: "y" });
    expect(huge.details).not.toHaveProperty("status");
    expect(String(huge.details?.body).length).toBeLessThan(64 * 1024 + 2);
    expect(new ActionError("a", "b", { details: { body: { at: new Date() } as never } }).details).toEqual({
      body: null,
    });
  });

  it.each(["", "Card-Declined", "1a", "a b", "a".repeat(65)])("refuses the code %j", (code) => {
    expect(() => new ActionError(code, "message")).toThrow(/is not a valid error code/);
  });
});
