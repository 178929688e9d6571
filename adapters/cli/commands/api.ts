/** `stepwell api`: any function of the API. */
import { isRecord } from "../../../src/json.ts";
import { apiHelp, synopsis } from "../api/api-help.ts";
import { callFunction, isIterable } from "../api/call-function.ts";
import { bodyOf, queryOf, type ReadFields, readFields } from "../api/fields.ts";
import { type ApiFunction, apiFunctions } from "../api/functions.ts";
import { type Command, EXIT } from "../command.ts";
import { readBytes, readObject } from "../json/read-json.ts";
import { withAdminHint } from "../server/admin-hint.ts";
import { findServer } from "../server/find-server.ts";
import { type CliClient, OWN_APP, PATIENT_RETRIES, shellClient } from "../server/open-client.ts";
import { type CommandError, wrongUse } from "../terminal/failure.ts";
import { printJson, printJsonLine, printMessage, type Shell } from "../terminal/shell.ts";
import { similarTo } from "../terminal/similar.ts";
import { writeStream } from "../terminal/write-result.ts";

const FLAGS = ["json", "all"];
const VALUED = ["url", "key", "admin-key", "app", "body", "out"];

export const command: Command = {
  description: "Call any function of the API",
  args: {},
  acceptsAnyOption: true,
  help: async (words) => apiHelp(words),
  async run({ raw }, shell) {
    const read = readFields(raw, FLAGS, VALUED);
    const [group, name, ...params] = read.words;
    const wanted = apiFunctions().find((one) => one.group === group && one.name === name);
    if (wanted === undefined) throw unknownFunction(group, name);
    if (params.length !== wanted.params.length) {
      throw wrongUse(
        `${group}.${name} takes ${wanted.params.length} ids, not ${params.length}.`,
        `Type: stepwell api ${group} ${synopsis(wanted)}`,
      );
    }
    const reader = { text: (option: string) => read.own.get(option) };
    const app = read.own.get("app") ?? OWN_APP;
    const server = await findServer(reader, shell, wanted.isAdmin ? "admin" : "app");
    const client = shellClient(server, shell, wanted.kind === "events" ? { retries: PATIENT_RETRIES } : {});
    const work = () => call(client, wanted, { given: wanted.hasApp ? [app, ...params] : params, read }, shell);
    await (wanted.isAdmin ? withAdminHint(work) : work());
    return EXIT.ok;
  },
};

function unknownFunction(group: string | undefined, name: string | undefined): CommandError {
  const functions = apiFunctions().filter((one) => one.group === group);
  if (group === undefined || functions.length === 0) {
    const groups = [...new Set(apiFunctions().map((one) => one.group))].join(", ");
    if (group === undefined) return wrongUse("Name a group.", `Groups: ${groups}.`);
    const all = apiFunctions().map((one) => one.group);
    return wrongUse(`There is no group ${JSON.stringify(group)}.`, `${didYouMean(group, all)}Groups: ${groups}.`);
  }
  const all = functions.map((one) => one.name);
  const names = all.join(", ");
  const problem = name === undefined ? "Name a function." : `There is no function ${JSON.stringify(name)} in ${group}.`;
  return wrongUse(problem, `${name === undefined ? "" : didYouMean(name, all)}Functions: ${names}.`);
}

function didYouMean(typed: string, names: readonly string[]): string {
  const meant = similarTo(typed, names);
  return meant === undefined ? "" : `Did you mean ${meant}? `;
}

interface Typed {
  readonly given: readonly string[];
  readonly read: ReadFields;
}

async function call(client: CliClient, wanted: ApiFunction, { given, read }: Typed, shell: Shell): Promise<void> {
  const { own, fields } = read;
  const { kind, group, name } = wanted;
  refuseUseless(wanted, own);
  if (kind === "list") {
    const page = own.has("all") ? await itemsOf(client, wanted, [...given, queryOf(fields)]) : null;
    if (page !== null) return printJson(shell, page);
    const found = await callFunction(client, wanted, [...given, queryOf(fields)]);
    if (!isRecord(found)) return printJson(shell, found);
    printJson(shell, found["items"]);
    if (found["more"] !== true) return;
    const token = found["next_page_token"];
    return printMessage(shell, `There are more: --all${typeof token === "string" ? `, or --page-token ${token}` : ""}`);
  }
  if (kind === "events") {
    const after = fields.get("after")?.[0];
    const options = after === undefined ? {} : { after: Number(after) };
    const events = callFunction(client, wanted, [...given, options]);
    if (isIterable(events)) for await (const event of events) printJsonLine(shell, event);
    return;
  }
  if (kind === "wait") return printJson(shell, await callFunction(client, wanted, [...given, waitOptions(fields)]));
  if (kind === "bytes") {
    const query = fields.size === 0 ? [] : [queryOf(fields)];
    const found = await callFunction(client, wanted, [...given, ...(group === "files" ? [] : query)]);
    const body = isRecord(found) && "body" in found ? found["body"] : found;
    if (isIterable(body)) await writeStream(shell, body, own.get("out"));
    return;
  }
  if (kind === "send") {
    const bytes = await readBytes(own.get("body") ?? "-", shell);
    return printJson(shell, await callFunction(client, wanted, [...given, bytes, queryOf(fields)]));
  }
  const input = await inputOf(wanted, read, shell);
  const result = await callFunction(client, { group, name }, input === undefined ? given : [...given, input]);
  if (result !== undefined || own.has("json")) printJson(shell, result);
}

/** @throws CommandError for an option that would have no effect */
function refuseUseless({ kind, method, group, name }: ApiFunction, own: ReadFields["own"]): void {
  const hasBody = kind === "send" || (kind === "json" && method !== "GET" && method !== "DELETE");
  const useless = [
    { option: "all", isUseful: kind === "list" },
    { option: "body", isUseful: hasBody },
    { option: "out", isUseful: kind === "bytes" },
  ].find(({ option, isUseful }) => own.has(option) && !isUseful);
  if (useless !== undefined) {
    throw wrongUse(`${group}.${name} does not take --${useless.option}.`, `See: stepwell api ${group} ${name} --help`);
  }
}

async function itemsOf(client: CliClient, { group, name }: ApiFunction, given: readonly unknown[]): Promise<unknown[]> {
  const all = name.startsWith("list")
    ? `listAll${name.slice("list".length)}`
    : `all${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const pages = callFunction(client, { group, name: all }, given);
  const items: unknown[] = [];
  if (isIterable(pages)) for await (const item of pages) items.push(item);
  return items;
}

function waitOptions(fields: ReadFields["fields"]): object {
  const limit = fields.get("timeout_ms")?.[0];
  return limit === undefined ? {} : { timeoutMs: Number(limit) };
}

async function inputOf(
  { method }: ApiFunction,
  { own, fields }: ReadFields,
  shell: Shell,
): Promise<object | undefined> {
  if (method === "GET" || method === "DELETE") return fields.size === 0 ? undefined : queryOf(fields);
  const typed = own.get("body");
  if (typed === undefined) return fields.size === 0 ? undefined : bodyOf(fields);
  return { ...(await readObject(typed, "--body", shell)), ...bodyOf(fields) };
}
