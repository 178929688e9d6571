import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const reference: Messages["reference"] = {
  title: "API リファレンス",
  intro:
    "このサーバーのすべてのルートです。同じ機能を、プロセス内およびクライアントから、オペレーション名で呼び出せます。",
  document: "OpenAPI ドキュメント",
  search: "オペレーションの検索",
  nothing: "該当するオペレーションはありません。",
  found: (count) => plural("ja", count, { other: "件のオペレーション" }),
  all: "すべてのオペレーション",
  noOperation: (id) => `操作 ${id} は存在しません。`,
  access: "アクセス",
  open: "誰でも可",
  adminKey: "管理者キー",
  appKey: (scopes) => `${scopes} を持つアプリのキー`,
  anyKey: "アプリの任意のキー",
  orOpen: "公開リソースは誰でも可",
  path: "パス",
  query: "クエリ",
  header: "ヘッダー",
  body: "本文",
  responses: "レスポンス",
  required: "必須",
  oneOf: "次のいずれか",
  listOf: "リスト：",
  examples: "例",
  tryIt: "試す",
  tryHint: "現在のセッションでリクエストを送信します。変更は実際に反映されます。",
  send: "送信",
  result: "レスポンス",
  tooLarge: "レスポンスは先頭の 64 KiB まで表示されます。",
};
