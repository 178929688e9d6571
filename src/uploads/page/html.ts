/** The documents of upload pages. They load nothing from elsewhere, and their form works without the script. */
import type { StepwellError } from "../../errors.ts";
import type { File } from "../../files/file.ts";
import type { UploadStatus } from "../upload.ts";
import { STYLE } from "./css.ts";
import { METER } from "./progress-script.ts";
import { SCRIPT } from "./script.ts";
import { SENDING } from "./tus-client-script.ts";

/** A document that needs a nonce for its script and style. */
type Document = (nonce: string) => string;

export const CLOSED = {
  upload_used: ["Already used", "A file was already uploaded through this link. Ask for a new link to upload another."],
  upload_expired: ["Link expired", "This upload link has expired. Ask the person who sent it to you for a new one."],
  not_found: ["Link not found", "This upload link does not exist. Check that you copied all of it."],
} as const;

export async function sendPage({ max_size, allowed_types, expires_at }: UploadStatus): Promise<Document> {
  const accept = allowed_types === null ? "" : ` accept="${escapeHtml(allowed_types.join(","))}"`;
  const limit = readable(max_size);
  const types = await typeNames(allowed_types);
  const until = `${expires_at.slice(0, 16).replace("T", " ")} UTC`;
  const body = `<p id="note"></p>
<p id="facts">${escapeHtml(types)}, up to ${limit}. Expires <time datetime="${expires_at}">${until}</time>.</p>
<form method="post" enctype="multipart/form-data" data-limit="${max_size}" data-types="${escapeHtml(types)}">
<label class="zone" for="input">
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 16V4m-5 5 5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3"/></svg>
<span class="choose">Choose a file</span>
<span class="scripted" id="ways">or drop it anywhere on this page, or paste it</span>
<input type="file" id="input" name="file" required aria-describedby="facts"${accept}>
</label>
<button class="plain">Upload</button>
</form>
<section id="sending" aria-label="Selected file" hidden>
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
<div id="over" aria-hidden="true"><span>Drop the file to upload it</span></div>
`;
  return (nonce) => document("Upload a file", "open", body, nonce, `${SENDING}${METER}${SCRIPT}`);
}

export function closedPage(code: keyof typeof CLOSED): Document {
  const [title, text] = CLOSED[code];
  return (nonce) => document(title, "closed", `<p id="note">${text}</p>\n`, nonce);
}

export function receivedPage({ name }: Pick<File, "name">): Document {
  const text = `<p id="note"><bdi>${escapeHtml(name)}</bdi> was uploaded. You can close this page.</p>\n`;
  return (nonce) => document("Upload complete", "received", text, nonce);
}

export function refusedPage({ message }: StepwellError): Document {
  const body = `<p id="note">${escapeHtml(message)}</p>
<p><a href="">Choose another file</a></p>
`;
  return (nonce) => document("Upload failed", "failed", body, nonce);
}

function document(title: string, state: string, body: string, nonce: string, script?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main data-state="${state}">
<svg class="badge" viewBox="0 0 24 24" aria-hidden="true"><path class="good" d="m5 13 4.5 4.5L19 7"/><path class="bad" d="M12 6v7m0 4v.5"/></svg>
<h1 id="title" tabindex="-1">${title}</h1>
${body}</main>
${script === undefined ? "" : `<script nonce="${nonce}">${script}</script>\n`}</body>
</html>
`;
}

const FAMILIES: Readonly<Record<string, string>> = {
  "audio/*": "Audio",
  "image/*": "Images",
  "text/*": "Text",
  "video/*": "Videos",
};

/** Media types as people call them: "Images, PDF". */
async function typeNames(allowed: readonly string[] | null): Promise<string> {
  if (allowed === null || allowed.includes("*/*")) return "Any type of file";
  const { default: mime } = await import("mime");
  const names = allowed.map((type) => FAMILIES[type] ?? mime.getExtension(type)?.toUpperCase() ?? type);
  return [...new Set(names)].join(", ");
}

/** A number of bytes for people. The script of the page contains the same function. */
function readable(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Number((bytes / 1_024 ** power).toFixed(1))} ${units[power]}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
