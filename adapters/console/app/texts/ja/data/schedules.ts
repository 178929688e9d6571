import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const INTERVALS = {
  seconds: { other: "秒" },
  minutes: { other: "分" },
  hours: { other: "時間" },
  days: { other: "日" },
} as const;

export const schedules: Messages["schedules"] = {
  title: "スケジュール",
  empty: "スケジュールはありません。",
  emptyText: "スケジュールは、指定した日時、一定の間隔、または cron 式でワークフローを実行します。",
  create: "新しいスケジュール",
  workflow: "ワークフロー",
  timing: "タイミング",
  kinds: { cron: "cron 式", every: "間隔", at: "1 回" },
  cron: "cron 式",
  cronHint: "分、時、日、月、曜日の順。0 9 * * mon-fri は、平日の 9 時に実行します。",
  cronProblems: {
    fields: { second: "秒", minute: "分", hour: "時", day: "日", month: "月", weekday: "曜日" },
    count: (given) => `分、時、日、月、曜日の 5 つのフィールドを空白で区切って入力してください。現在 ${given} つです。`,
    value: (value, field, first, last) =>
      `${field}の「${value}」は正しくありません。${first}～${last} を使ってください。`,
  },
  timezone: "タイムゾーン",
  every: "実行の間隔",
  unit: "単位",
  units: { seconds: "秒", minutes: "分", hours: "時間", days: "日" },
  everyInterval: ({ amount, unit }) => `${plural("ja", amount, INTERVALS[unit])}ごと`,
  runNow: "今すぐ実行",
  at: "日時",
  input: "入力",
  inputHint: "各実行が受け取る値です。空のフィールドには既定値が使われます。",
  missed: "実行されなかった予定",
  missedHint: "サーバーの停止中に予定されていた実行の扱い。",
  policies: { skip: "スキップする", once: "まとめて 1 回実行する", all: "すべて実行する" },
  version: "バージョン",
  latest: "実行時点の最新バージョン",
  next: "次の実行",
  upcoming: "今後の実行",
  upcomingIn: (zone) => `今後の実行（${zone}）`,
  noNext: "なし",
  last: "前回の結果",
  paused: "一時停止中",
  pause: "一時停止",
  resume: "再開",
  started: "実行を開始",
};
