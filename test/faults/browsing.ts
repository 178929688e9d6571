/** A process that starts a run that reads pages, or resumes the one it finds, until the run ends or it is killed. */
import { createPlaywrightBrowser } from "../../adapters/browser/playwright.ts";
import fs from "../../adapters/storage/fs/fs.ts";
import { openService } from "../support/engine/service.ts";

const [base = "", app = "", workflow = "", allow = "", executablePath = ""] = process.argv.slice(2);
const browser = createPlaywrightBrowser({ executablePath });
const { stepwell } = await openService({ storage: { entities: fs({ base }) }, net: { allow: [allow] }, browser }, app);
if ((await stepwell.runs.list(app)).items.length === 0) await stepwell.runs.create(app, workflow);
const { items } = await stepwell.runs.list(app);
const runs = await Promise.all(items.map(({ id }) => stepwell.runs.wait(app, id)));
await stepwell.close();
console.log(JSON.stringify(runs));
