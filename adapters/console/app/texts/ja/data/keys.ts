import type { Messages } from "../../messages.ts";

export const keys: Messages["keys"] = {
  title: "API キー",
  empty: "キーはありません。",
  adminOnly:
    "キーを表示、変更できるのは管理者だけです。管理者キーでサインインするか、このサーバーの運用者に依頼してください。",
  create: "新しいキー",
  nameHint: "キーを使う人やシステム（例：バックオフィス）。",
  scopes: "権限",
  allScopes: "このアプリのすべて",
  someScopes: "選択したもののみ",
  scopeTable: "リソース別の権限",
  resource: "リソース",
  read: "読み取り",
  write: "書き込み",
  act: "ユーザーの代理操作",
  actHint: "リクエストで、代理するユーザーを指定できます。",
  expires: "有効期限",
  expiresHint: "有効期限のないキーにする場合は、空欄にします。",
  lastUsed: "最終使用日時",
  notUsed: "未使用",
  issued: "新しいキー",
  issuedHint: "今すぐコピーしてください。サーバーにはダイジェストだけが保存されるため、一度しか表示されません。",
  revoke: "失効",
  revokeTitle: (name) => `「${name}」を失効させますか？`,
  revokeText: "以後、このキーを使うリクエストは失敗します。このキーで開いたコンソールのセッションも終了します。",
};
