/** The sample workflow of an empty app: a form with a file, a code step, a branch and an approval. */
import type { WorkflowCreate } from "../../../../src/workflows/workflow.ts";
import type { Messages } from "../texts/messages.ts";

/** @param texts What people read of it, in the language of the page. */
export function sampleWorkflow(texts: Messages["overview"]["sampleWorkflow"]): WorkflowCreate {
  return {
    name: texts.name,
    description: texts.description,
    steps: [
      {
        type: "input",
        key: "expense",
        input: {
          purpose: { type: "string", name: texts.purpose, order: 1 },
          amount: { type: "number", name: texts.amount, desc: texts.amountHint, order: 2 },
          receipt: { type: "file", name: texts.receipt, array: true, optional: true, order: 3 },
        },
        destinations: ["check"],
      },
      {
        type: "code",
        key: "check",
        code: CODE,
        destinations: ["size"],
      },
      {
        type: "branch",
        key: "size",
        conditions: {
          large: { condition: "steps.check.output.amount > 500", destinations: ["approve"], order: 1 },
        },
        else: ["book"],
      },
      {
        type: "input",
        key: "approve",
        input: {
          approved: { type: "boolean", name: texts.approved, order: 1 },
          comment: { type: "string", name: texts.comment, optional: true, display: { control: "multiline" }, order: 2 },
        },
        destinations: ["book"],
      },
      {
        type: "code",
        key: "book",
        conditional: "steps.approve.status != 'succeeded' || steps.approve.output.approved",
        code: BOOK,
      },
    ],
  };
}

const CODE = `const receipts = input.receipt ?? [];
console.log(\`\${receipts.length} receipts\`);
return {
  amount: Math.round(input.amount * 100) / 100,
  receipts: receipts.map((file) => file.name),
};
`;

const BOOK = `return { booked: steps.check.output.amount, purpose: input.purpose };
`;
