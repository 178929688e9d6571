/**
 * Opens pages with the browser where there is no vitest, from the module named by the first argument and with the program
 * named by the second, and prints what came of it as one JSON object. The process has to end by itself.
 */
import { createServer } from "node:http";

const [, , module, executablePath] = process.argv;
const { createPlaywrightBrowser } = await import(module);
const pages = {
  "/": `<title>before</title><div id="a"></div><iframe srcdoc="<p>frame</p>"></iframe><script>
    setTimeout(() => { document.title = "after"; a.attachShadow({ mode: "open" }).innerHTML = "<p class=done>shadow</p>" }, 50)
  </script>`,
  "/large": `<p>${"x".repeat(200_000)}`,
  "/refused": `<script>location.href = "http://127.0.0.2/"</script>`,
};
const server = createServer(({ url }, response) => {
  if (url === "/never") return;
  response.setHeader("content-type", "text/html");
  response.end(pages[url]);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

/** As the engine would refuse it. */
function permitted({ name }, addresses) {
  if (addresses.every((address) => address === "127.0.0.1")) return addresses;
  throw new Error(`${name} is not for pages`);
}

const browser = createPlaywrightBrowser({ executablePath, settleMs: 500, contentCharacters: 100_000, idleMs: 200 });
const visit = (path, more = {}) =>
  browser.visit({ url: origin + path, permitted, signal: new AbortController().signal, ...more }).then(
    ({ title, content }) => [title, ...content.match(/<div[^>]*><p[^>]*>\w+/g)].join(" "),
    (error) => (error.name === "BrowserError" ? error.code : error.name),
  );
const results = {
  rendered: await visit("/", { waitForSelector: "p.done" }),
  missing: await visit("/missing", { waitForSelector: "[" }),
  large: await visit("/large"),
  refused: await visit("/refused"),
  canceled: await visit("/never", { signal: AbortSignal.timeout(500) }),
  again: await visit("/", { waitForSelector: "p.done" }),
};
server.close();
server.closeAllConnections();
console.log(JSON.stringify(results));
