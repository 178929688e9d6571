/** The workflow of the demo: a report of expenses is totalled, judged, and handed to the accounting system. */
export const expenses = (accounting) => ({
  name: "Expense report",
  description: "Totals an uploaded report and books it, or asks for approval when it is above the limit.",
  input: {
    report: { type: "file", name: "Report", allowed_types: ["text/csv"], extract_contents: true },
    limit: { type: "number", name: "Book without approval up to", default: 1_000 },
  },
  steps: [
    {
      type: "input",
      key: "start",
      input: {
        report: { type: "file", allowed_types: ["text/csv"], extract_contents: true },
        limit: { type: "number", default: 1_000 },
      },
      destinations: ["totals"],
    },
    {
      type: "code",
      key: "totals",
      destinations: ["judge"],
      code: `
        const [header, ...lines] = input.report[0].contents.trim().split("\\n");
        const amounts = lines.map((line) => ({
          category: line.split(",")[2],
          amount: Number(line.slice(line.lastIndexOf(",") + 1)),
        }));
        const by_category = {};
        for (const { category, amount } of amounts) {
          by_category[category] = Math.round(((by_category[category] ?? 0) + amount) * 100) / 100;
        }
        const total = Math.round(amounts.reduce((sum, { amount }) => sum + amount, 0) * 100) / 100;
        console.log(lines.length + " lines, " + Object.keys(by_category).length + " categories");
        return { lines: lines.length, total, by_category };
      `,
    },
    {
      type: "branch",
      key: "judge",
      conditions: {
        above_limit: { order: 1, condition: "steps.totals.output.total > input.limit", destinations: ["approval"] },
      },
      else: ["book"],
    },
    {
      type: "http_request",
      key: "approval",
      method: "POST",
      url: `${accounting}/approvals`,
      headers: { "content-type": "application/json" },
      body: '{"total": {{ steps.totals.output.total }}, "limit": {{ input.limit }}}',
    },
    {
      type: "http_request",
      key: "book",
      method: "POST",
      url: `${accounting}/bookings`,
      headers: { "content-type": "application/json" },
      body: '{"total": {{ steps.totals.output.total }}}',
    },
  ],
});
