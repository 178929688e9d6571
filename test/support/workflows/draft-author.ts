/** Writes the same draft repeatedly. */
import { expect } from "vitest";
import type { Refusal, TestHost } from "../http/transports.ts";

/** Creates a workflow; returns functions that write and check its draft. */
export async function author(host: TestHost) {
  const app = await host.app();
  const { id } = await host.callApi("workflows.create", app.id, { name: "Intake" });
  const put = (draft: unknown) => host.callApi("workflows.putDraft", app.id, id, draft);
  const refusal = (draft: unknown): Promise<Refusal | undefined> =>
    put(draft).then(
      () => undefined,
      (error: Refusal) => error,
    );
  return {
    put,
    refusal,
    get: () => host.callApi("workflows.getDraft", app.id, id),
    getVersion: () => host.callApi("workflows.getVersion", app.id, id, "draft"),
    async pointers(draft: unknown): Promise<string[]> {
      const error = await refusal(draft);
      if (error === undefined) return [];
      expect([error.status, error.code]).toEqual([422, "invalid"]);
      for (const { message } of error.errors) expect(message).toMatch(/^[A-Z].*[.?]$/);
      return error.errors.map(({ pointer }) => pointer);
    },
  };
}
