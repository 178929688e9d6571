/** The page of an upload address: one document that needs nothing from elsewhere and works without its script too. */
import type { UploadStatus } from "./upload.ts";

const CLOSED = {
  used: ["This address was used already", "A file was sent here before. Ask for a new address to send another."],
  expired: ["This address has expired", "Ask whoever sent it to you for a new one."],
} as const;

export function pageHtml(status: UploadStatus, nonce: string): string {
  const closed = status.status === "open" ? null : CLOSED[status.status];
  const [title, text] = closed ?? ["Send a file", facts(status)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
${closed === null ? form(status, nonce) : ""}</main>
</body>
</html>
`;
}

function form({ max_size, allowed_types }: UploadStatus, nonce: string): string {
  const accept = allowed_types === null ? "" : ` accept="${escaped(allowed_types.join(","))}"`;
  return `<form method="post" enctype="multipart/form-data" data-max-size="${max_size}">
<label id="zone">Drop a file here, or choose one<input type="file" name="file" required${accept}></label>
<progress max="1" value="0" hidden></progress>
<p role="status" aria-live="polite"></p>
<noscript><button>Send</button></noscript>
</form>
<script nonce="${nonce}">${SCRIPT}</script>
`;
}

function facts({ max_size, allowed_types, expires_at }: UploadStatus): string {
  const types = allowed_types === null || allowed_types.includes("*/*") ? "Any type" : allowed_types.join(", ");
  return `${types}, up to ${readable(max_size)}, until ${expires_at.slice(0, 16).replace("T", " ")} UTC.`;
}

function readable(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1_024)), units.length - 1);
  return `${Number((bytes / 1_024 ** power).toFixed(1))} ${units[power]}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { width: min(32rem, 100% - 2rem) }
h1 { font-size: 1.5rem; margin: 0 0 .25rem }
#zone { display: grid; gap: 1rem; justify-items: center; padding: 3rem 1rem; border: 2px dashed #8888; border-radius: 12px; cursor: pointer }
#zone.over, #zone:focus-within { border-color: #2563eb; background: #2563eb14 }
form.sent #zone { display: none }
progress { width: 100%; margin-top: 1rem; accent-color: #2563eb }
[role=status].error { color: #dc2626 }
`;

const SCRIPT = `
const form = document.querySelector("form"), zone = document.getElementById("zone"), input = form.querySelector("input");
const bar = form.querySelector("progress"), status = form.querySelector("[role=status]");
let sending = false;
const say = (text, wrong) => { status.textContent = text; status.classList.toggle("error", Boolean(wrong)); };
const done = (text, wrong) => { sending = false; bar.hidden = true; input.value = ""; say(text, wrong); };
function send(file) {
  if (!file || sending) return;
  if (file.size > Number(form.dataset.maxSize)) return done(file.name + " is too large.", true);
  const request = new XMLHttpRequest(), body = new FormData();
  body.append("file", file);
  sending = true;
  bar.hidden = false;
  bar.value = 0;
  say("Sending " + file.name);
  request.upload.onprogress = (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
  request.onerror = () => done("The connection broke off. Please try again.", true);
  request.onload = () => {
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch {}
    if (request.status !== 201) return done(answer.detail || "The file was not taken (" + request.status + ").", true);
    form.classList.add("sent");
    done(answer.name + " was received. You can close this page.");
  };
  request.open("POST", location.href);
  request.send(body);
}
input.onchange = () => send(input.files[0]);
form.onsubmit = (event) => { event.preventDefault(); send(input.files[0]); };
zone.ondragover = (event) => { event.preventDefault(); zone.classList.add("over"); };
zone.ondragleave = () => zone.classList.remove("over");
zone.ondrop = (event) => { event.preventDefault(); zone.classList.remove("over"); send(event.dataTransfer.files[0]); };
`;
