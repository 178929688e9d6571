/**
 * The network part of the page's script: a client for tus 1.0.0 (https://tus.io/protocols/resumable-upload).
 *
 * It is JavaScript in a string instead of a stringified function, because bundlers rewrite functions (kept names,
 * coverage, older targets) with helpers that the page would not have. A test checks its types.
 */
export const SENDING = /* js */ `
/** Small, so that the server can reject the file type early. */
const FIRST_CHUNK_BYTES = 64 * 1024;
/** Less than proxies commonly accept in one request. */
const CHUNK_BYTES = 32 * 1024 * 1024;
/** Milliseconds without progress after which the connection counts as lost. */
const MAX_SILENCE_MS = 30_000;
/** Milliseconds to wait for the response once everything was sent: storing may take longer than sending. */
const MAX_STORING_MS = 120_000;

/**
 * The result of a request. The code is empty on success. "lost" and "stopped" describe the connection, "other" means that
 * a different file was begun at this URL, "unreadable" that the file cannot be read. All other codes are the server's. The
 * detail names the status of a response that is an error.
 * @typedef {{ code: string, detail: string, body: string, header: (name: string) => string | null }} Answer
 */

/**
 * @param {File} file
 * @param {(sent: number) => void} onProgress called with the number of bytes that the server has
 */
function createSending(file, onProgress) {
  const about = "filename " + base64(file.name) + ",modified " + base64(String(file.lastModified));
  /** Bytes that the server has acknowledged. */
  let sent = 0;
  /** URL of the upload. Each file begun at an upload URL has its own, so that two files never mix. */
  let uploadUrl = location.href;
  /** Whether the last chunk was being sent. */
  let isLastChunk = false;
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
    const at = method === "PATCH" ? uploadUrl : location.href;
    const answer = await exchange(active, method, at, headers, body, (loaded) => onProgress(sent + loaded));
    active = undefined;
    const target = answer.header("Location") ?? answer.header("Content-Location");
    // The host may know itself by another name than the browser does.
    if (target !== null) uploadUrl = location.pathname + new URL(target, location.href).search;
    const readable = answer.code !== "lost" || (await isReadable(file, sent));
    return readable ? answer : { ...answer, code: "unreadable" };
  }

  /** Finds out how many bytes the server has. Creates the upload if there is none. */
  async function begin() {
    const found = await ask("HEAD");
    const begun = beginning(found);
    // A complete upload counts if it is this file: then only the response was lost.
    const isThere = begun !== null && begun.sent === begun.length;
    if (begun !== null && (!isThere || isLastChunk)) {
      const same = begun.length === file.size && (isThere || begun.about === about);
      sent = same ? begun.sent : 0;
      return same ? found : { ...found, code: "other" };
    }
    if (found.code !== "") return found.code === "refused" ? closed() : found;
    const created = await ask("POST", { "Upload-Length": String(file.size), "Upload-Metadata": about });
    if (created.code === "") sent = 0;
    return created;
  }

  /** Why the URL does not accept a file: a response to HEAD has no body. */
  async function closed() {
    const answer = await ask("GET");
    const code = /"status":"(used|expired)"/.exec(answer.body)?.[1];
    return { ...answer, code: answer.code !== "" ? answer.code : code === undefined ? "conflict" : "upload_" + code };
  }

  return {
    arrived: () => sent,
    /** Sends the remaining bytes. @returns {Promise<Answer>} */
    async send() {
      stopped = false;
      let answer = await begin();
      onProgress(sent);
      while (answer.code === "" && sent < file.size) {
        const end = Math.min(sent + (sent === 0 ? FIRST_CHUNK_BYTES : CHUNK_BYTES), file.size);
        isLastChunk = end === file.size;
        const headers = { "Upload-Offset": String(sent), "Content-Type": "application/offset+octet-stream" };
        answer = await ask("PATCH", headers, file.slice(sent, end));
        if (answer.code === "") sent = Number(answer.header("Upload-Offset"));
      }
      return answer;
    },
    /** Aborts the current request. The server keeps what has arrived. */
    stop() {
      stopped = true;
      active?.abort();
    },
    /** Deletes what has arrived, of any file. */
    discard() {
      stopped = false;
      return ask("DELETE");
    },
  };
}

/** What a response to HEAD says about a partial upload; null if there is none. */
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
 * @param {string} url
 * @param {Record<string, string>} [headers]
 * @param {Blob} [body]
 * @param {(loaded: number) => void} [onProgress]
 * @returns {Promise<Answer>}
 */
function exchange(request, method, url, headers = {}, body, onProgress = () => {}) {
  return new Promise((resolve) => {
    let isLost = false;
    let timer = 0;
    const abortAsLost = () => {
      isLost = true;
      request.abort();
    };
    const startTimer = (/** @type {number} */ time) => {
      clearTimeout(timer);
      timer = setTimeout(abortAsLost, time);
    };
    const end = (/** @type {string} */ code, detail = "") => {
      clearTimeout(timer);
      removeEventListener("offline", abortAsLost);
      resolve({ code, detail, body: request.responseText, header: (name) => request.getResponseHeader(name) });
    };
    request.open(method, url);
    request.setRequestHeader("Tus-Resumable", "1.0.0");
    request.setRequestHeader("Accept", "application/json");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      startTimer(loaded < total ? MAX_SILENCE_MS : MAX_STORING_MS);
      onProgress(loaded);
    };
    request.onload = () => {
      const { code, detail } = refusal(request);
      end(code, detail);
    };
    request.onerror = () => end("lost");
    request.onabort = () => end(isLost ? "lost" : "stopped");
    addEventListener("offline", abortAsLost);
    startTimer(MAX_SILENCE_MS);
    request.send(body);
  });
}

/** Why the server rejected a request: problem details (RFC 9457), or the bare status of a proxy. */
function refusal(/** @type {XMLHttpRequest} */ { status, responseText }) {
  if (status < 300) return { code: "", detail: "" };
  const detail = say(TEXT.upload_status, { status: String(status) }).join("");
  try {
    const { code } = JSON.parse(responseText);
    if (typeof code === "string") return { code, detail };
  } catch {
    // not a response of Stepwell
  }
  const code = status === 413 ? "too_large" : status === 423 ? "conflict" : status >= 500 ? "unavailable" : "refused";
  return { code, detail };
}

/** Reading a file fails like a lost connection if it was changed or moved after it was chosen. */
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
