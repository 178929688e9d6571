/** Hides what may be secret in the input of a step. Pure. */
import { isRecord, type JsonValue } from "../../json.ts";

const HIDDEN = "[hidden]";
/** Ends of names of headers, parameters and fields with credentials, without `-` and `_`. */
const SECRET_ENDS = [
  ...["authorization", "cookie", "apikey", "accesskey", "secretkey", "privatekey", "password", "passwd", "passphrase"],
  ...["authkey", "applicationkey", "appkey", "functionskey", "masterkey", "subscriptionkey", "sessionid"],
  ...["secret", "credential", "credentials", "token", "signature", "sig", "jwt", "auth"],
];
/** Names that end like those above. */
const PUBLIC: ReadonlySet<string> = new Set(["pagetoken", "nextpagetoken", "synctoken", "cursortoken"]);

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_. ]/g, "");
  return !PUBLIC.has(plain) && (plain === "key" || SECRET_ENDS.some((end) => plain.endsWith(end)));
}

/** Hides the values of headers, parameters of URLs, and fields, whose names say that they are credentials. */
export function hideSecretFields(value: JsonValue, name = ""): JsonValue {
  if (typeof value === "string") return isSecretName(name) ? HIDDEN : hideInUrl(value);
  if (Array.isArray(value)) return value.map((item) => hideSecretFields(item, name));
  if (!isRecord(value)) return typeof value === "number" && isSecretName(name) ? HIDDEN : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, hideSecretFields(item as JsonValue, key)]), // a part of JSON
  );
}

/** Hides the password of a URL, and parameters that are credentials. Leaves other texts as they are. */
function hideInUrl(text: string): string {
  const scheme = text.indexOf("://");
  if (scheme <= 0 || scheme > MAX_SCHEME_CHARS) return text;
  const fragment = text.indexOf("#");
  const end = fragment < 0 ? text.length : fragment;
  const question = text.indexOf("?");
  const query = question < 0 || question > end ? end : question;
  const base = withoutPassword(text.slice(0, query), scheme + "://".length);
  const parameters = text.slice(query + 1, end);
  if (parameters === "") return base + text.slice(query);
  return `${base}?${parameters.split("&").map(withoutSecret).join("&")}${text.slice(end)}`;
}

const MAX_SCHEME_CHARS = 16;

function withoutPassword(base: string, host: number): string {
  const slash = base.indexOf("/", host);
  const at = base.lastIndexOf("@", slash < 0 ? base.length : slash);
  return at < host ? base : `${base.slice(0, host)}${HIDDEN}${base.slice(at)}`;
}

function withoutSecret(parameter: string): string {
  const [name = "", ...value] = parameter.split("=");
  return value.length > 0 && isSecretName(decoded(name)) ? `${name}=${HIDDEN}` : parameter;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Applies a function to all texts in a value, and to the names of its fields. */
export function hideIn(value: JsonValue, hide: (text: string) => string): JsonValue {
  if (typeof value === "string") return hide(value);
  if (typeof value === "number") return hide(String(value)) === String(value) ? value : HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hideIn(item, hide));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [hide(key), hideIn(item as JsonValue, hide)]), // a part of JSON
  );
}
