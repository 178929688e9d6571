/** The help of `stepwell api`: groups, functions of a group, or one function. */
import { columns } from "../terminal/table.ts";
import { type ApiFunction, apiFunctions } from "./functions.ts";
import { SUMMARIES } from "./summaries.ts";

const summary = (group: string, name: string) => SUMMARIES[group]?.[name] ?? "";

/** @param words What was typed before `--help`. */
export async function apiHelp([group, name]: readonly string[]): Promise<string> {
  const functions = apiFunctions();
  const own = functions.filter((one) => one.group === group);
  const found = own.find((one) => one.name === name);
  if (found !== undefined) return functionHelp(found);
  if (group !== undefined && own.length > 0) {
    const rows = own.map((one) => [`  ${synopsis(one)}`, summary(one.group, one.name)]);
    return [summary(group, ""), "", `Usage: stepwell api ${group} FUNCTION …`, "", columns(rows)].join("\n");
  }
  const groups = [...new Set(functions.map((one) => one.group))];
  return [
    "Call any function of the API. The result is JSON.",
    "",
    "Usage: stepwell api GROUP FUNCTION [ID…] [--FIELD VALUE…] [--body JSON|FILE]",
    "",
    columns(groups.map((one) => [`  ${one}`, summary(one, "")])),
    "",
    OPTIONS,
    "",
    "`stepwell api GROUP --help` lists the functions of a group.",
  ].join("\n");
}

const OPTIONS = columns([
  [
    "  --FIELD VALUE",
    "A field of the query or the body. Bodies take JSON: --take 5, --name '\"5\"' for a text; repeat it for a list",
  ],
  ["  --body JSON|FILE", "The whole body: a JSON object, a file, or - for standard input"],
  ["  --all", "Every item of a list instead of its first page"],
  ["  --app ID", "App (default: that of the key)"],
  ["  -o, --out FILE", "Write bytes to this file"],
  ["  --url, --key", "Server and key (STEPWELL_URL, STEPWELL_KEY; else `stepwell dev`)"],
  ["  --admin-key", "Admin key for apps and keys (STEPWELL_ADMIN_KEY; else `stepwell dev`)"],
]);

export function synopsis({ name, params }: ApiFunction): string {
  return [name, ...params.map((param) => param.toUpperCase())].join(" ");
}

async function functionHelp(one: ApiFunction): Promise<string> {
  const { group, name, method, path, kind } = one;
  const { fieldHelp } = await import("./field-help.ts");
  const fields = await fieldHelp(one);
  const part = method === "GET" || method === "DELETE" ? "query" : "body";
  const takes: Readonly<Record<ApiFunction["kind"], string>> = {
    json: `--FIELD VALUE sets a field of the ${part}${part === "body" ? "; --body sets all of it" : ""}.`,
    list: "--FIELD VALUE filters the list, and --all reads every page.",
    events: "Prints events as they happen, one JSON document per line. --after ID resumes after an event.",
    wait: "Waits without a limit; --timeout-ms N sets one.",
    bytes: "Writes bytes to standard output, or to --out FILE. --FIELD VALUE sets a field of the query.",
    send: "--body FILE is what is sent. --FIELD VALUE sets a field of the query.",
  };
  return [
    summary(group, name),
    "",
    `Usage: stepwell api ${group} ${synopsis(one)}`,
    `       ${method} ${path}`,
    "",
    takes[kind],
    ...(fields === null ? [] : ["", fields, ""]),
    "HTTP.md and /openapi.json describe fields in full.",
  ].join("\n");
}
