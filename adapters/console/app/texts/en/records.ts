export const records = {
  title: "Records",
  empty: "There are no records.",
  noneFound: "No record matches.",
  create: "New record",
  ruleResults: "Rules",
  outcomes: { PENDING: "Pending", PASS: "Pass", WARN: "Warning", FAIL: "Fail", ERROR: "Error" },
  version: "Version",
  data: "Data",
  dataHint: 'Values by entity and field: { "loan": { "amount": 5000 } }',
  history: "History",
  evaluate: "Run the rules again",
  clash: "Somebody else has changed this record. Both values are shown: choose what to keep.",
};
