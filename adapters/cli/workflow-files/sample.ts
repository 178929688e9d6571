/** The sample workflow of `stepwell dev` and `stepwell init`: a calculation, a branch and an approval. */
export const SAMPLE_FILE = "expense-check.json";

export const SAMPLE = {
  name: "Expense check",
  description: "Approves small expenses by itself and asks a person about large ones.",
  steps: [
    {
      type: "input",
      key: "expense",
      input: {
        employee: { type: "string", name: "Who spent it", order: 1 },
        amount: { type: "number", name: "Amount in euros", order: 2 },
        purpose: { type: "string", name: "For what", order: 3, optional: true },
      },
      destinations: ["net"],
    },
    {
      type: "code",
      key: "net",
      code: "return Math.round(input.amount / 1.19 * 100) / 100",
      destinations: ["size"],
    },
    {
      type: "branch",
      key: "size",
      conditions: { large: { order: 1, condition: "input.amount > 100.0", destinations: ["approve"] } },
      else: ["book"],
    },
    {
      type: "input",
      key: "approve",
      input: { approved: { type: "boolean", name: "Approve this expense" } },
      destinations: ["book"],
    },
    {
      type: "code",
      key: "book",
      code: "const isApproved = steps.approve.status === 'skipped' || steps.approve.output.approved;\nreturn { booked: isApproved, net: steps.net.output };",
    },
  ],
} as const;

export const sampleText = (): string => `${JSON.stringify(SAMPLE, null, 2)}\n`;
