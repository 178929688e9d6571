/**
 * Mastra in memory: with its in-memory store, where it keeps what each step gave, or by itself, where it keeps nothing.
 * `createRunAsync` is what releases before 1.0 call `createRun`.
 */
import { Mastra } from "@mastra/core";
import { InMemoryStore } from "@mastra/core/storage";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { z } from "zod";
import { checked, double, finish, INPUT, increase, isHigh } from "./work.js";

const value = z.object({ value: z.number() });

export async function start({ keeps }) {
  const step = (id, inputSchema, outputSchema, run) =>
    createStep({ id, inputSchema, outputSchema, execute: async ({ inputData }) => run(inputData) });
  const increased = step("increase", value, value, increase);
  const workflow = createWorkflow({
    id: "five",
    inputSchema: z.object({ n: z.number() }),
    outputSchema: z.object({ value: z.number(), done: z.boolean() }),
  })
    .then(step("double", z.object({ n: z.number() }), value, double))
    .branch([[async ({ inputData }) => isHigh(inputData), increased]])
    .map(async ({ getStepResult }) => getStepResult(increased))
    .then(step("finish", value, z.object({ value: z.number(), done: z.boolean() }), finish))
    .commit();
  if (keeps) new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
  const create = (workflow.createRunAsync ?? workflow.createRun).bind(workflow);
  return {
    async once() {
      const run = await create();
      const { result } = await run.start({ inputData: INPUT });
      checked(result);
    },
    async close() {},
  };
}
