/** Totals a report of expenses, then books it or requests an approval in the accounting system. */
export const expenses = (accounting) => ({
  name: "Expense report",
  description: "Totals an uploaded report and books it, or asks for approval when it is above the limit.",
  steps: [
    {
      type: "input",
      key: "start",
      input: {
        report: { type: "file", name: "Report", allowed_types: ["text/csv"], extract_contents: true },
        limit: { type: "number", name: "Book without approval up to", default: 1_000 },
      },
      destinations: ["totals"],
    },
    {
      type: "code",
      key: "totals",
      destinations: ["judge"],
      code: `
        const [header, ...lines] = input.report[0].contents.trim().split("\\n");
        const by_category = {};
        let total = 0;
        for (const line of lines) {
          const category = line.split(",")[2];
          const amount = Number(line.slice(line.lastIndexOf(",") + 1));
          by_category[category] = Math.round(((by_category[category] ?? 0) + amount) * 100) / 100;
          total += amount;
        }
        console.log(lines.length + " lines in " + Object.keys(by_category).length + " categories");
        return { lines: lines.length, total: Math.round(total * 100) / 100, by_category };
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
