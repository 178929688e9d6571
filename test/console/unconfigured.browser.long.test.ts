/** A host that has configured nothing: each screen says what is missing, and which option adds it. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/workflows/step.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer({ secret: undefined });

const STEPS: Step[] = [
  { type: "browser", key: "page", url: "https://example.com" },
  {
    type: "model",
    key: "ask",
    provider: { provider: "openai", model: "gpt", messages: [{ role: "user", content: "Hi" }] },
  } as Step,
  { type: "service", key: "find", service: { service: "web_search", action: "search", input: { query: "x" } } },
];

describe("a host without options", () => {
  it.each([
    ["connections", /Its operator sets the option “secret”/],
    ["webhooks", /Its operator sets the option “secret”/],
    ["webhooks?tab=outgoing", /Its operator sets the option “secret”/],
  ])("says on the screen %s what is missing", async (screen, text) => {
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/${screen}`);
    await page.getByText(text).first().waitFor();
    const create = page.locator("main").getByRole("button", { name: /^New/ }).first();
    expect(await create.isDisabled()).toBe(true);
    expect(await faults()).toEqual([]);
  });

  it("says in the editor what steps and tools for agents need", async () => {
    const { id } = await server.stepwell.workflows.create(server.app.id, { name: "Needs much", steps: STEPS });
    const { page, go, faults } = await openConsole(browser, server);
    const path = `/apps/${server.app.id}/workflows/${id}?view=outline`;
    for (const [step, option] of [
      ["page", "browser"],
      ["ask", "models"],
      ["find", "webSearch"],
    ]) {
      await go(`${path}&step=${step}`);
      await page.getByRole("complementary", { name: `Step ${step}` }).waitFor();
      await page
        .getByText(new RegExp(`Its operator sets the option “${option}”`))
        .first()
        .waitFor();
      expect(await faults()).toEqual([]);
    }
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Name, description, access…" }).click();
    await page.getByRole("checkbox", { name: "Offer it to agents as a tool (MCP)" }).check();
    await page.getByText(/Its operator sets the option “mcp”/).waitFor();
    expect(await faults()).toEqual([]);
  });
});
