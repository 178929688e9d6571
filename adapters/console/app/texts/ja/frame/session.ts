import type { Messages } from "../../messages.ts";

export const session: Messages["session"] = {
  title: "サインイン",
  silent: "サーバーが応答していません。",
  silentText: "応答があり次第、ページを開きます。",
  intro: "アプリの API キーまたは管理者キーを貼り付けてください。",
  key: "API キー",
  keyHint: "キーは、スクリプトから読み取れない Cookie と交換されます。このブラウザーのほかの場所には保存されません。",
  signIn: "サインイン",
  refused: "このキーは存在しないか、失効済みか、有効期限切れです。",
  triesAgain: "自動的に再試行します。",
  ended: "セッションが終了しました。もう一度サインインしてください。入力した内容は保持されています。",
  addressUsed: "このアドレスは使用済みか、有効期限切れです。",
  newAddress:
    "アドレスごとにサインインできるのは 1 回だけです。stepwell dev では、ターミナルで o を押して新しいアドレスを開くか、再起動してください。それ以外の場合は、このアドレスの入手元で新しいものを取得するか、キーでサインインしてください。",
  otherApp: "このブラウザーでは現在、別のアプリにサインインしています。",
  otherAppText: "すべてのタブが 1 つのセッションを共有します。このタブでの変更は、サーバーに届かなくなりました。",
  openOther: "別のアプリを開く",
  signInAgain: "もう一度サインイン",
  hostSignIn: "アカウントでサインイン",
  noApps: "アプリはまだありません。",
  createApp: "アプリを作成",
  appName: "アプリの名前",
  openApp: "開く",
};
