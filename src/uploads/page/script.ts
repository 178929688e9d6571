/** The user interface part of the page's script: file selection, states, messages and focus. Needs SENDING and METER. */
export const SCRIPT = String.raw`
/**
 * The states of the page: a title, and what its two buttons do.
 * @type {Record<string, [title: string, main: string, other: string]>}
 */
const STATES = {
  open: [TEXT.upload_title, "", ""],
  sending: [TEXT.upload_sending, TEXT.upload_pause, TEXT.upload_cancel],
  paused: [TEXT.upload_paused, TEXT.upload_resume, TEXT.upload_cancel],
  lost: [TEXT.upload_lost, TEXT.upload_retry, TEXT.upload_cancel],
  begun: [TEXT.upload_begun, TEXT.upload_instead, TEXT.upload_another],
  failed: [TEXT.upload_failed, TEXT.upload_again, TEXT.upload_another],
  refused: [TEXT.upload_refused, "", TEXT.upload_another],
  closed: [TEXT.upload_failed, "", ""],
  received: [TEXT.upload_received, "", ""],
};
/** States in which people can choose another file. */
const CHOOSING = new Set(["open", "begun", "failed", "refused"]);
/** Codes of transient errors. */
const TRANSIENT_CODES = new Set(["lost", "conflict", "unavailable", "internal", "too_many_requests"]);
/** Seconds until each retry. While the server responds with errors, this is also the number of retries. */
const DELAYS = [3, 5, 10, 20, 30];
/** @type {Record<string, string>} */
const MESSAGES = {
  upload_used: TEXT.upload_used,
  upload_expired: TEXT.upload_expired,
  not_found: TEXT.not_found,
  unreadable: TEXT.upload_unreadable,
  unavailable: TEXT.upload_cannot_store,
};
const CLOSED = ["upload_used", "upload_expired", "not_found"];

const isFromRight = document.documentElement.dir === "rtl";
const main = part("main", HTMLElement), title = part("h1", HTMLElement), note = part("#note", HTMLElement);
const facts = part("#facts", HTMLElement), form = part("form", HTMLFormElement), input = part("#input", HTMLInputElement);
const card = part("#sending", HTMLElement), picture = part("#picture", HTMLImageElement);
const progress = part("#progress", HTMLElement), bar = part("#bar", HTMLProgressElement);
const mainButton = part("#main", HTMLButtonElement), otherButton = part("#other", HTMLButtonElement);
const limit = Number(form.dataset["limit"]);

let state = "open";
let file = new File([], "");
/** @type {ReturnType<typeof createSending> | undefined} */
let sending;
/** Settles when the discarded upload has been deleted. @type {Promise<unknown>} */
let cleared = Promise.resolve();
/** Ends the wait for the next retry. */
let wake = () => {};

/**
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 */
function part(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error("The page has no " + selector);
  return found;
}

/** @param {string} next @param {string | (string | Node)[]} text */
function enter(next, text = []) {
  const [name = "", first = "", second = ""] = STATES[next] ?? [];
  const focused = document.activeElement;
  state = main.dataset["state"] = next;
  title.textContent = document.title = name;
  note.replaceChildren(...(typeof text === "string" ? [text] : text));
  form.hidden = facts.hidden = next !== "open";
  card.hidden = next === "open";
  progress.hidden = !["sending", "paused", "lost"].includes(next);
  if (next !== "sending") part("#rate", HTMLElement).textContent = "";
  mainButton.textContent = first;
  otherButton.textContent = second;
  mainButton.hidden = first === "";
  otherButton.hidden = second === "";
  // Keep the focus if its button stays visible. Otherwise, restart from the top.
  const stays = focused instanceof HTMLButtonElement && focused.checkVisibility();
  if (next === "open") input.focus();
  else if (!stays) title.focus();
  announce(stays || focused === title ? name + ". " + note.textContent : note.textContent);
}

/** Announces state changes and each quarter to screen readers. */
function announce(/** @type {string | null} */ text) {
  part("#live", HTMLElement).textContent = text;
}

/** A text with values in the places of their names. @returns {(string | Node)[]} */
function say(/** @type {string} */ text, /** @type {Record<string, string | Node>} */ values) {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : isolated(values[part] ?? "")));
}

/** Keeps the order of a text that runs from right to left around a value. Elements isolate themselves. */
function isolated(/** @type {string | Node} */ value) {
  return isFromRight && typeof value === "string" ? "\u2068" + value + "\u2069" : value;
}

/** A file name in its own text direction, without characters that would reverse the text around it. */
function named(/** @type {string} */ name) {
  const element = document.createElement("bdi");
  element.textContent = name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "");
  return element;
}

/** @param {Iterable<File> | undefined | null} files @param {boolean} [folder] */
function choose(files, folder = false) {
  const [chosen, more] = files ?? [];
  if (chosen === undefined || !CHOOSING.has(state)) return;
  file = chosen;
  part("#name", HTMLElement).textContent = named(file.name).textContent;
  part("#size", HTMLElement).textContent = readable(file.size);
  URL.revokeObjectURL(picture.src);
  picture.hidden = true;
  if (file.type.startsWith("image/")) picture.src = URL.createObjectURL(file);
  if (folder) return enter("refused", say(TEXT.upload_folder, { name: named(file.name) }));
  if (more !== undefined) return enter("refused", TEXT.upload_one);
  if (file.size === 0) return enter("refused", say(TEXT.upload_empty, { name: named(file.name) }));
  if (file.size > limit) return refuse("too_large");
  sending = createSending(file, createMeter(file.size));
  run();
}

async function run() {
  const current = sending;
  await cleared;
  for (let retries = 0; current !== undefined && current === sending; retries++) {
    enter("sending", TEXT.upload_keep_open);
    const before = current.arrived();
    const answer = await current.send();
    if (current !== sending || state !== "sending") return;
    if (answer.code === "") return enter("received", say(TEXT.upload_done, { name: named(file.name) }));
    if (current.arrived() > before) retries = 0;
    if (!TRANSIENT_CODES.has(answer.code) || (answer.code !== "lost" && retries === DELAYS.length)) return refuse(answer.code, answer);
    await waitToRetry(answer.code, retries);
  }
}

/** Waits for the next retry with a countdown. A connection that comes back ends the wait. */
function waitToRetry(/** @type {string} */ code, /** @type {number} */ retries) {
  const until = Date.now() + 1_000 * (DELAYS[retries] ?? 30);
  const words = () => {
    if (code === "lost" && !navigator.onLine) return TEXT.upload_offline;
    const reason = code === "unavailable" ? TEXT.upload_cannot_store : code !== "lost" ? TEXT.upload_busy :
      retries < 3 ? TEXT.upload_connection : TEXT.upload_no_answer;
    const seconds = Math.max(1, Math.round((until - Date.now()) / 1_000));
    const when = new Intl.RelativeTimeFormat(TEXT.locale).format(seconds, "second");
    return say(TEXT.upload_retrying, { reason, when }).join("");
  };
  enter("lost", words());
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      note.textContent = words();
      if (Date.now() >= until && (code !== "lost" || navigator.onLine)) wake();
    }, 1_000);
    wake = () => resolve(clearInterval(timer));
  });
}

/** @param {string} code @param {Answer} [answer] */
function refuse(code, answer) {
  const begun = code === "other" && answer !== undefined ? beginning({ ...answer, code: "" }) : null;
  const words = MESSAGES[code] ?? answer?.detail;
  const name = named(file.name);
  if (begun !== null) return enter("begun", partly(TEXT.upload_partly_choose, begun));
  if (CLOSED.includes(code)) return enter("closed", words);
  if (code === "too_large") {
    return enter("refused", say(TEXT.upload_too_large, { name, size: readable(file.size), limit: readable(limit) }));
  }
  if (code === "unsupported_media_type") {
    return enter("refused", say(TEXT.upload_wrong_type, { name, types: form.dataset["types"] ?? "" }));
  }
  enter(code === "unreadable" ? "refused" : "failed", words);
}

/** @returns {(string | Node)[]} */
function partly(/** @type {string} */ text, /** @type {{ name: string, sent: number, length: number }} */ { name, sent, length }) {
  return say(text, { name: named(name), done: percent(sent, length) });
}


function cancel() {
  const given = sending;
  sending = undefined;
  given?.stop();
  wake();
  cleared = given?.discard() ?? cleared;
  enter("open", TEXT.upload_canceled);
}

mainButton.onclick = () => {
  if (state === "lost") return wake();
  if (state === "begun") cleared = sending?.discard() ?? cleared;
  if (state !== "sending") return run();
  enter("paused", TEXT.upload_kept);
  sending?.stop();
};
otherButton.onclick = () => {
  if (!CHOOSING.has(state)) return cancel();
  enter("open");
  input.click();
};
input.onchange = () => {
  choose(input.files);
  input.value = ""; // allows choosing the same file again
};
form.onsubmit = () => false;
picture.onload = () => { picture.hidden = false; };
document.onpaste = ({ clipboardData }) => choose([...(clipboardData?.files ?? [])].map(pasted));
document.ondragover = (event) => {
  event.preventDefault(); // in all states: a dropped file must not replace the page
  if (CHOOSING.has(state) && event.dataTransfer?.types.includes("Files")) main.dataset["over"] = "";
  else if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
};
document.ondragleave = ({ relatedTarget }) => {
  if (relatedTarget === null) delete main.dataset["over"];
};
document.ondrop = (event) => {
  event.preventDefault();
  delete main.dataset["over"];
  const folder = event.dataTransfer?.items[0]?.webkitGetAsEntry()?.isDirectory;
  choose(event.dataTransfer?.files, folder);
};
window.ononline = () => wake();
window.onbeforeunload = (event) => {
  if (["sending", "lost"].includes(state)) event.preventDefault();
};

for (const time of document.querySelectorAll("time")) {
  time.textContent = new Date(time.dateTime).toLocaleString(TEXT.locale, { dateStyle: "medium", timeStyle: "short" });
}
main.dataset["ready"] = "";
exchange(new XMLHttpRequest(), "HEAD", location.href).then((found) => {
  const begun = beginning(found);
  if (begun !== null && state === "open") note.replaceChildren(...partly(TEXT.upload_partly_again, begun));
});

/** Gives screenshots, which all have the same name, a unique one. */
function pasted(/** @type {File} */ file) {
  if (file.name !== "image.png") return file;
  const at = new Date(file.lastModified).toISOString().slice(0, 19).replace(/[:T]/g, "-");
  return new File([file], "image-" + at + ".png", { type: file.type, lastModified: file.lastModified });
}
`;
