/** A collection of loans: how events become records, and the rules that check each record. */

/** The workflow of a rule: it gets the record and returns whether the loan passes. */
const check = (name, condition) => ({
  name,
  steps: [
    { type: "input", key: "start", input: {} },
    { type: "code", key: "check", code: `const { loan } = input.record.data;\nreturn ${condition};` },
  ],
});

export async function createLoans(stepwell, app) {
  const rule = async (key, name, on_fail, condition) => {
    const workflow = await stepwell.workflows.create(app.id, check(name, condition));
    await stepwell.workflows.deploy(app.id, workflow.id);
    return { key, name, workflow_id: workflow.id, on_success: "PASS", on_fail };
  };
  const field = (type, name) => ({ type, entity_path: `loan:${name}`, input_path: ["loan", name], name });

  return stepwell.collections.create(app.id, {
    name: "Loans",
    config: {
      rules: [
        await rule("amount", "Amount is within the limit", "FAIL", "(loan.amount ?? 0) <= 500_000"),
        await rule(
          "ltv",
          "Loan to value is at most 80 %",
          "WARN",
          "(loan.amount ?? 0) <= 0.8 * (loan.value ?? Infinity)",
        ),
      ],
      mappings: [{ source_path: "loan:amount", destination_paths: ["letter:sum"] }],
    },
    triggers: [
      {
        type: "loan_origination",
        name: "Submitted loans",
        config: {
          type: "loan_origination",
          mappings: [
            field("key", "number"),
            field("field", "borrower"),
            field("field", "amount"),
            field("field", "value"),
          ],
          pull_on_millestones: ["Submittal", "Appraisal"],
        },
      },
    ],
  });
}
