import type { Messages } from "../../messages.ts";
import { quoted } from "../isolate.ts";

export const keys: Messages["keys"] = {
  title: "مفاتيح API",
  empty: "لا توجد مفاتيح.",
  adminOnly: "لا يمكن سوى للمسؤول عرض المفاتيح وتغييرها. سجّل الدخول بمفتاح المسؤول، أو اسأل مشغّل هذا الخادم.",
  create: "مفتاح جديد",
  nameHint: "من يستخدمه أو ما يستخدمه، مثل «المكتب الخلفي».",
  scopes: "الصلاحيات",
  allScopes: "كل شيء في هذا التطبيق",
  someScopes: "المحدَّد فقط",
  scopeTable: "الصلاحيات حسب المورد",
  resource: "المورد",
  read: "قراءة",
  write: "كتابة",
  act: "التصرف باسم المستخدمين",
  actHint: "يمكن أن تذكر الطلبات المستخدم الذي تتصرف باسمه.",
  expires: "انتهاء الصلاحية",
  expiresHint: "اتركه فارغًا لمفتاح لا تنتهي صلاحيته.",
  lastUsed: "آخر استخدام",
  notUsed: "ليس بعد",
  issued: "مفتاحك الجديد",
  issuedHint: "انسخه الآن. لا يظهر إلا مرة واحدة، لأن الخادم لا يخزّن سوى ملخّصه.",
  revoke: "إبطال",
  revokeTitle: (name) => `هل تريد إبطال ${quoted(name)}؟`,
  revokeText: "تفشل الطلبات بهذا المفتاح من الآن، وتنتهي جلسات وحدة التحكم التي فتحها.",
};
