/** The web pages of forms. They work without a script. */
import { attributes, type Document, documentOf, escapeHtml } from "../../web-pages/html.ts";
import { type PageTexts, readableTime, type Say } from "../../web-pages/page-texts.ts";
import { brandStyle, type Sender, senderHtml } from "../../web-pages/sender.ts";
import type { TextName } from "../../web-pages/texts/text-names.ts";
import { type FormField, withNested } from "../form-values.ts";
import { type ControlParts, controlsOf, idsOf } from "./controls.ts";
import { FORM_STYLE } from "./style.ts";

export interface FormPageParts extends Omit<ControlParts, "say" | "language" | "ids"> {
  readonly pageTexts: PageTexts;
  readonly sender: Sender;
  readonly title: string | null;
  /** Plain text above the form. */
  readonly text: string | null;
  /** Markdown above the form. */
  readonly shownMarkdown: string | null;
  readonly fields: readonly FormField[];
  /** Whether files that came with a refused answer were not kept. */
  readonly hasLostFiles: boolean;
  /** A hidden control. */
  readonly once: { readonly name: string; readonly value: string } | null;
  /** When the answer must have arrived, ISO 8601; null for no limit. */
  readonly until: string | null;
}

export function formPage(given: FormPageParts): Document {
  const { pageTexts, sender, title, text, shownMarkdown, fields, until, hasLostFiles, once, ...parts } = given;
  const { language, say } = pageTexts;
  const ids = idsOf(fields);
  const limit =
    until === null
      ? ""
      : `<p class="hint">${escapeHtml(say("form_until", { until: readableTime(until, language) }))}</p>\n`;
  // Without autocomplete="off", Firefox fills in the value of an earlier page.
  const hidden = once === null ? "" : `<input${attributes({ type: "hidden", ...once, autocomplete: "off" })}>\n`;
  const shown = title ?? say("form_title");
  const above =
    (text === null ? "" : `<p class="text" dir="auto">${escapeHtml(text)}</p>\n`) +
    (shownMarkdown === null ? "" : `<div class="markdown" dir="auto">${parts.markdown(shownMarkdown)}</div>\n`);
  const body = `<main>
${senderHtml(sender)}<h1><bdi>${escapeHtml(shown)}</bdi></h1>
${limit}${above}${errorSummary(fields, { ...parts, ids }, say, hasLostFiles)}<form method="post" enctype="multipart/form-data">
${controlsOf(fields, { ...parts, ids, say, language })}${hidden}<button>${say("form_send")}</button>
</form>
</main>`;
  const heading = parts.errors.size === 0 ? shown : say("form_error", { label: say("form_errors"), message: shown });
  return documentOf({ language, title: `${heading} – ${sender.name}`, body, style: styleOf(sender) });
}

/** Names what is wrong, with links to the controls. It has the focus, so that screen readers begin with it. */
function errorSummary(
  fields: readonly FormField[],
  { errors, ids }: Pick<ControlParts, "errors" | "ids">,
  say: Say,
  hasLostFiles: boolean,
): string {
  if (errors.size === 0) return "";
  const all = withNested(fields);
  const items = [...errors].map(([name, message]) => {
    const field = all.find((one) => one.name === name);
    const label = `<bdi>${escapeHtml(field?.label ?? name)}</bdi>`;
    const text = say("form_error", { label, message: escapeHtml(message) });
    return field === undefined ? `<li>${text}</li>` : `<li><a href="#${ids.get(name) ?? ""}">${text}</a></li>`;
  });
  const lost = hasLostFiles ? `<p>${say("form_no_files")}</p>\n` : "";
  return `<div class="errors" role="alert" tabindex="-1" autofocus>
<h2>${say("form_errors")}</h2>
<ul>
${items.join("\n")}
</ul>
${lost}</div>
`;
}

export type Notice = "sent" | "started" | "early" | "over" | "expired" | "unknown" | "failed" | "large" | "busy";

const NOTICES: Readonly<Record<Notice, readonly [title: TextName, text: TextName]>> = {
  sent: ["sent_title", "sent_text"],
  started: ["sent_title", "started_text"],
  early: ["early_title", "early_text"],
  over: ["over_title", "over_text"],
  expired: ["expired_title", "expired_text"],
  unknown: ["unknown_title", "unknown_text"],
  failed: ["failed_title", "failed_text"],
  large: ["failed_title", "large_text"],
  busy: ["failed_title", "busy_text"],
};

/**
 * A page that only says something.
 * @param sender Null if it is unknown.
 * @param values What its text names.
 */
export function noticePage(
  notice: Notice,
  { language, say }: PageTexts,
  sender: Sender | null,
  values: Readonly<Record<string, string>> = {},
): Document {
  const [title, text] = NOTICES[notice];
  const isGood = notice === "sent" || notice === "started";
  const sign = isGood ? "m5 13 4.5 4.5L19 7" : "M12 6v7m0 4v.5";
  const back = title === "failed_title" ? `<p><a class="back" href="">${say("back")}</a></p>\n` : "";
  const body = `<main>
<svg class="badge ${isGood ? "good" : "bad"}" viewBox="0 0 24 24" aria-hidden="true"><path d="${sign}"/></svg>
${senderHtml(sender)}<h1>${say(title)}</h1>
<p>${say(text, values)}</p>
${back}</main>`;
  const name = sender === null ? "" : ` – ${sender.name}`;
  return documentOf({ language, title: `${say(title)}${name}`, body, style: styleOf(sender) });
}

const styleOf = (sender: Sender | null) => `${FORM_STYLE}${brandStyle(sender)}`;
