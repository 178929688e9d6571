import type { Messages } from "../../messages.ts";

export const connections: Messages["connections"] = {
  title: "接続",
  empty: "接続はありません。",
  emptyText: "接続は、サービスの認証情報を暗号化して保存します。ステップとトリガーは、ID を指定して接続を使います。",
  noSecret:
    "このサーバーには、認証情報を暗号化するためのシークレットがありません。サーバーの運用者がオプション secret を設定する必要があります。",
  create: "新しい接続",
  service: "サービス",
  credentials: "認証情報",
  replace: "認証情報を置き換える",
  replaceHint: "保存済みの認証情報は、すべて新しいものに置き換わります。",
  inUse: "この接続は使用中です。削除すると、次のものが失敗します。",
  force: "それでも削除",
};
