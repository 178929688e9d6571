/** The texts of all web pages, in each language. `{name}` stands for a value. */
import type { Language } from "./languages.ts";

const en = {
  // Forms
  form_title: "Your input",
  form_send: "Send",
  form_optional: "optional",
  form_until: "Please answer by {until}.",
  form_errors: "Check your input",
  form_more: "More information",
  form_choose: "Please choose",
  form_none: "No answer",
  form_no_files: "Choose your files again: they were not kept.",
  hint_lines: "One per line.",
  hint_json: "A list of objects in JSON.",
  hint_utc: "Time in UTC.",
  hint_types: "Accepted: {types}.",
  hint_size: "Up to {limit}.",
  wrong_required: "This is required.",
  wrong_number: "Enter a number.",
  wrong_url: "Enter an address that starts with http:// or https://.",
  wrong_date: "Enter a date.",
  wrong_datetime: "Enter a date and a time.",
  wrong_time: "Enter a time.",
  wrong_choice: "Choose one of the options.",
  wrong_size: "{name} is too large. A file can have up to {limit}.",
  wrong_file: "This file is not accepted. Choose one of an accepted type and size.",
  wrong_value: "This value is not accepted.",
  sent_title: "Thank you",
  sent_text: "Your input was received. You can close this page.",
  started_text: "Your request was received. You can close this page.",
  early_title: "Not open yet",
  early_text: "This form is not open yet. Try again in a few minutes.",
  over_title: "No longer open",
  over_text:
    "This form was already answered, or its time has passed. If you have a newer message with a link, use that one.",
  expired_title: "Link expired",
  expired_text: "This link has expired. Ask the person who sent it to you for a new one.",
  unknown_title: "Link not found",
  unknown_text: "This link does not exist. Check that you copied all of it.",
  failed_title: "Not sent",
  failed_text: "Your input could not be stored. Go back and try again.",
  large_text:
    "Your input is too large. A file can have up to {file}, all texts together up to {texts}. Go back and send shorter texts or smaller files.",
  busy_text: "The server is receiving too many requests. Go back and try again in a minute.",
  back: "Back to the form",

  // Uploads
  upload_title: "Upload a file",
  upload_facts: "{types}, up to {limit}. Expires {until}.",
  upload_any: "Any type of file",
  upload_choose: "Choose a file",
  upload_ways: "or drop it anywhere on this page, or paste it",
  upload_button: "Upload",
  upload_selected: "Selected file",
  upload_drop: "Drop the file to upload it",
  upload_another: "Choose another file",
  upload_sending: "Uploading",
  upload_paused: "Paused",
  upload_lost: "Interrupted",
  upload_begun: "Unfinished upload",
  upload_failed: "Upload failed",
  upload_refused: "File not accepted",
  upload_received: "Upload complete",
  upload_pause: "Pause",
  upload_cancel: "Cancel",
  upload_resume: "Resume",
  upload_retry: "Retry now",
  upload_instead: "Upload this file instead",
  upload_again: "Try again",
  upload_keep_open: "Keep this page open until the upload is complete.",
  upload_done: "{name} was uploaded. You can close this page.",
  upload_canceled: "Upload canceled.",
  upload_kept: "The uploaded part is kept. You can resume at any time.",
  upload_folder: "{name} is a folder. Choose one file, for example a ZIP archive of the folder.",
  upload_one: "You can upload only one file here. Choose one file, for example a ZIP archive.",
  upload_empty: "{name} is empty. Choose a file with content.",
  upload_too_large: "{name} is too large: it is {size}, and the limit is {limit}.",
  upload_wrong_type: "The file type of {name} is not accepted. Accepted: {types}.",
  upload_partly: "{name} is only partly uploaded ({done}).",
  upload_partly_choose: "{name} is only partly uploaded ({done}). Choose that file to resume it.",
  upload_partly_again: "{name} is only partly uploaded ({done}). Choose it again to resume.",
  upload_offline: "You are offline. The upload resumes when you are back online.",
  upload_cannot_store: "The server cannot store files right now",
  upload_busy: "The server is busy",
  upload_connection: "The connection was lost",
  upload_no_answer: "The server is not responding",
  upload_retrying: "{reason}. Retrying in {seconds} s.",
  upload_unreadable: "The file can no longer be read. It may have been changed, moved or deleted. Choose it again.",
  upload_progress: "{done} uploaded",
  upload_rate: "{rate}/s, {time} left",
  upload_status: "The server responded with {status}.",
  upload_used_title: "Already used",
  upload_used: "A file was already uploaded through this link. Ask for a new link to upload another.",
  upload_expired: "This upload link has expired. Ask the person who sent it to you for a new one.",
  upload_unknown: "This upload link does not exist. Check that you copied all of it.",
  type_audio: "Audio",
  type_image: "Images",
  type_text: "Text",
  type_video: "Videos",
} as const;

