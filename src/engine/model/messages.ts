/** Builds the messages that a model step sends, with their texts and files. */
import * as v from "valibot";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import { fieldErrors } from "../../messages/field-errors.ts";
import type { MessagePart, ModelMessage } from "../../ports/models.ts";
import { list } from "../../schema.ts";
import { Message } from "../../workflows/model-provider.ts";
import type { Path, StepCompiler } from "../compile/step-implementation.ts";
import type { Attempt, Effects } from "../execution/step-context.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { StepError } from "../step-error.ts";

/** Maximum size of a file sent to a model. Providers accept no more. */
const MAX_FILE_BYTES = 20 * MEBIBYTE;

type ContentPart = Exclude<Message["content"], string>[number];
type Render<T> = (scope: ExpressionScope) => T;

/** Compiles a list of messages, a text, or an expression that evaluates to either. */
export function compileMessages(
  messages: string | readonly Message[],
  compiler: StepCompiler,
): Render<readonly Message[]> {
  const at = ["provider", "messages"];
  if (typeof messages === "string") {
    const value = compiler.template(messages, at);
    return (scope) => asMessages(value(scope));
  }
  const all = messages.map((message, index) => compileMessage(message, [...at, index], compiler));
  return (scope) => all.map((render) => render(scope));
}

function compileMessage({ role, content }: Message, path: Path, compiler: StepCompiler): Render<Message> {
  const within = [...path, "content"];
  if (typeof content === "string") {
    const text = compiler.text(content, within);
    return (scope) => ({ role, content: text(scope) });
  }
  const parts = content.map((part, index) => compilePart(part, role, [...within, index], compiler));
  return (scope) => ({ role, content: parts.map((render) => render(scope)) });
}

function compilePart(
  part: ContentPart,
  role: Message["role"],
  path: Path,
  compiler: StepCompiler,
): Render<ContentPart> {
  if (part.type === "text") {
    const text = compiler.text(part.text, [...path, "text"]);
    return (scope) => ({ type: "text", text: text(scope) });
  }
  const { type, file_id, url } = part;
  if (role === "system" || role === "assistant") {
    compiler.problem(path, `A message with the role ${role} cannot contain a file. Use a message with the role user.`);
  }
  if ((file_id === undefined) === (url === undefined)) compiler.problem(path, "Must have either file_id or url.");
  if (url !== undefined) {
    const address = compiler.text(url, [...path, "url"]);
    return (scope) => ({ type, url: address(scope) });
  }
  const file = compiler.template(file_id ?? "", [...path, "file_id"]);
  return (scope) => ({ type, file_id: idOf(file(scope)) });
}

/** Accepts a file's ID, or a file object as in a run's input. */
function idOf(file: JsonValue): string {
  const id = isRecord(file) ? file["id"] : file;
  if (typeof id === "string") return id;
  throw new StepError("invalid", `file_id must be the id of a file, not ${JSON.stringify(file).slice(0, 100)}.`);
}

function asMessages(value: JsonValue): readonly Message[] {
  if (!Array.isArray(value)) {
    return [{ role: "user", content: typeof value === "string" ? value : JSON.stringify(value) }];
  }
  const result = v.safeParse(list(Message), value);
  if (result.success) return result.output;
  const [first] = fieldErrors(result.issues);
  throw new StepError("invalid", `The messages are invalid at ${first?.pointer || "the root"}: ${first?.message}`);
}

/** Converts messages for the provider, including the bytes of files. */
export async function withFiles(
  messages: readonly Message[],
  attempt: Attempt,
  effects: Effects,
): Promise<ModelMessage[]> {
  const all: ModelMessage[] = [];
  // Sequential, because each file may take much memory and time.
  for (const { role, content } of messages) {
    const parts = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
    if (role === "system" || role === "assistant") all.push({ role, text: textOf(parts) });
    // A tool message answers no call of this conversation, and providers would reject it. Send it as a user message.
    else all.push({ role: "user", parts: await filesOf(parts, attempt, effects) });
  }
  return all;
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

async function filesOf(parts: readonly ContentPart[], attempt: Attempt, effects: Effects): Promise<MessagePart[]> {
  const read: MessagePart[] = [];
  for (const part of parts) {
    if (part.type === "text") read.push(part);
    else if (part.url !== undefined) read.push(await fetchPart(part.url, attempt, effects));
    else {
      const file = await effects.readFile(attempt.app_id, part.file_id ?? "", MAX_FILE_BYTES);
      read.push({ type: "file", bytes: file.bytes, mime_type: file.mime_type, name: file.name });
    }
  }
  return read;
}

async function fetchPart(url: string, { signal }: Attempt, { fetch }: Effects): Promise<MessagePart> {
  const response = await fetch(url, { signal, maxBytes: MAX_FILE_BYTES });
  if (!response.ok) {
    await response.body?.cancel();
    throw new StepError("fetch_failed", `The URL of a file responded with ${response.status}.`);
  }
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { type: "file", bytes, mime_type: type.trim().toLowerCase() || "application/octet-stream", name: undefined };
}
