/** A language with longer words than German has: what does not fit then would not fit in some other language. */
import type { Page } from "playwright-core";

/** Runs in the page, in place of the chunk with the German texts. */
const LONGER = `
const longerWord = (word) => word + word.slice(0, Math.ceil(word.length * 0.4));
const longer = (text) => {
  if (typeof text === "string") return text.replace(/\\p{L}+/gu, longerWord);
  if (typeof text === "function") return (...given) => longer(text(...given));
  return Object.fromEntries(Object.entries(text).map(([name, one]) => [name, longer(one)]));
};
export const de = longer(real.de);
`;

/** Makes each German word 40 % longer. The tab must speak German. */
export async function lengthenGerman(page: Page): Promise<void> {
  await page.route(/\/assets\/de-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    // Libraries have German texts of their own.
    if (!/\bas de\b/.test(await response.text())) return route.fulfill({ response });
    const original = JSON.stringify(`${route.request().url()}?original`);
    return route.fulfill({
      contentType: "text/javascript",
      body: `import * as real from ${original};\nexport * from ${original};\n${LONGER}`,
    });
  });
}
