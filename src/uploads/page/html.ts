/** The documents of upload pages. They load nothing from elsewhere, and their form works without the script. */
import type { ErrorCode } from "../../errors.ts";
import type { File } from "../../files/file.ts";
import { type Document, documentOf, escapeHtml } from "../../web-pages/html.ts";
import { localeOf } from "../../web-pages/languages.ts";
import { type PageTexts, readableTime } from "../../web-pages/page-texts.ts";
import { readableBytes, typeNamesIn } from "../../web-pages/quantities.ts";
import { brandStyle, type Sender, senderHtml } from "../../web-pages/sender.ts";
import type { TextName } from "../../web-pages/texts/text-names.ts";
import type { UploadStatus } from "../upload.ts";
import { STYLE } from "./css.ts";
import { METER } from "./progress-script.ts";
import { SCRIPT } from "./script.ts";
import { SENDING } from "./tus-client-script.ts";

/** Titles and texts of addresses at which nothing can be uploaded. The script shows the same. */
const CLOSED = {
  upload_used: ["upload_used_title", "upload_used"],
  upload_expired: ["expired_title", "upload_expired"],
  not_found: ["unknown_title", "upload_unknown"],
} as const satisfies Readonly<Record<string, readonly [title: TextName, text: TextName]>>;

export async function sendPage(
  { max_size, allowed_types, expires_at }: UploadStatus,
  texts: PageTexts,
  sender: Sender,
): Promise<Document> {
  const { language, say } = texts;
  const accept = allowed_types === null ? "" : ` accept="${escapeHtml(allowed_types.join(","))}"`;
  const types = (await typeNamesIn(say))(allowed_types);
  const until = `<time datetime="${expires_at}">${readableTime(expires_at, language)}</time>`;
  const facts = say("upload_facts", { types: escapeHtml(types), limit: readableBytes(max_size, language), until });
  const body = `<p id="note"></p>
<p id="facts">${facts}</p>
<form method="post" enctype="multipart/form-data" data-limit="${max_size}" data-types="${escapeHtml(types)}">
<label class="zone" for="input">
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 16V4m-5 5 5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3"/></svg>
<span class="choose">${say("upload_choose")}</span>
<span class="scripted" id="ways">${say("upload_ways")}</span>
<input type="file" id="input" name="file" required aria-describedby="facts"${accept}>
</label>
<button class="plain">${say("upload_button")}</button>
</form>
<section id="sending" aria-label="${say("upload_selected")}" hidden>
<div class="file">
<span class="picture">
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M13 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V9zm0 0v6h6"/></svg>
<img id="picture" alt="" hidden>
</span>
<p><strong id="name" dir="auto"></strong><span id="size"></span></p>
</div>
<div id="progress">
<progress id="bar" max="1" value="0" aria-labelledby="name"></progress>
<p class="figures"><span id="percent"></span><span id="rate"></span></p>
</div>
<div class="buttons"><button type="button" id="main"></button><button type="button" id="other"></button></div>
</section>
<p id="live" role="status"></p>
<div id="over" aria-hidden="true"><span>${say("upload_drop")}</span></div>
`;
  return document({ title: say("upload_title"), state: "open", body, texts, sender, script: scriptIn(texts) });
}

/** The script of the page, with its texts. */
export function scriptIn({ language, say, startingWith }: PageTexts): string {
  const texts = { ...startingWith("upload_"), not_found: say("upload_unknown"), locale: localeOf(language) };
  return `const TEXT = ${JSON.stringify(texts).replaceAll("<", "\\u003c")};\n${SENDING}${METER}${SCRIPT}`;
}

export function closedPage(code: keyof typeof CLOSED, texts: PageTexts, sender: Sender | null): Document {
  const { say } = texts;
  const [title, text] = CLOSED[code];
  return document({ title: say(title), state: "closed", body: `<p id="note">${say(text)}</p>\n`, texts, sender });
}

export function receivedPage({ name }: Pick<File, "name">, texts: PageTexts): Document {
  const { say } = texts;
  const body = `<p id="note">${say("upload_done", { name: `<bdi>${escapeHtml(name)}</bdi>` })}</p>\n`;
  return document({ title: say("upload_received"), state: "received", body, texts, sender: null });
}

/** Why a file was refused that the form sent without the script. */
export async function refusedPage(
  code: ErrorCode,
  texts: PageTexts,
  { status, sender }: { readonly status: UploadStatus; readonly sender: Sender },
): Promise<Document> {
  const { say } = texts;
  const text = await refusedText(code, texts, status);
  const body = `<p id="note">${text}</p>\n<p><a href="">${say("upload_another")}</a></p>\n`;
  return document({ title: say("upload_failed"), state: "failed", body, texts, sender });
}

async function refusedText(
  code: ErrorCode,
  { language, say }: PageTexts,
  { max_size, allowed_types }: UploadStatus,
): Promise<string> {
  if (code === "too_large") return say("file_large", { limit: readableBytes(max_size, language) });
  if (code !== "unsupported_media_type") return say("file_failed");
  return say("file_type", { types: escapeHtml((await typeNamesIn(say))(allowed_types)) });
}

function document(parts: {
  title: string;
  state: string;
  body: string;
  texts: PageTexts;
  sender: Sender | null;
  script?: string;
}): Document {
  const { title, state, body, texts, sender, script } = parts;
  const main = `<main data-state="${state}">
<svg class="badge" viewBox="0 0 24 24" aria-hidden="true"><path class="good" d="m5 13 4.5 4.5L19 7"/><path class="bad" d="M12 6v7m0 4v.5"/></svg>
${senderHtml(sender)}<h1 id="title" tabindex="-1">${title}</h1>
${body}</main>`;
  const { language } = texts;
  return documentOf({ language, title, body: main, style: `${STYLE}${brandStyle(sender)}`, script });
}
