/** The texts of all web pages, in each language. `{name}` stands for a value. */
import type { Language } from "./language.ts";

const en = {
  // Forms
  form_title: "Your input",
  form_send: "Send",
  form_optional: "optional",
  form_until: "Please answer by {until}.",
  form_errors: "Check your input",
  form_more: "More information",
  form_choose: "Please choose",
  form_no_files: "Choose files again: they were not kept.",
  hint_lines: "One per line.",
  hint_json: "A list of objects, as JSON.",
  hint_utc: "Time in UTC.",
  hint_types: "Accepted: {types}.",
  wrong_required: "This is required.",
  wrong_number: "Enter a number.",
  wrong_url: "Enter an address that starts with http:// or https://.",
  wrong_date: "Enter a date.",
  wrong_datetime: "Enter a date and a time.",
  wrong_time: "Enter a time.",
  wrong_choice: "Choose one of the values.",
  wrong_file: "This file is not accepted.",
  wrong_value: "This is not accepted.",
  sent_title: "Thank you",
  sent_text: "Your input was received. You can close this page.",
  started_text: "Your request was received. You can close this page.",
  early_title: "Not yet",
  early_text: "This form is not open yet. Try again in a few minutes.",
  over_title: "Already answered",
  over_text: "This was answered already, or is no longer needed. There is nothing left to do.",
  expired_title: "Link expired",
  expired_text: "This link has expired. Ask the person who sent it to you for a new one.",
  unknown_title: "Link not found",
  unknown_text: "This link does not exist. Check that you copied all of it.",
  failed_title: "Not sent",
  failed_text: "Your input could not be stored. Go back and try again.",
  large_text: "What you sent is too large.",
  busy_text: "There are too many requests at the moment. Go back and try again in a minute.",
  back: "Back to the form",
} as const;

type Texts = Readonly<Record<keyof typeof en, string>>;

const de: Texts = {
  form_title: "Ihre Angaben",
  form_send: "Absenden",
  form_optional: "freiwillig",
  form_until: "Bitte antworten Sie bis {until}.",
  form_errors: "Bitte prüfen Sie Ihre Angaben",
  form_more: "Weitere Informationen",
  form_choose: "Bitte wählen",
  form_no_files: "Wählen Sie Dateien noch einmal aus: Sie wurden nicht behalten.",
  hint_lines: "Eine Angabe pro Zeile.",
  hint_json: "Eine Liste von Objekten als JSON.",
  hint_utc: "Zeit in UTC.",
  hint_types: "Angenommen werden: {types}.",
  wrong_required: "Diese Angabe fehlt.",
  wrong_number: "Geben Sie eine Zahl ein.",
  wrong_url: "Geben Sie eine Adresse ein, die mit http:// oder https:// beginnt.",
  wrong_date: "Geben Sie ein Datum ein.",
  wrong_datetime: "Geben Sie Datum und Uhrzeit ein.",
  wrong_time: "Geben Sie eine Uhrzeit ein.",
  wrong_choice: "Wählen Sie einen der Werte.",
  wrong_file: "Diese Datei wird nicht angenommen.",
  wrong_value: "Diese Angabe wird nicht angenommen.",
  sent_title: "Vielen Dank",
  sent_text: "Ihre Angaben sind angekommen. Sie können diese Seite schließen.",
  started_text: "Ihre Anfrage ist angekommen. Sie können diese Seite schließen.",
  early_title: "Noch nicht",
  early_text: "Dieses Formular ist noch nicht offen. Versuchen Sie es in einigen Minuten noch einmal.",
  over_title: "Schon beantwortet",
  over_text: "Das wurde schon beantwortet oder wird nicht mehr gebraucht. Es ist nichts weiter zu tun.",
  expired_title: "Link abgelaufen",
  expired_text: "Dieser Link ist abgelaufen. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.",
  unknown_title: "Link nicht gefunden",
  unknown_text: "Diesen Link gibt es nicht. Prüfen Sie, ob Sie ihn vollständig kopiert haben.",
  failed_title: "Nicht gesendet",
  failed_text: "Ihre Angaben konnten nicht gespeichert werden. Gehen Sie zurück und versuchen Sie es noch einmal.",
  large_text: "Ihre Sendung ist zu groß.",
  busy_text: "Zurzeit gibt es zu viele Anfragen. Gehen Sie zurück und versuchen Sie es in einer Minute noch einmal.",
  back: "Zurück zum Formular",
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

/** A point in time for people, in UTC, because a page without a script does not know their time zone. */
export function readableTime(moment: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(new Date(moment))} UTC`;
}
