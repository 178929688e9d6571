/** Web pages with frames and shadow trees, as a `browser` step with Chromium returns them. */
import { afterAll, beforeAll, describe, it } from "vitest";
import type { StepOf } from "../../src/index.ts";
import { shareBrowser } from "../support/browser/shared-browser.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service } from "../support/engine/service.ts";
import { openWeb, type Site, type Web } from "../support/servers/web.ts";

const WORDS = "Wells that are stepped let people come down to the water, however low it stands. ".repeat(3).trim();
const site: Site = {
  "/part": `<title>part</title><p>part <a href="more">more</a></p><iframe src="/deep/part"></iframe>`,
  "/deep/part": `<p>deep <a href="more">more</a> <img src="a.png"></p>`,
  "/article": `<article><h2>Why steps</h2><p>${WORDS}</p><p><a href="more">More</a> of it. ${WORDS}</p></article>`,
  "/large": `<p>${"x".repeat(60_000)}</p>`,
};
const DAY = 86_400_000;
let web: Web;
/** The same site with another origin. */
let beside: Web;
let service: Service;
beforeAll(async () => {
  [web, beside] = await Promise.all([openWeb(site), openWeb({ "/": "<p>beside</p>" })]);
  const browser = shareBrowser({ settleMs: DAY, contentCharacters: 100_000 }); // all of these pages settle
  const net = { allow: [...web.net.allow, ...beside.net.allow, `localhost:${web.port}`] };
  service = await openService({ net, clock: quickClock(4), browser });
});
afterAll(async () => {
  await service.stepwell.close();
  await Promise.all([web.close(), beside.close()]);
});

let count = 0;
async function contentOf(html: string, more: Partial<StepOf<"browser">> = {}): Promise<string> {
  const path = `/page/${count++}`;
  site[path] = html;
  const done = await service.run([input("in"), { key: "page", ...more, type: "browser", url: web.url + path }]);
  const { content = "" } = done.output as { content?: string };
  return content.replaceAll(web.url, "URL").replace(/<script>[\s\S]*?<\/script>/g, "");
}

const body = (inner: string) => `<html><head></head><body>${inner}</body></html>`;
/** An element with a shadow tree. */
const shadow = (id: string, html: string, mode = "open") =>
  `<script>document.getElementById("${id}").attachShadow({ mode: "${mode}" }).innerHTML = ${JSON.stringify(html)}</script>`;

describe.concurrent("a browser step", () => {
  it("inlines nested frames where they appear, with absolute URLs", async ({ expect }) => {
    expect(await contentOf("<!doctype html><p>before</p><iframe src=/part></iframe><p>after</p>")).toBe(
      `<!DOCTYPE html>\n${body(
        `<p>before</p><div data-frame="URL/part"><p>part <a href="URL/more">more</a></p>` +
          `<div data-frame="URL/deep/part"><p>deep <a href="URL/deep/more">more</a> <img src="URL/deep/a.png"></p>` +
          "</div></div><p>after</p>",
      )}`,
    );
  });

  it("inlines frames with srcdoc, frames of another origin of the site, and object elements", async ({ expect }) => {
    const frames = `<iframe srcdoc="<p>text</p>"></iframe><iframe src="${beside.url}/"></iframe><object data="/deep/part"></object>`;
    const content = await contentOf(frames);
    expect(content).toContain('<div data-frame="about:srcdoc"><p>text</p></div>');
    expect(content).toContain(`<div data-frame="${beside.url}/"><p>beside</p></div>`);
    expect(content).toContain('<div data-frame="URL/deep/part"><p>deep');
  });

  it("turns a frameset into the body of the page", async ({ expect }) => {
    const content = await contentOf("<frameset cols=*,*><frame src=/deep/part><frame src=/nowhere/></frameset>");
    expect(content).toMatch(/^<html><head><\/head><body><div data-frame="URL\/deep\/part"><p>deep .*<\/div><\/body>/);
    expect(content).not.toContain("frameset");
  });

  it("leaves frames alone that belong to another site or are sandboxed, empty or unreachable", async ({ expect }) => {
    const left = [
      `<iframe src="http://localhost:${web.port}/deep/part"></iframe>`,
      '<iframe sandbox="" src="/deep/part"></iframe>',
      "<iframe></iframe>",
      '<iframe src="http://127.0.0.1:9/"></iframe>',
    ];
    const content = await contentOf(`<p>words</p>${left.slice(0, 3).join("")}`);
    expect(content).toBe(body(`<p>words</p>${left.slice(0, 3).join("")}`));
    expect(await contentOf(`<p>words</p>${left[3]}`)).not.toMatch(/ERR_|connection/i);
  });

  it("inlines at most 20 frames, up to the size limit of a page", async ({ expect }) => {
    const many = await contentOf("<iframe srcdoc='<p>one</p>'></iframe>".repeat(23));
    expect(many.match(/<p>one<\/p><\/div>/g)).toHaveLength(20);
    expect(many.match(/<\/iframe>/g)).toHaveLength(3);
    const large = await contentOf(
      "<iframe src=/large></iframe><iframe src=/large></iframe><iframe src=/deep/part></iframe>",
    );
    expect(large.match(/x{60000}/g)).toHaveLength(1);
    expect(large).toContain('<iframe src="/large"></iframe>');
    expect(large).toContain("<p>deep");
  });
});

