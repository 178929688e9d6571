/** Files of an app as resources. */
import type { ContentBlock, ReadResourceResult } from "@modelcontextprotocol/server";
import { toBase64 } from "../../src/encoding/base64.ts";
import { MEBIBYTE, readBytes } from "../../src/encoding/bytes.ts";
import { isStepwellError, StepwellError } from "../../src/errors.ts";
import { isRecord, type JsonValue } from "../../src/json.ts";
import type { McpAccess } from "../../src/mcp/mcp-server.ts";

export const FILE_TEMPLATE = "stepwell://files/{file_id}";
const PREFIX = "stepwell://files/";
const FILE_ID = /^afile_[a-z0-9]+$/;
const MAX_LINKS = 20;
/** Maximum bytes of a resource, which is one message. */
const MAX_BYTES = 8 * MEBIBYTE;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|[\w.-]+\+(?:json|xml))\b)/;

/** Links to the files whose ids are in an output. */
export async function fileLinks({ appId, api, can }: McpAccess, output: JsonValue): Promise<ContentBlock[]> {
  if (!can("files:read")) return [];
  const ids = new Set<string>();
  collectIds(output, ids);
  const files = await Promise.all([...ids].map((id) => api.files.get(appId, id).catch(ifMissing)));
  return files.flatMap((file): ContentBlock[] => {
    if (file === null) return [];
    const { id, name, mime_type: mimeType, size } = file;
    return [{ type: "resource_link", uri: `${PREFIX}${id}`, name, mimeType, size }];
  });
}

function collectIds(value: JsonValue, ids: Set<string>): void {
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined && ids.size < MAX_LINKS; next = open.pop()) {
    if (typeof next === "string" && FILE_ID.test(next)) ids.add(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isRecord(next)) for (const item of Object.values(next)) open.push(item as JsonValue);
  }
}

function ifMissing(error: unknown): null {
  if (isStepwellError(error, "not_found")) return null;
  throw error;
}

/** @throws StepwellError `forbidden`, `not_found`, `too_large` */
export async function readFile({ appId, api, can }: McpAccess, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : "";
  if (!FILE_ID.test(id))
    throw new StepwellError("not_found", `There is no resource ${JSON.stringify(uri.slice(0, 200))}.`);
  if (!can("files:read")) throw new StepwellError("forbidden", "The API key also needs the scope files:read.");
  const { size, mime_type: mimeType } = await api.files.get(appId, id);
  if (size > MAX_BYTES) {
    throw new StepwellError("too_large", `The file has ${size} bytes; resources have at most ${MAX_BYTES}.`);
  }
  const { body } = await api.files.content(appId, id);
  const bytes = await readBytes(body);
  const content = TEXT_TYPE.test(mimeType) ? { text: new TextDecoder().decode(bytes) } : { blob: toBase64(bytes) };
  return { contents: [{ uri, mimeType, ...content }] };
}
