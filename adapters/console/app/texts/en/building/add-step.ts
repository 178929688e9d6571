/** Words, with commas between them, by which people look for a type of step, and what a setting of each step does instead of a type. */
export const addStep = {
  words: {
    input: "approval, approve, human, person, wait, upload, file, form, trigger, start, question",
    code: "javascript, typescript, script, transform, set, map, function, loop, for each, iterate, repeat, list",
    http_request: "email, mail, http, api, fetch, webhook, rest, curl, url",
    branch: "switch, if, condition, filter, else, decision, route",
    model: "llm, ai, gpt, chat, prompt, agent, claude",
    workflow: "subworkflow, sub-workflow, call, child, execute",
    browser: "scrape, html, screenshot, crawl, website",
    note: "comment, sticky, remark, text",
  },
  loopWords: "loop, for each, foreach, iterate, iteration, repeat, batch",
  loop: (when: string, forEach: string) => `Each step can repeat. In its panel, under “${when}”, set “${forEach}”.`,
  errorWords: "catch, error, retry, try, fallback, failure, timeout",
  error: (errors: string) =>
    `Each step has its own retries and catch routes. Set them in its panel, under “${errors}”.`,
};
