/** What people find in the dialog for a new step. */
import { describe, expect, it } from "vitest";
import { isAskedFor, matchesOf } from "../../../adapters/console/app/editor/dialogs/matches.ts";
import { STEP_TYPES } from "../../../adapters/console/app/editor/draft/new-step.ts";
import { ar } from "../../../adapters/console/app/texts/ar/index.ts";
import { de } from "../../../adapters/console/app/texts/de/index.ts";
import { en } from "../../../adapters/console/app/texts/en/index.ts";
import { es } from "../../../adapters/console/app/texts/es/index.ts";
import { fr } from "../../../adapters/console/app/texts/fr/index.ts";
import { ja } from "../../../adapters/console/app/texts/ja/index.ts";
import type { Messages } from "../../../adapters/console/app/texts/messages.ts";

function found(texts: Messages, search: string): readonly string[] {
  const types = STEP_TYPES.filter((type) => type !== "service").map((type) => ({
    id: type,
    label: texts.canvas.types[type],
    detail: texts.editor.types[type],
    group: "types",
    words: texts.addStep.words[type],
  }));
  const action = { id: "action", label: `${search} now`, detail: `Does ${search}.`, group: "services" };
  return matchesOf([...types, action], search).map(({ id }) => id);
}

describe("the search for a new step", () => {
  it.each([
    ["approval", "input"],
    ["human", "input"],
    ["wait", "input"],
    ["upload", "input"],
    ["file", "input"],
    ["form", "input"],
    ["loop", "code"],
    ["for each", "code"],
    ["iterate", "code"],
    ["switch", "branch"],
    ["if", "branch"],
    ["condition", "branch"],
    ["filter", "branch"],
    ["email", "http_request"],
    ["http", "http_request"],
    ["API", "http_request"],
    ["fetch", "http_request"],
    ["webhook", "http_request"],
    ["llm", "model"],
    ["ai", "model"],
    ["gpt", "model"],
    ["subworkflow", "workflow"],
    ["call", "workflow"],
    ["comment", "note"],
    ["javascript", "code"],
    ["script", "code"],
    ["transform", "code"],
    ["set", "code"],
  ])("finds %j as %s, before actions of services", (search, type) => {
    const ids = found(en, search);
    expect(ids[0]).toBe(type);
    expect(ids.at(-1)).toBe("action");
  });

  it.each([
    ["de", de, "Schleife", "Formular", "wenn"],
    ["fr", fr, "boucle", "formulaire", "si"],
    ["es", es, "bucle", "formulario", "si"],
    ["ja", ja, "ループ", "フォーム", "条件"],
    ["ar", ar, "حلقة", "نموذج", "إذا"],
  ] as const)("knows the words of %s", (_, texts, loop, form, condition) => {
    expect(found(texts, loop)[0]).toBe("code");
    expect(found(texts, form)).toContain("input");
    expect(found(texts, condition)[0]).toBe("branch");
    expect(found(texts, "webhook")[0]).toBe("http_request");
    expect(isAskedFor(texts.addStep.loopWords, loop)).toBe(true);
  });

  it("says where a step is repeated, and where its errors are handled", () => {
    for (const search of ["loop", "For each", "iterate"]) expect(isAskedFor(en.addStep.loopWords, search)).toBe(true);
    for (const search of ["catch", "error", "retry"]) expect(isAskedFor(en.addStep.errorWords, search)).toBe(true);
    for (const search of ["", "re", "http"]) expect(isAskedFor(en.addStep.errorWords, search)).toBe(false);
  });

  it("keeps groups together, with whole words before parts of words", () => {
    const choice = (label: string, group: string) => ({ label, detail: "", group });
    const choices = [choice("waits", "a"), choice("said", "b"), choice("air", "a"), choice("ai", "a")];
    expect(matchesOf(choices, "ai").map(({ label }) => label)).toEqual(["ai", "air", "waits", "said"]);
  });

  it("puts what a label says before what the rest says", () => {
    const choices = [
      { label: "approve", detail: "Approve the request" },
      { label: "sendrequest", detail: "Sends" },
      { label: "request", detail: "HTTP request" },
    ];
    for (const search of ["request", "requ"])
      expect(matchesOf(choices, search).map(({ label }) => label)).toEqual(["request", "sendrequest", "approve"]);
  });
});
