/**
 * The part of the page's script that speaks with the server: tus 1.0.0 (https://tus.io/protocols/resumable-upload).
 *
 * It is JavaScript in a text and not a function of ours turned to one, because bundlers rewrite functions (names kept,
 * coverage, older targets) with helpers that the page would not have. A test checks its types.
 */
export const SENDING = /* js */ `
/** Small, so that a type of file that is not taken is known before much is sent. */
const FIRST_PIECE = 64 * 1024;
/** Less than what proxies commonly let through at once. */
const PIECE = 32 * 1024 * 1024;
/** Milliseconds after which a line that moves nothing is taken for lost. */
const SILENCE = 30_000;
/** The same for an answer, once everything was sent: storing may take longer than sending. */
const STORING = 120_000;

/**
 * How an exchange ended. The code is empty when all is well; "lost" and "stopped" tell of the line, "other" that
 * another file was begun here, "unreadable" of the file; all others are the server's.
 * @typedef {{ code: string, detail: string, body: string, header: (name: string) => string | null }} Answer
 */

/**
 * @param {File} file
 * @param {(sent: number) => void} progressed told how many bytes of the file are on the other side
 */
function createSending(file, progressed) {
  const about = "filename " + base64(file.name) + ",modified " + base64(String(file.lastModified));
  /** What has arrived for certain. */
  let sent = 0;
  /** Where it goes on: each file that is begun at an address has a place of its own, so that two never mix. */
  let place = location.href;
  /** Whether the last piece was on its way. */
  let ending = false;
  let stopped = false;
  /** @type {XMLHttpRequest | undefined} */
  let active;

  /**
   * @param {string} method
   * @param {Record<string, string>} [headers]
   * @param {Blob} [body]
   * @returns {Promise<Answer>}
   */
  async function ask(method, headers, body) {
    if (stopped) return { code: "stopped", detail: "", body: "", header: () => null };
    active = new XMLHttpRequest();
    const at = method === "PATCH" ? place : location.href;
    const answer = await exchange(active, method, at, headers, body, (loaded) => progressed(sent + loaded));
    active = undefined;
    const told = answer.header("Location") ?? answer.header("Content-Location");
    // The host may know itself by another name than people do.
    if (told !== null) place = location.pathname + new URL(told, location.href).search;
    const readable = answer.code !== "lost" || (await isReadable(file, sent));
    return readable ? answer : { ...answer, code: "unreadable" };
  }

  /** Finds out how much is there already; makes the beginning where nothing is. */
  async function begin() {
    const found = await ask("HEAD");
    const begun = beginning(found);
    // Of a file that is there as a whole, it counts whether it is this one: then only the answer was lost.
    const isThere = begun !== null && begun.sent === begun.length;
    if (begun !== null && (!isThere || ending)) {
      const same = begun.length === file.size && (isThere || begun.about === about);
      sent = same ? begun.sent : 0;
      return same ? found : { ...found, code: "other" };
    }
    if (found.code !== "") return found.code === "refused" ? closed() : found;
    const created = await ask("POST", { "Upload-Length": String(file.size), "Upload-Metadata": about });
    if (created.code === "") sent = 0;
    return created;
  }

  /** Why the address takes nothing: an answer to HEAD has no words. */
  async function closed() {
    const answer = await ask("GET");
    const code = /"status":"(used|expired)"/.exec(answer.body)?.[1];
    return { ...answer, code: answer.code !== "" ? answer.code : code === undefined ? "conflict" : "upload_" + code };
  }

  return {
    arrived: () => sent,
    /** Sends what is not there yet. @returns {Promise<Answer>} */
    async send() {
      stopped = false;
      let answer = await begin();
      progressed(sent);
      while (answer.code === "" && sent < file.size) {
        const end = Math.min(sent + (sent === 0 ? FIRST_PIECE : PIECE), file.size);
        ending = end === file.size;
        const headers = { "Upload-Offset": String(sent), "Content-Type": "application/offset+octet-stream" };
        answer = await ask("PATCH", headers, file.slice(sent, end));
        if (answer.code === "") sent = Number(answer.header("Upload-Offset"));
      }
      return answer;
    },
    /** Ends the exchange that is under way; what has arrived stays. */
    stop() {
      stopped = true;
      active?.abort();
    },
    /** Gives up what has arrived, of whatever file. */
    discard() {
      stopped = false;
      return ask("DELETE");
    },
  };
}

/** What the answer to HEAD tells of a file of which something has arrived; null when nothing has. */
function beginning(/** @type {Answer} */ { code, header }) {
  const [sent, length] = [header("Upload-Offset"), header("Upload-Length")];
  if (code !== "" || sent === null || sent === "0" || length === null) return null;
  const about = header("Upload-Metadata") ?? "";
  const [, name = ""] = /(?:^|,)filename ([^,]*)/.exec(about) ?? [];
  return { about, name: fromBase64(name), sent: Number(sent), length: Number(length) };
}

/**
 * @param {XMLHttpRequest} request
 * @param {string} method
 * @param {string} address
 * @param {Record<string, string>} [headers]
 * @param {Blob} [body]
 * @param {(loaded: number) => void} [progressed]
 * @returns {Promise<Answer>}
 */
function exchange(request, method, address, headers = {}, body, progressed = () => {}) {
  return new Promise((resolve) => {
    let silent = false;
    let patience = 0;
    const giveUp = () => {
      silent = true;
      request.abort();
    };
    const wait = (/** @type {number} */ time) => {
      clearTimeout(patience);
      patience = setTimeout(giveUp, time);
    };
    const end = (/** @type {string} */ code, detail = "") => {
      clearTimeout(patience);
      removeEventListener("offline", giveUp);
      resolve({ code, detail, body: request.responseText, header: (name) => request.getResponseHeader(name) });
    };
    request.open(method, address);
    request.setRequestHeader("Tus-Resumable", "1.0.0");
    request.setRequestHeader("Accept", "application/json");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      wait(loaded < total ? SILENCE : STORING);
      progressed(loaded);
    };
    request.onload = () => {
      const { code, detail } = refusal(request);
      end(code, detail);
    };
    request.onerror = () => end("lost");
    request.onabort = () => end(silent ? "lost" : "stopped");
    addEventListener("offline", giveUp);
    wait(SILENCE);
    request.send(body);
  });
}

/** What the server says of why it does not take something: problem details (RFC 9457), or a proxy's bare status. */
function refusal(/** @type {XMLHttpRequest} */ { status, responseText }) {
  if (status < 300) return { code: "", detail: "" };
  try {
    const { code, detail } = JSON.parse(responseText);
    if (typeof code === "string") return { code, detail: String(detail ?? "") };
  } catch {
    // not from the server itself
  }
  const code = status === 413 ? "too_large" : status === 423 ? "conflict" : status >= 500 ? "unavailable" : "refused";
  return { code, detail: "The server responded with " + status + "." };
}

/** A file that was changed or moved after it was chosen fails like a lost line does. */
function isReadable(/** @type {File} */ file, /** @type {number} */ at) {
  return file.slice(at, at + 1).arrayBuffer().then(() => true, () => false);
}

function base64(/** @type {string} */ text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function fromBase64(/** @type {string} */ text) {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
}
`;
