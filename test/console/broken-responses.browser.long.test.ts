/** Responses that are not the server's, such as those of a proxy. */
import { describe, expect, it, onTestFinished } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
await stepwell.workflows.create(app.id, { name: "Report", steps: [] });

describe("a list", () => {
  it.each([
    ["a page of a proxy", 200, "text/html", "<body><h1>nginx</h1></body>"],
    ["an error of a proxy", 502, "text/html", "<body><h1>502 Bad Gateway</h1><hr>nginx</body>"],
    ["JSON that was cut", 200, "application/json", '{"items":[{"id":"wf_'],
    ["other JSON", 200, "application/json", "{}"],
  ])("says plainly that it got %s, and can be read again", async (_, status, type, body) => {
    const { page, complaints } = await openConsole(browser, server);
    complaints.allow(/502|TypeError|undefined/);
    onTestFinished(() => server.intercept(() => false));
    server.intercept(({ url = "" }, response) => {
      if (!url.startsWith(`/apps/${app.id}/workflows`)) return false;
      response.writeHead(status, { "content-type": type }).end(body);
      return true;
    });
    await page.goto(server.at(`/apps/${app.id}/workflows`));
    const note = page.getByRole("main").getByRole("alert");
    await note.getByText("The page could not read the response of the server.").waitFor();
    expect(await note.innerText()).not.toMatch(/nginx|JSON|undefined|option|502/);
    server.intercept(() => false);
    await note.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Report" }).waitFor();
  });
});

describe("the form to sign in", () => {
  it("says what a server says that cannot sign in anybody now, and tries again by itself", async () => {
    const { key } = await server.createKey();
    const { page, complaints } = await openConsole(browser, server, { key: null });
    complaints.allow(/503/);
    await page.goto(server.at("/"));
    onTestFinished(() => server.intercept(() => false));
    const detail = "The storage is temporarily unavailable.";
    server.intercept(({ method, url = "" }, response) => {
      if (method !== "POST" || !url.endsWith("/console/session")) return false;
      response.writeHead(503, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ status: 503, code: "unavailable", detail }));
      return true;
    });
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(`${detail} The page tries again by itself.`).waitFor();
    server.intercept(() => false);
    await page.getByRole("navigation").first().waitFor();
    expect(await page.getByLabel("API key").count()).toBe(0);
  });
});