describe.concurrent("a browser step with shadow trees", () => {
  it("inlines them into their hosts, with slots filled", async ({ expect }) => {
    const light = '<p id="a"><b slot="title">Title</b>rest<i slot="none">not shown</i></p>';
    const tree = "<h1><slot name=title>no title</slot></h1><slot></slot><slot name=other>other</slot>";
    expect(await contentOf(light + shadow("a", tree))).toBe(
      body(
        '<p id="a"><h1><slot name="title"><b slot="title">Title</b></slot></h1><slot>rest</slot><slot name="other">other</slot></p>',
      ),
    );
  });

  it("inlines nested ones, in custom elements and in frames", async ({ expect }) => {
    const element = (name: string, html: string) =>
      `<script>customElements.define("${name}", class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(html)}; }
      })</script>`;
    site["/custom"] =
      `<x-outer></x-outer>${element("x-inner", "<b>inner</b>")}${element("x-outer", "<x-inner></x-inner>")}`;
    expect(await contentOf("<iframe src=/custom></iframe>")).toContain(
      "<x-outer><x-inner><b>inner</b></x-inner></x-outer>",
    );
  });

  it("inlines declarative ones and finds wait_for_selector in them", async ({ expect }) => {
    const later = `<script>setTimeout(() => { a.shadowRoot.innerHTML = "<p class=done>done</p>" }, 300)</script>`;
    const html = `<div id="a"><template shadowrootmode="open"><p>wait</p></template></div>${later}`;
    const content = await contentOf(html, { wait_for_selector: "p.done" });
    expect(content).toContain('<div id="a"><p class="done">done</p></div>');
  });

  it("leaves closed ones out", async ({ expect }) => {
    const content = await contentOf(`<div id="a">light</div>${shadow("a", "<p>secret</p>", "closed")}`);
    expect(content).toBe(body('<div id="a">light</div>'));
  });

  it("inlines them when form fields shadow DOM properties such as childNodes", async ({ expect }) => {
    const names = ["childNodes", "shadowRoot", "localName", "attachShadow", "nodeType", "getAttribute"];
    const form = `<form>${names.map((name) => `<input name="${name}">`).join("")}</form>`;
    const content = await contentOf(`<div id="a"></div>${form}${shadow("a", "<p>read</p>")}`);
    expect(content).toBe(body(`<div id="a"><p>read</p></div>${form}`));
  });

  it("runs no custom element again when it copies them", async ({ expect }) => {
    const element = `<script>customElements.define("x-a", class extends HTMLElement {
      constructor() { super(); document.title += "+"; this.attachShadow({ mode: "open" }).innerHTML = "<img src=/copied>"; }
    })</script>`;
    const before = web.requestedPaths.length;
    expect(await contentOf(`<title>t</title><x-a></x-a>${element}`)).toContain("<title>t+</title>");
    expect(web.requestedPaths.slice(before).filter((path) => path === "/copied")).toHaveLength(1);
  });
});

describe.concurrent("a browser step with strip_html", () => {
  const article = `## Why steps\n\n${WORDS}\n\n[More](URL/more) of it. ${WORDS}`;
  const around = (html: string) => `<title>t</title><nav><a href=/>Home</a></nav>${html}<footer>© the well</footer>`;

  it("finds an article in a frame", async ({ expect }) => {
    const content = await contentOf(around("<iframe src=/article></iframe>"), { strip_html: true });
    expect(content.trim()).toBe(article);
  });

  it("finds an article in a shadow tree", async ({ expect }) => {
    const html = around(`<main id="a"></main>${shadow("a", String(site["/article"]).replace("more", "/more"))}`);
    expect((await contentOf(html, { strip_html: true })).trim()).toBe(article);
  });

  it("finds an article whose paragraphs are custom elements", async ({ expect }) => {
    const element = `<script>customElements.define("x-p", class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<p><slot></slot></p>"; }
    })</script>`;
    const html = around(
      `<main><h2>Why steps</h2><x-p>${WORDS}</x-p><x-p><a href="/more">More</a> of it. ${WORDS}</x-p></main>${element}`,
    );
    expect((await contentOf(html, { strip_html: true })).trim()).toBe(article);
  });
});