type Texts = Readonly<Record<keyof typeof en, string>>;

const de: Texts = {
  form_title: "Ihre Angaben",
  form_send: "Absenden",
  form_optional: "optional",
  form_until: "Bitte antworten Sie bis {until}.",
  form_errors: "Bitte prüfen Sie Ihre Angaben",
  form_more: "Weitere Informationen",
  form_choose: "Bitte wählen",
  form_none: "Keine Angabe",
  form_no_files: "Bitte wählen Sie Ihre Dateien erneut aus. Sie wurden nicht gespeichert.",
  hint_lines: "Eine Angabe pro Zeile.",
  hint_json: "Eine Liste von Objekten im JSON-Format.",
  hint_utc: "Uhrzeit in UTC.",
  hint_types: "Erlaubt: {types}.",
  hint_size: "Bis {limit}.",
  wrong_required: "Diese Angabe ist erforderlich.",
  wrong_number: "Geben Sie eine Zahl ein.",
  wrong_url: "Geben Sie eine Adresse ein, die mit http:// oder https:// beginnt.",
  wrong_date: "Geben Sie ein Datum ein.",
  wrong_datetime: "Geben Sie Datum und Uhrzeit ein.",
  wrong_time: "Geben Sie eine Uhrzeit ein.",
  wrong_choice: "Wählen Sie eine der Optionen.",
  wrong_size: "{name} ist zu groß. Eine Datei darf höchstens {limit} haben.",
  wrong_file: "Diese Datei wird nicht angenommen. Wählen Sie eine mit erlaubtem Typ und erlaubter Größe.",
  wrong_value: "Diese Angabe ist ungültig.",
  sent_title: "Vielen Dank",
  sent_text: "Ihre Angaben sind eingegangen. Sie können diese Seite schließen.",
  started_text: "Ihre Anfrage ist eingegangen. Sie können diese Seite schließen.",
  early_title: "Noch nicht verfügbar",
  early_text: "Dieses Formular ist noch nicht verfügbar. Versuchen Sie es in einigen Minuten noch einmal.",
  over_title: "Nicht mehr offen",
  over_text:
    "Dieses Formular wurde bereits ausgefüllt, oder die Zeit dafür ist abgelaufen. Wenn Sie eine neuere Nachricht mit einem Link haben, verwenden Sie diesen.",
  expired_title: "Link abgelaufen",
  expired_text: "Dieser Link ist abgelaufen. Bitten Sie die Person, die Ihnen den Link geschickt hat, um einen neuen.",
  unknown_title: "Link nicht gefunden",
  unknown_text: "Diesen Link gibt es nicht. Prüfen Sie, ob Sie ihn vollständig kopiert haben.",
  failed_title: "Nicht gesendet",
  failed_text: "Ihre Angaben konnten nicht gespeichert werden. Gehen Sie zurück und versuchen Sie es noch einmal.",
  large_text:
    "Ihre Angaben sind zu umfangreich. Eine Datei darf höchstens {file} haben, alle Texte zusammen höchstens {texts}. Gehen Sie zurück und senden Sie kürzere Texte oder kleinere Dateien.",
  busy_text:
    "Der Server erhält zurzeit zu viele Anfragen. Gehen Sie zurück und versuchen Sie es in einer Minute noch einmal.",
  back: "Zurück zum Formular",

  upload_title: "Datei hochladen",
  upload_facts: "{types}, bis {limit}. Gültig bis {until}.",
  upload_any: "Alle Dateitypen",
  upload_choose: "Datei auswählen",
  upload_ways: "oder auf diese Seite ziehen oder aus der Zwischenablage einfügen",
  upload_button: "Hochladen",
  upload_selected: "Ausgewählte Datei",
  upload_drop: "Loslassen, um die Datei hochzuladen",
  upload_another: "Andere Datei auswählen",
  upload_sending: "Wird hochgeladen",
  upload_paused: "Pausiert",
  upload_lost: "Unterbrochen",
  upload_begun: "Unvollständiger Upload",
  upload_failed: "Hochladen fehlgeschlagen",
  upload_refused: "Datei nicht erlaubt",
  upload_received: "Datei hochgeladen",
  upload_pause: "Pausieren",
  upload_cancel: "Abbrechen",
  upload_resume: "Fortsetzen",
  upload_retry: "Jetzt erneut versuchen",
  upload_instead: "Stattdessen diese Datei hochladen",
  upload_again: "Noch einmal versuchen",
  upload_keep_open: "Lassen Sie diese Seite geöffnet, bis die Datei vollständig hochgeladen ist.",
  upload_done: "{name} wurde hochgeladen. Sie können diese Seite schließen.",
  upload_canceled: "Das Hochladen wurde abgebrochen.",
  upload_kept: "Der hochgeladene Teil bleibt erhalten. Sie können das Hochladen jederzeit fortsetzen.",
  upload_folder: "{name} ist ein Ordner. Wählen Sie eine einzelne Datei aus, zum Beispiel ein ZIP-Archiv des Ordners.",
  upload_one:
    "Hier können Sie nur eine Datei hochladen. Wählen Sie eine einzelne Datei aus, zum Beispiel ein ZIP-Archiv.",
  upload_empty: "{name} ist leer. Wählen Sie eine Datei mit Inhalt aus.",
  upload_too_large: "{name} ist zu groß: Die Datei hat {size}, erlaubt sind höchstens {limit}.",
  upload_wrong_type: "Der Dateityp von {name} ist nicht erlaubt. Erlaubt: {types}.",
  upload_partly: "{name} wurde nur teilweise hochgeladen ({done}).",
  upload_partly_choose:
    "{name} wurde nur teilweise hochgeladen ({done}). Wählen Sie diese Datei aus, um das Hochladen fortzusetzen.",
  upload_partly_again:
    "{name} wurde nur teilweise hochgeladen ({done}). Wählen Sie die Datei noch einmal aus, um das Hochladen fortzusetzen.",
  upload_offline: "Sie sind offline. Das Hochladen wird fortgesetzt, sobald Sie wieder online sind.",
  upload_cannot_store: "Der Server kann gerade keine Dateien speichern",
  upload_busy: "Der Server ist ausgelastet",
  upload_connection: "Die Verbindung wurde unterbrochen",
  upload_no_answer: "Der Server antwortet nicht",
  upload_retrying: "{reason}. Nächster Versuch in {seconds} s.",
  upload_unreadable:
    "Die Datei kann nicht mehr gelesen werden. Möglicherweise wurde sie geändert, verschoben oder gelöscht. Wählen Sie sie noch einmal aus.",
  upload_progress: "{done} hochgeladen",
  upload_rate: "{rate}/s, noch {time}",
  upload_status: "Der Server hat mit {status} geantwortet.",
  upload_used_title: "Bereits verwendet",
  upload_used:
    "Über diesen Link wurde bereits eine Datei hochgeladen. Bitten Sie um einen neuen Link, um eine weitere Datei hochzuladen.",
  upload_expired:
    "Dieser Link ist abgelaufen. Bitten Sie die Person, die Ihnen den Link geschickt hat, um einen neuen.",
  upload_unknown: "Diesen Link gibt es nicht. Prüfen Sie, ob Sie ihn vollständig kopiert haben.",
  type_audio: "Audio",
  type_image: "Bilder",
  type_text: "Text",
  type_video: "Videos",
};

const TEXTS: Readonly<Record<Language, Texts>> = { en, de };

export type TextName = keyof Texts;
/** Returns a text in the language of a page. */
export type Say = (name: TextName, values?: Readonly<Record<string, string>>) => string;

export function textsIn(language: Language): Say {
  return (name, values = {}) =>
    Object.entries(values).reduce(
      (text, [key, value]) => text.replaceAll(`{${key}}`, () => value),
      TEXTS[language][name],
    );
}

/** The texts of a page whose names begin with a prefix, for its script. */
export function scriptTexts(language: Language, prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(TEXTS[language]).filter(([name]) => name.startsWith(prefix)));
}

/** A point in time for people, in UTC, because a page without a script does not know their time zone. */
export function readableTime(moment: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(new Date(moment))} UTC`;
}
