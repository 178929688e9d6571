import type { Messages } from "../../messages.ts";

export const statuses: Messages["statuses"] = {
  queued: "キュー待ち",
  pending: "未到達",
  running: "実行中",
  waiting: "待機中",
  succeeded: "成功",
  failed: "失敗",
  skipped: "スキップ",
  canceled: "キャンセル済み",
};
