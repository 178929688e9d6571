/** A response of JSON reads like any other, whatever reads it. */
import { describe, expect, it } from "vitest";
import { createStepwell } from "../../src/index.ts";

async function respond(): Promise<Response> {
  const stepwell = createStepwell({ baseUrl: "http://localhost" });
  const { id } = await stepwell.apps.create({ name: "Zürich 🐋" });
  const { key } = await stepwell.keys.create(id, { name: "reader" });
  const headers = { authorization: `Bearer ${key}` };
  const response = await stepwell.fetch(new Request(`http://localhost/apps/${id}/collections`, { headers }));
  await stepwell.close();
  return response;
}

const decode = (bytes: AllowSharedBufferSource) => new TextDecoder().decode(bytes);

const READERS: Readonly<Record<string, (response: Response) => Promise<string>>> = {
  text: (response) => response.text(),
  json: async (response) => JSON.stringify(await response.json()),
  arrayBuffer: async (response) => decode(await response.arrayBuffer()),
  bytes: async (response) => decode(await response.bytes()),
  blob: async (response) => (await response.blob()).text(),
  body: async ({ body }) => new Response(body).text(),
  clone: (response) => response.clone().text(),
  "a response with its body": (response) => new Response(response.body, response).text(),
};

describe("a response of JSON", () => {
  it.each(Object.entries(READERS))("has its text by %s", async (_name, read) => {
    expect(await read(await respond())).toBe("[]");
  });

  it.each(["text", "json", "arrayBuffer"] as const)("cannot be read again after %s", async (first) => {
    const response = await respond();
    expect(response.bodyUsed).toBe(false);
    await response[first]();
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    await expect(response.json()).rejects.toThrow(TypeError);
    await expect(response.arrayBuffer()).rejects.toThrow(TypeError);
    expect(() => response.clone()).toThrow(TypeError);
    expect(response.body?.locked === true || (await isRead(response))).toBe(true);
  });

  it("has the same status, type and headers as its clone, and headers that can be changed", async () => {
    const response = await respond();
    response.headers.append("set-cookie", "a=1");
    const copy = response.clone();
    expect([...copy.headers]).toEqual([...response.headers]);
    expect(copy.status).toBe(200);
    expect(copy.headers.get("content-type")).toBe("application/json");
    expect(response).toBeInstanceOf(Response);
    expect(await Promise.all([copy.text(), response.text()])).toEqual(["[]", "[]"]);
  });
});

/** Whether the body has nothing more to read. */
async function isRead({ body }: Response): Promise<boolean> {
  return (await body?.getReader().read())?.done === true;
}
